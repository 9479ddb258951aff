import Glibc
import PortolanFiles
import PortolanSyncPlan
import PortolanValues

/// Reads the shared folder through descriptors that it holds, in the order of the names' bytes, and compares it with
/// the known state.
///
/// Links are not followed, and no other file system is entered. Content is read only for files with a changed status.
struct FolderScan: ~Copyable {
    /// Largest depth of a path.
    static let maximumDepth = 256

    let storage: any ReadableStorage
    let index: FolderIndex
    let control: ControlFolder
    let look: FileLook
    let buffer = DirectoryReader.Buffer()
    private let root: Descriptor
    /// True to report all files, and not only differences.
    let tellsAll: Bool
    let doubts: Doubts
    /// True for a mark that is for all who have the folder.
    let shows: (Restriction) -> Bool
    /// Its answers in this scan.
    var shown: [Restriction: Bool] = [:]

    var result: ScanResult
    var visited: Set<FileHandleID> = []
    var unsettled: UnsettledFiles
    var rules: AcceptedRules
    /// Marks of rules of others to which a person has agreed.
    let confirmed: Set<String>
    private var device: UInt64 = 0
    /// Earliest status change that may be of the time of this scan.
    private(set) var start = FileTime.now
    /// Folders on the way down to the present one; nil for one that need not be reported.
    private var lineage: [ScannedFile?] = []
    /// Folders that were reported, each once.
    private var reported: Set<FileHandleID> = []
    /// True if only some folders are read, without their known subfolders.
    private var isPartial = false
    /// True if the file system shows other extended attributes than intended for some files.
    var hasShownAttributes = false

    /// A folder on the way down.
    struct Level {
        var descriptor: Descriptor
        var handle: FileHandleID
        var path: [SyncName]
        var rules = RulesInForce()
        /// Names that are kept alike here no more.
        var forgotten: Set<String> = []
        /// True if its entries are not below the root.
        var isParked = false
        /// For whom it is, by the marks of the folder and of those above it.
        var mark = Restriction.everyone
        /// Marks of its places by the last look.
        var placeMarks: [SyncName: PlaceMark] = [:]
    }

    init(
        _ root: Descriptor, _ control: ControlFolder, _ index: FolderIndex, tellsAll: Bool = false,
        doubts: Doubts = Doubts(), unsettled: UnsettledFiles = UnsettledFiles(), rules: AcceptedRules = .empty,
        confirmed: Set<String> = [], shows: @escaping (Restriction) -> Bool = { _ in false },
        now: @escaping @Sendable () -> FileTime
    ) {
        self.root = root
        self.shows = shows
        self.doubts = doubts
        self.unsettled = unsettled
        self.rules = rules
        self.confirmed = confirmed
        self.control = control
        self.index = index
        self.tellsAll = tellsAll
        storage = control.storage
        look = FileLook(storage: control.storage, now: now)
        result = ScanResult(tellsAll: tellsAll)
    }
}

// A scan is made once and not passed on, because of its buffer.
extension FolderScan {
    /// Reads the whole folder.
    ///
    /// - Throws: if the root cannot be read, or the index.
    mutating func run() throws(SyncError) -> ScanResult {
        result.isWhole = true
        let top = try begin()
        guard try enter(top) else { throw .folder(SystemFailure(EIO), "read the folder") }
        try readParked()
        try settleMissing()
        let known = try index.transact { $0.knownFolders }
        let inodes = Set(visited.map(\.number)).union(result.keptFolders)
        let staging = stagingInode
        if result.observation.isComplete { rules.forget(except: inodes) }
        result.goneFolders = known.filter { !inodes.contains($0) && $0 != staging }.sorted()
        if !result.goneFolders.isEmpty { result.isChanged = true }
        return result
    }

    /// Reads some folders, new folders inside them, and the staging folder.
    ///
    /// - Returns: nil if the whole folder must be read, because this part alone does not show all differences.
    mutating func run(only paths: Set<[SyncName]>) throws(SyncError) -> ScanResult? {
        let top = try begin()
        isPartial = true
        // Parents come before their subfolders, because new subfolders are read with them.
        for path in paths.sorted(by: { $0.count < $1.count }) {
            guard try go(down: path[...], from: top) else { return nil }
        }
        isPartial = false
        try readParked()
        try settleMissing()
        return try isSelfContained() ? result : nil
    }

    private mutating func begin() throws(SyncError) -> Level {
        hasShownAttributes = try index.read(\.hasShownAttributes)
        start = look.now().beforeTick
        do throws(SystemFailure) {
            let status = try storage.status(of: root)
            device = status.identity.device
            let handle = FileHandleID(status.identity.inode, generation: storage.generation(of: root))
            var top = Level(descriptor: root, handle: handle, path: [])
            guard let mark = try? StoredVisibility.read(ofOpen: root.number) else { throw SystemFailure(EACCES) }
            top.mark = mark
            return top
        } catch { throw .folder(error, "read the folder") }
    }

    /// - Returns: false if the folder cannot be read.
    mutating func enter(_ level: Level) throws(SyncError) -> Bool {
        guard visited.insert(level.handle).inserted else { return true }
        if let last = level.path.last, !level.isParked, GitFolder.isName(last) {
            result.repositories.insert(level.path.dropLast())
        }
        let listing: DirectoryListing
        do throws(SystemFailure) {
            var reader = DirectoryReader(try storage.openFolder(".", in: level.descriptor), by: storage)
            listing = try reader.next(.max, through: buffer)
        } catch {
            fail(level.path, error)
            return false
        }
        var level = level
        let (folder, isParked) = (level.handle.number, level.isParked)
        let (known, placeMarks) = try index.read { ($0.files(in: folder), isParked ? [:] : $0.placeMarks(in: folder)) }
        level.placeMarks = placeMarks
        var unseen = placeMarks
        var next = 0
        if !result.isWhole { result.readFolders.insert(level.path) }
        if !level.isParked { try readRules(&level, tells: true) }
        for position in 0..<listing.count {
            guard let text = try? listing.fileName(position).text else {
                passOver(listing, position, level)
                continue
            }
            let name = SyncName(text)
            unseen[name] = nil
            if level.path.isEmpty, !level.isParked, ControlFolder.isReserved(name) { continue }
            while next < known.count, known[next].name < name {
                vanish(known[next].name, level, known[next].file)
                next += 1
            }
            var same: KnownFile?
            if next < known.count, known[next].name == name {
                same = known[next].file
                next += 1
            }
            try take(name, level, same)
        }
        for (name, file) in known[next...] { vanish(name, level, file) }
        noteEmpty(unseen, level)
        noteTime(of: level)
        return true
    }

    /// Records that a part of the folder cannot be read, so that missing files do not count as deleted.
    mutating func fail(_ path: [SyncName], _ failure: SystemFailure) {
        result.skip(path, .unreadable(failure.text))
        result.observation.isComplete = false
    }

    private mutating func skip(_ path: [SyncName], _ reason: SkippedFile.Reason, _ known: KnownFile?) {
        result.skip(path, reason)
        if known != nil { result.observation.isComplete = false }
    }

    // MARK: Files

    private mutating func take(_ name: SyncName, _ level: Level, _ known: KnownFile?) throws(SyncError) {
        if Task.isCancelled { throw .cancelled }
        if level.forgotten.contains(name.text) { return forget(name, level, known) }
        let status: FileStatus
        do throws(SystemFailure) {
            status = try storage.status(of: name.text, in: level.descriptor)
        } catch {
            if error.number == ENOENT { vanish(name, level, known) } else { fail(level.path + [name], error) }
            return
        }
        guard let stamp = FileStatusStamp(status) else {
            result.skip(level.path + [name], .special)
            vanish(name, level, known)
            return
        }
        if status.identity.device != device {
            skip(level.path + [name], .mount, known)
            return
        }
        if control.leavesOut(name, status.identity) {
            leaveOut(name, level, stamp, known)
            return
        }
        if !level.isParked, GitFolder.leavesOut(name, isFolder: stamp.kind == .folder, in: level.path.last) {
            if GitFolder.isName(name) { result.skip(level.path + [name], .repository) }
            if known != nil { leaveOut(name, level, stamp, known) }
            return
        }
        if stamp.kind == .file, isOfDatabase(name, level) {
            result.held.insert(stamp.inode)
            return vanish(name, level, known)
        }
        let isFolder = stamp.kind == .folder
        if let known, !isFolder, known.stamp == stamp, !known.isRacy, !lacksMark(known, in: level),
            isSame(known.database, name, level)
        {
            note(nil, at: name, level)
            if tellsAll { add(known, name, level, known) } else { tellLacking(known, name, level) }
            return
        }
        let judgement =
            isFolder || known == nil
            ? judge(name, level, isFolder: isFolder, earlier: known == nil ? nil : stamp.inode) : .free
        if judgement != .free, known == nil { return }
        if isFolder {
            try takeFolder(name, level, stamp, known, judgement)
            return
        }
        let outcome: FileLook.Outcome
        do throws(SystemFailure) {
            outcome = try read(name, level, stamp, known)
        } catch { return leave(name, level, stamp, known, .unreadable(error.text)) }
        switch outcome {
        case .known(let read):
            note(nil, at: name, level)
            add(try settled(read, known), name, level, known)
        case .busy: leave(name, level, stamp, known, .busy)
        case .busyDatabase: leave(name, level, stamp, known, .database)
        case .marked(let mark): leave(name, level, stamp, known, .marked(mark))
        case .gone:
            result.isRacy = true
            vanish(name, level, known)
        }
    }

    /// Returns a file with its intended extended attributes, if its file system does not store them.
    private func settled(_ read: KnownFile, _ known: KnownFile?) throws(SyncError) -> KnownFile {
        guard hasShownAttributes, read.stamp.kind == .file else { return read }
        if let known, known.handle == read.handle { return read.settled(by: known) }
        let own = try index.read { $0.fileWithShownAttributes(read.handle) }
        // A file system may reuse the inode of a deleted file for another one with other content.
        return read.settled(by: own?.form?.digest == read.form?.digest ? own ?? known : known)
    }

    private mutating func tellLacking(_ file: KnownFile, _ name: SyncName, _ level: Level) {
        if file.lacksAttributes || file.shown != nil { result.skip(level.path + [name], .attributes) }
    }

    /// Records a file that exists but cannot be read now: it counts as unchanged.
    private mutating func leave(
        _ name: SyncName, _ level: Level, _ stamp: FileStatusStamp, _ known: KnownFile?, _ reason: SkippedFile.Reason
    ) {
        let isSame = known?.stamp.inode == stamp.inode && known?.stamp.kind == stamp.kind
        guard let known, isSame || reason.isOfFile && known.stamp.kind != .folder else {
            guard reason.isOfFile else { return skip(level.path + [name], reason, known) }
            result.skip(level.path + [name], reason)
            result.held.insert(stamp.inode)
            vanish(name, level, known)
            return
        }
        result.skip(level.path + [name], reason)
        // A known file that was moved here counts as unchanged at its old place.
        if !isSame { result.held.insert(stamp.inode) }
        add(known, name, level, known)
    }

    /// Leaves out one of the program's own files. One that was synchronized before counts as unchanged.
    private mutating func leaveOut(
        _ name: SyncName, _ level: Level, _ stamp: FileStatusStamp, _ known: KnownFile?
    ) {
        result.skip(level.path + [name], .own)
        result.held.insert(stamp.inode)
        vanish(name, level, known)
    }

    private mutating func add(_ file: KnownFile, _ name: SyncName, _ level: Level, _ known: KnownFile?) {
        let observed = ScannedFile(
            handle: file.handle, parent: level.handle, name: name, kind: file.stamp.kind, form: file.form,
            size: file.size, metadata: file.metadata)
        if file.isRacy { result.isRacy = true }
        tellLacking(file, name, level)
        let isSame =
            known?.form == file.form && known?.handle == file.handle && known?.stamp.kind == file.stamp.kind
            && known?.metadata == file.metadata
        if !isSame {
            result.isChanged = true
            if name.text == IgnoreRules.fileName { result.changesRules = true }
        }
        if known?.handle != file.handle { result.take(file, insteadOf: known) }
        if known != file { result.updates.append((FilePlace(folder: level.handle.number, name: name), file)) }
        if tellsAll || !isSame {
            tellLineage()
            report(observed)
        }
        if file.stamp.kind == .folder { lineage.append(tellsAll || !isSame ? nil : observed) }
    }

    /// Reports the parents of reported items first.
    private mutating func tellLineage() {
        for place in lineage.indices {
            guard let folder = lineage[place] else { continue }
            report(folder)
            lineage[place] = nil
        }
    }

    /// Reports an item. Several paths of a partial scan lead through the same folders, which are reported once.
    private mutating func report(_ item: ScannedFile) {
        guard item.kind != .folder || reported.insert(item.handle).inserted else { return }
        result.observation.found.append(item)
    }

    // MARK: Folders

    private mutating func takeFolder(
        _ name: SyncName, _ level: Level, _ stamp: FileStatusStamp, _ known: KnownFile?,
        _ judgement: RulesInForce.Judgement
    ) throws(SyncError) {
        let path = level.path + [name]
        guard path.count < Self.maximumDepth else {
            skip(path, .tooDeep, known)
            return
        }
        guard let (descriptor, folder, mark) = open(name, level, stamp, known) else { return }
        guard isShown(mark) else {
            // A known folder counts as unchanged, with all that is in it.
            result.skip(path, .marked(mark))
            result.held.insert(stamp.inode)
            return vanish(name, level, known)
        }
        guard !visited.contains(folder.handle) else {
            // The folder was already read by its own path.
            if !isPartial || known?.handle != folder.handle { skip(path, .mount, known) }
            return
        }
        add(folder, name, level, known)
        let wasPartial = isPartial
        defer {
            lineage.removeLast()
            isPartial = wasPartial
        }
        if isPartial, known?.handle == folder.handle { return }
        // Changes in it may have been reported under its former path.
        isPartial = false
        var below = level
        below.descriptor = descriptor
        below.handle = folder.handle
        below.path = path
        below.rules.inherit(judgement)
        below.mark = mark
        _ = try enter(below)
    }

    /// Opens a folder, unless it was replaced meanwhile, and reads for whom it is.
    private mutating func open(
        _ name: SyncName, _ level: Level, _ stamp: FileStatusStamp, _ known: KnownFile?
    ) -> (Descriptor, KnownFile, Restriction)? {
        let descriptor: Descriptor
        let generation: UInt64
        let mark: Restriction
        do throws(SystemFailure) {
            descriptor = try storage.openFolder(name.text, in: level.descriptor)
            let identity = try storage.status(of: descriptor).identity
            generation = storage.generation(of: descriptor)
            guard identity.device == device, !storage.isMountRoot(descriptor) else {
                result.isRacy = true
                skip(level.path + [name], .mount, known)
                return nil
            }
            // Another folder took the name meanwhile.
            guard identity.inode == stamp.inode else { throw SystemFailure(ENOENT) }
            mark = level.mark.and(try StoredVisibility.read(descriptor, by: storage))
        } catch {
            if error.number == ENOENT {
                result.isRacy = true
                vanish(name, level, known)
                return nil
            }
            skip(level.path + [name], .unreadable(error.text), known)
            return nil
        }
        var stamp = stamp
        if let known, known.stamp.inode == stamp.inode, known.stamp.kind == .folder {
            // The times of a folder need not be stored.
            let mode = stamp.mode
            stamp = known.stamp
            stamp.mode = mode
        }
        return (descriptor, KnownFile(stamp: stamp, generation: generation, isRacy: false, form: nil), mark)
    }

    /// Reads the folder at a path, unless it was read already.
    ///
    /// - Returns: false if a folder on the way was replaced without an event.
    private mutating func go(down path: ArraySlice<SyncName>, from level: Level) throws(SyncError) -> Bool {
        guard let name = path.first else { return try enter(level) }
        // A change of what is git's own shows to those who read the repository.
        if GitFolder.leavesOut(name, isFolder: true, in: level.path.last) { return true }
        var level = level
        try readRules(&level, tells: false)
        if level.forgotten.contains(name.text) { return true }
        guard (try? FileName(name.text)) != nil,
            let status = try? storage.status(of: name.text, in: level.descriptor), let stamp = FileStatusStamp(status),
            stamp.kind == .folder, status.identity.device == device, !control.leavesOut(name, status.identity),
            level.path.count + 1 < Self.maximumDepth
        else { return true }
        let place = FilePlace(folder: level.handle.number, name: name)
        let known = try index.read { $0.file(at: place) }
        let judgement = judge(name, level, isFolder: true, earlier: known == nil ? nil : stamp.inode)
        if judgement != .free, known == nil { return true }
        guard let (descriptor, folder, mark) = open(name, level, stamp, known) else { return true }
        // The folder above tells of it when it is read.
        guard isShown(mark) else { return true }
        if visited.contains(folder.handle), path.count == 1 { return true }
        let isNew = result.arrived.contains(folder.handle)
        guard isNew || known?.handle == folder.handle else { return false }
        // New folders are read completely.
        if isNew { return true }
        lineage.append(
            ScannedFile(
                handle: folder.handle, parent: level.handle, name: name, kind: .folder, form: nil,
                size: folder.stamp.size, metadata: folder.stamp.metadata))
        defer { lineage.removeLast() }
        level.descriptor = descriptor
        level.handle = folder.handle
        level.path.append(name)
        level.rules.inherit(judgement)
        level.mark = mark
        return try go(down: path.dropFirst(), from: level)
    }
}
