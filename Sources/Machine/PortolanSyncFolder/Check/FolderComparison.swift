import Glibc
import PortolanFiles
import PortolanSyncPlan
import PortolanValues

/// Comparison of the disk with the agreed tree and the records, folder by folder.
///
/// It reads the disk by itself, with the contents of all files. Only one folder is in memory at a time.
struct FolderComparison {
    private let folder: OpenFolder
    private let index: FolderIndex
    private let look: FileLook
    private let ways: SyncWays
    private let report: SyncReport
    private var rules: AcceptedRules
    private let paths: Set<DisplayText>?
    /// Nodes that wait, so that they may differ from the agreed tree.
    private let waiting: Set<NodeID>
    /// Nodes of held deletions.
    private let held: Set<NodeID>
    /// Files that the last scan left, because they are being written.
    private let busy: Set<[SyncName]>
    /// True if the last scan has read all of the folder.
    private let isComplete: Bool

    private(set) var faults: [SyncFault] = []
    private(set) var compared = 0
    private(set) var unsettled: [DisplayText] = []
    private var entries: Set<EntryID> = [.root]
    private var folders: Set<UInt64> = []

    /// Time for which a file that changes may be left for a later scan.
    private static let restSeconds: Int64 = 15
    /// Most faults that are listed.
    private static let mostFaults = 10_000

    private var storage: any ReadableStorage { look.storage }

    /// A folder on the way down.
    private struct Level {
        var descriptor: Descriptor
        var inode: UInt64
        var path: [SyncName]
        var entry: EntryID
        /// Its nodes; none if the records do not have it.
        var nodes: [NodeID]
        var same: [NodeID: NodeID] = [:]
        var rules = RulesInForce()
    }

    /// Item of the disk.
    private enum Found {
        case item(FileStatusStamp)
        /// The item is not synchronized, or cannot be read.
        case skipped
    }

    /// - Parameters:
    ///   - report: result of the synchronization before it.
    ///   - rules: rules of exclusion that this device has accepted.
    ///   - paths: files whose contents are read; nil for all.
    init(
        _ folder: OpenFolder, _ index: FolderIndex, _ look: FileLook, _ ways: SyncWays, _ report: SyncReport,
        rules: AcceptedRules, reading paths: Set<DisplayText>?
    ) throws(SyncError) {
        self.rules = rules
        self.paths = paths
        self.folder = folder
        self.index = index
        self.look = look
        self.ways = ways
        self.report = report
        waiting = try index.read(\.dirty)
        held = Set((report.heldHere + report.heldFromOthers).flatMap(\.nodes))
        busy = Set(report.skipped.filter { $0.reason.isOfFile }.map(\.place))
        isComplete = report.isWhole
    }

    mutating func run() throws {
        try enter(
            Level(descriptor: folder.root, inode: folder.handle.number, path: [], entry: .root, nodes: [.root]))
        try checkParked()
        try checkRest()
        checkWaiting()
    }

    private mutating func find(_ kind: SyncFinding.Kind, _ path: [SyncName], _ mending: SyncMending) {
        guard faults.count < Self.mostFaults else { return }
        faults.append(SyncFault(finding: SyncFinding(kind: kind, path: Self.shown(path)), mending: mending))
    }

    private static func shown(_ path: [SyncName]) -> DisplayText {
        DisplayText(path.map(\.text).joined(separator: "/"), limit: 4096)
    }

    // MARK: One folder

    private mutating func enter(_ level: Level) throws {
        try Task.checkCancellation()
        folders.insert(level.inode)
        guard let found = list(level) else { return try pass(over: level.entry) }
        var level = level
        level.rules.enter(level.inode, RulesFile(in: level.descriptor, by: storage), rules)
        let known = try index.read {
            KnownFolder($0, level.entry, level.nodes, inode: level.inode, same: level.same)
        }
        for phantom in known.phantoms {
            // A device that does not announce changes cannot delete it.
            guard ways.tells else { break }
            find(.phantom, level.path + [phantom.name], .join(phantom.node, with: phantom.kept))
            level.same[phantom.node] = phantom.kept
        }
        for name in known.names.union(found.keys).sorted() {
            let entry = try single(known.entries[name] ?? [], name, found[name], level)
            compareRecords(entry, known.items[name], known, level.path + [name])
            switch (entry, found[name]) {
            case (let entry?, .item(let stamp)): try compare(entry, stamp, known, level)
            case (let entry?, .skipped): try pass(over: entry.id, withRows: true)
            case (let entry?, nil): try miss(entry, level)
            case (nil, .item(let stamp)): meet(name, stamp, level)
            case (nil, nil): missRow(name, known, level)
            case (nil, .skipped): break
            }
        }
    }

    /// - Returns: nil if the folder cannot be read.
    private mutating func list(_ level: Level) -> [SyncName: Found]? {
        let forgotten = rules.forgottenNames(
            in: FileHandleID(level.inode, generation: storage.generation(of: level.descriptor)), at: level.path)
        var all: [SyncName: Found] = [:]
        do throws(SystemFailure) {
            var reader = DirectoryReader(try storage.openFolder(".", in: level.descriptor), by: storage)
            let listing = try reader.next(.max, through: DirectoryReader.Buffer())
            for position in 0..<listing.count {
                guard let text = try? listing.fileName(position).text else { continue }
                let name = SyncName(text)
                if level.path.isEmpty, ControlFolder.isReserved(name) { continue }
                all[name] = forgotten.contains(text) ? .skipped : find(name, level)
            }
        } catch { return nil }
        return all
    }

    private func find(_ name: SyncName, _ level: Level) -> Found? {
        do throws(SystemFailure) {
            let status = try storage.status(of: name.text, in: level.descriptor)
            guard let stamp = FileStatusStamp(status), status.identity.device == folder.device,
                !folder.control.leavesOut(name, status.identity),
                !GitFolder.leavesOut(name, isFolder: stamp.kind == .folder, in: level.path.last)
            else { return .skipped }
            return .item(stamp)
        } catch { return error.number == ENOENT ? nil : .skipped }
    }

    /// Returns the entry of a name; of several, that of the item on the disk.
    private mutating func single(
        _ all: [AgreedEntry], _ name: SyncName, _ found: Found?, _ level: Level
    ) throws -> AgreedEntry? {
        var kept = all.first
        if case .item(let stamp) = found {
            kept = all.first { $0.handle.number == stamp.inode && !$0.isHeld } ?? kept
        }
        guard let kept else { return nil }
        entries.insert(kept.id)
        for other in all where other.id != kept.id {
            find(.double, level.path + [name], .merge(other.id, into: kept.id))
            try pass(over: other.id)
        }
        return kept
    }

    /// Counts an entry, and all in it, as compared.
    ///
    /// - Parameter withRows: true for what is there and not looked at: known files in it count as compared, too.
    private mutating func pass(over id: EntryID, withRows: Bool = false) throws {
        entries.insert(id)
        var rest = [id]
        while let next = rest.popLast() {
            if withRows, let folder = try index.read({ $0.entry(next) }) { folders.insert(folder.handle.number) }
            let inside = try index.read { $0.entries(in: next) }
            rest += inside.filter { entries.insert($0).inserted }
        }
    }

    // MARK: Entries and records

    private mutating func compareRecords(
        _ entry: AgreedEntry?, _ item: TreeItem?, _ known: KnownFolder, _ path: [SyncName]
    ) {
        let nodes = ((entry?.seen ?? []) + (item?.seen ?? [])).map(\.node)
        guard !nodes.contains(where: waiting.contains), entry?.isHeld != true else { return }
        switch (entry, item) {
        case (let entry?, let item?):
            let isSame =
                entry.kind == item.kind && entry.form == item.content?.form && entry.seen == item.seen
                && entry.isDisplaced == item.isDisplaced && isSame(entry.metadata, item.metadata)
            if !isSame { find(.version, path, .plan(nodes)) }
        case (let entry?, nil):
            // A record that is gone cannot be made again, only by another epoch.
            find(.unrecorded, path, known.unknown.contains(entry.id) ? .scan : .plan(nodes))
        case (nil, _?): find(.unplaced, path, .plan(nodes))
        case (nil, nil): break
        }
    }

    /// Metadata are unknown in an index, and in records, of an earlier version of the program.
    private func isSame(_ one: ItemMetadata?, _ other: ItemMetadata?) -> Bool {
        one == nil || other == nil || one == other
    }

    // MARK: Entries and the disk

    /// True if a scan leaves the item for a later one, because it changed just now or is being written.
    private mutating func isLeft(_ stamp: FileStatusStamp, _ path: [SyncName]) -> Bool {
        let isNew = report.looksAgain && stamp.changed.seconds >= look.now().seconds - Self.restSeconds
        guard isNew || busy.contains(path) else { return false }
        unsettled.append(Self.shown(path))
        return true
    }

    private mutating func meet(_ name: SyncName, _ stamp: FileStatusStamp, _ level: Level) {
        let path = level.path + [name]
        guard ways.tells, path.count < FolderScan.maximumDepth || stamp.kind != .folder,
            judge(name, level, isFolder: stamp.kind == .folder) == .free,
            !look.isOfDatabase(name.text, in: level.descriptor, without: folder.control.own), !isLeft(stamp, path)
        else { return }
        find(.untracked, path, .forget(FilePlace(folder: level.inode, name: name)))
    }

    private mutating func miss(_ entry: AgreedEntry, _ level: Level) throws {
        try pass(over: entry.id)
        let isHeld = entry.isHeld && entry.seen.contains { held.contains($0.node) }
        guard isComplete, !isHeld else { return }
        find(entry.isHeld ? .held : .missing, level.path + [entry.name], .release(entry.id))
    }

    private mutating func missRow(_ name: SyncName, _ known: KnownFolder, _ level: Level) {
        // Rows of what is held, and of what may be in a part that cannot be read, stay.
        guard known.files[name] != nil, isComplete, report.heldHere.isEmpty else { return }
        find(.known, level.path + [name], .forget(FilePlace(folder: level.inode, name: name)))
    }

    private mutating func compare(
        _ entry: AgreedEntry, _ stamp: FileStatusStamp, _ known: KnownFolder, _ level: Level
    ) throws {
        compared += 1
        let path = level.path + [entry.name]
        if entry.isHeld { find(.held, path, .bring(entry.id)) }
        guard entry.kind == stamp.kind, entry.handle.number == stamp.inode else {
            try pass(over: entry.id)
            if !isLeft(stamp, path) { find(.otherFile, path, forgetting(entry, level)) }
            return
        }
        if entry.kind == .folder {
            try descend(entry, stamp, known, level)
        } else {
            try compareContent(entry, stamp, known.files[entry.name], level)
        }
    }

    private func forgetting(_ entry: AgreedEntry, _ level: Level) -> SyncMending {
        .forget(FilePlace(folder: level.inode, name: entry.name))
    }

    private mutating func compareContent(
        _ entry: AgreedEntry, _ stamp: FileStatusStamp, _ row: KnownFile?, _ level: Level
    ) throws {
        try Task.checkCancellation()
        let path = level.path + [entry.name]
        if let paths, !paths.contains(Self.shown(path)) { return }
        // An unreadable file counts as unchanged.
        guard let outcome = try? look.read(entry.name, in: level.descriptor) else { return }
        guard case .known(var read) = outcome else {
            unsettled.append(Self.shown(path))
            return
        }
        read = read.settled(by: row)
        guard read.form == entry.form, read.handle == entry.handle else {
            if !isLeft(read.stamp, path) {
                find(read.handle == entry.handle ? .content : .otherFile, path, forgetting(entry, level))
            }
            return
        }
        if let row, row.stamp == read.stamp, row.database == read.database, !row.isRacy, row.form != read.form {
            find(.known, path, forgetting(entry, level))
        }
        // The time of a database is that of its content.
        if read.database == nil { compareMetadata(entry, read.stamp, level) }
    }

    private mutating func compareMetadata(_ entry: AgreedEntry, _ stamp: FileStatusStamp, _ level: Level) {
        let path = level.path + [entry.name]
        guard !isSame(entry.onDisk, stamp.metadata), !isLeft(stamp, path) else { return }
        find(.metadata, path, forgetting(entry, level))
    }

    private mutating func descend(
        _ entry: AgreedEntry, _ stamp: FileStatusStamp, _ known: KnownFolder, _ level: Level
    ) throws {
        let path = level.path + [entry.name]
        guard let (descriptor, handle) = open(entry.name, level), !folders.contains(handle.number),
            path.count < FolderScan.maximumDepth
        else { return try pass(over: entry.id) }
        guard handle == entry.handle else {
            find(.otherFile, path, forgetting(entry, level))
            return try pass(over: entry.id)
        }
        compareMetadata(entry, stamp, level)
        let item = known.items[entry.name]
        var below = level
        below.descriptor = descriptor
        below.inode = handle.number
        below.path = path
        below.entry = entry.id
        below.nodes = item?.kind == .folder ? item?.seen.map(\.node) ?? [] : []
        below.rules.inherit(judge(entry.name, level, isFolder: true, earlier: handle.number))
        try enter(below)
    }

    private func judge(
        _ name: SyncName, _ level: Level, isFolder: Bool, earlier inode: UInt64? = nil
    ) -> RulesInForce.Judgement {
        level.rules.judge(name, in: level.path, isFolder: isFolder, earlier: inode, rules)
    }

    /// - Returns: nil if the folder cannot be read, or another file system is mounted there.
    private func open(_ name: SyncName, _ level: Level) -> (Descriptor, FileHandleID)? {
        do throws(SystemFailure) {
            let descriptor = try storage.openFolder(name.text, in: level.descriptor)
            let identity = try storage.status(of: descriptor).identity
            guard identity.device == folder.device, !storage.isMountRoot(descriptor) else { return nil }
            return (descriptor, FileHandleID(identity.inode, generation: storage.generation(of: descriptor)))
        } catch { return nil }
    }
}

// MARK: - The whole folder

extension FolderComparison {
    /// Compares the entries in the parking place with the staging folder.
    private mutating func checkParked() throws {
        let parked = try index.read { index in index.entries(in: .parking).compactMap { index.entry($0) } }
        guard !parked.isEmpty else { return }
        let staging = Level(descriptor: folder.control.staging, inode: 0, path: [], entry: .parking, nodes: [])
        let inodes = (list(staging) ?? [:]).values.compactMap { found in
            if case .item(let stamp) = found { stamp.inode } else { nil }
        }
        for entry in parked {
            try pass(over: entry.id)
            if !inodes.contains(entry.handle.number) { find(.missing, [entry.name], .release(entry.id)) }
        }
    }

    /// Finds entries, rows and nodes that the way through the folders does not meet.
    private mutating func checkRest() throws {
        let (entries, folders, waiting) = (entries, folders, waiting)
        let staging = try? storage.status(of: folder.control.staging).identity.inode
        let known = try index.read { index in
            (
                lost: index.allEntries.filter { !entries.contains($0) }.compactMap { index.entry($0) },
                folders: index.knownFolders.filter { !folders.contains($0) && $0 != staging },
                isParked: !index.entries(in: .parking).isEmpty,
                unreachable: index.unreachable(except: waiting),
                breakers: index.cycleBreakers.filter { !index.leadsBack($0) },
                devices: index.membership.acknowledged.filter { _, cursor in
                    cursor.replica != index.replica || cursor.sequence > index.sequence
                }.keys.sorted()
            )
        }
        for entry in known.lost { find(.lost, [entry.name], .release(entry.id)) }
        if isComplete, report.heldHere.isEmpty, !known.isParked {
            for inode in known.folders.sorted() { find(.known, [], .forgetFolder(inode)) }
        }
        for record in known.unreachable {
            find(.unreachable, [record.place?.name].compactMap { $0 }, .plan([record.id]))
        }
        for node in known.breakers.sorted() { find(.ring, [], .leaveRing(node)) }
        for device in known.devices { find(.position, [], .forgetPosition(device)) }
    }

    /// Finds nodes that wait although nothing is in their way.
    private mutating func checkWaiting() {
        guard !report.explainsWaiting, !waiting.isEmpty else { return }
        let names = try? index.read { index in waiting.sorted().prefix(20).compactMap { index.record($0)?.place?.name }
        }
        for name in names ?? [] { find(.waiting, [name], .scan) }
    }
}
