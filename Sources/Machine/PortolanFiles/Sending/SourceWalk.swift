import PortolanValues

/// The walk itself: where it stands in each folder on the way down.
struct SourceWalk: ~Copyable {
    private struct Level {
        let folder: SourceFolder
        let descriptor: Descriptor
        let entry: UInt32
        var names: FolderNames
        /// Device of which it is known that it lists all attributes; nil where that is not known.
        let listingDevice: UInt64?
        var next = 0
    }

    /// Age below which a file may be in the middle of being written, in seconds.
    private static let lately: Int64 = 60

    private(set) var report = FidelityReport()
    private(set) var withheld = WithholdingReport()
    private var pending: SourceEntry?
    /// Contents without a folder on the disk that were not returned yet.
    private var contents: ArraySlice<SourceContent> = []
    private var levels: [Level] = []
    private var nextIndex: UInt32 = 0
    private var links = LinkedFiles()
    private let buffer = DirectoryReader.Buffer()
    private let item: SourceItem
    private let options: SourceOptions

    /// - Parameter size: bytes of the item that are sent, if it is a file.
    init(
        _ root: Descriptor, _ status: FileStatus, size: UInt64, name: FileName, of item: SourceItem,
        options: SourceOptions
    ) throws(SystemFailure) {
        self.item = item
        self.options = options
        let found = FoundEntry(
            name, at: .item(item), in: 0, status, opened: root, for: item.view.restriction, size: size)
        pending = status.kind == .folder ? try enter(found, root) : emit(found)
    }

    /// Makes the walk through contents that have no folder on the disk.
    init(_ contents: [SourceContent], name: FileName, of item: SourceItem) {
        self.item = item
        options = SourceOptions()
        self.contents = contents[...]
        let root = TreeEntry(index: 0, parent: 0, name: name, kind: .folder, permissions: 0o700, modified: .epoch)
        pending = SourceEntry(
            entry: root, contentSize: 0, file: nil, sample: nil, identity: FileIdentity(device: 0, inode: 0),
            place: .item(item))
        nextIndex = 1
    }

    mutating func next() throws(FileError) -> SourceEntry? {
        if let entry = pending {
            pending = nil
            return entry
        }
        if let content = contents.popFirst() {
            defer { nextIndex += 1 }
            return content.entry(nextIndex, of: item)
        }
        while !levels.isEmpty {
            let top = levels.count - 1
            let index = levels[top].next
            do throws(Skip) {
                guard index < levels[top].names.listing.count else {
                    try goOn(top)
                    continue
                }
                levels[top].next = index + 1
                return try examine(index, of: top)
            } catch {
                switch error {
                case .omission(let reason):
                    let path = path(index, of: top)
                    report.add(reason, at: path)
                case .withheld(let cause):
                    let path = path(index, of: top)
                    withheld.add(cause, at: DisplayText(bytes: path, limit: 1024))
                    // Missing for everybody, and nameless, since it may be restricted.
                    if case .unknown(let reason) = cause { report.add(reason, at: path, isNamed: false) }
                case .fatal(let failure): throw failure
                }
            }
        }
        return nil
    }

    mutating func leaveOut(_ entry: SourceEntry, because error: FileError) {
        if entry.entry.isLinkTarget { links.forget(entry.identity) }
        if error.kind == .keptFromOthers {
            withheld.add(.restrictedMeanwhile, at: DisplayText(entry.place.path, limit: 1024))
        } else {
            omit(entry.place, Loss.Reason(error))
        }
    }

    mutating func truncate(_ entry: SourceEntry) { omit(entry.place, .grown) }

    private mutating func omit(_ place: SourcePlace, _ reason: Loss.Reason) {
        report.add(reason, at: Array(place.path.utf8))
    }

    // MARK: - One name

    private enum Skip: Error {
        case omission(Loss.Reason)
        /// The peer is told nothing of the entry.
        case withheld(WithheldEntry.Cause)
        case fatal(FileError)
    }

    /// Returns the reason for skipping an entry that the peer may see.
    private func skip(because failure: SystemFailure) -> Skip {
        switch failure.reason {
        case .missing: .omission(.vanished)
        // The file or folder of a moment ago is a link or another kind now.
        case .inTheWay: .omission(.changed)
        case .descriptors: .fatal(.reading(DisplayText(item.path), failure))
        default: .omission(.unreadable)
        }
    }

    /// Runs a call without which the restriction of an entry is not known: if it fails, the entry is withheld.
    private func looking<Result>(_ call: () throws(SystemFailure) -> Result) throws(Skip) -> Result {
        do throws(SystemFailure) {
            return try call()
        } catch {
            guard case .omission(let reason) = skip(because: error) else { throw skip(because: error) }
            throw .withheld(.unknown(reason))
        }
    }

    /// Returns the restriction of a folder that the walk is in, which may have been marked since.
    private func restriction(of folder: SourceFolder) throws(Skip) -> Restriction {
        try translating(folder.currentRestriction(), Skip.fatal)
    }

    private func checkIsShown(_ restriction: Restriction) throws(Skip) {
        do throws(FileError) {
            if try item.view.shows(restriction) { return }
        } catch {
            throw .fatal(error)
        }
        if restriction == item.view.restriction { throw .fatal(.withdrawn(DisplayText(item.path), restriction)) }
        throw .withheld(.restricted(restriction))
    }

    private mutating func examine(_ index: Int, of top: Int) throws(Skip) -> SourceEntry {
        let kind = try self.kind(index, of: top)
        switch kind {
        case .file, .folder: break
        case .symbolicLink: return try link(index, of: top)
        // These kinds can have no restriction of their own.
        case .pipe: throw .omission(.pipe)
        case .socket: throw .omission(.socket)
        case .device: throw .omission(.device)
        }
        // The restriction is checked before any error or omission that would reveal the entry to the peer.
        let (descriptor, status, kept, names) = try looking { () throws(SystemFailure) -> Sight in
            try kind == .file ? lookAtFile(index, of: top) : openFolder(index, of: top)
        }
        guard status.kind == kind else { throw .withheld(.unknown(.changed)) }
        guard !item.own.contains(status, named: levels[top].names.listing[index].name) else { throw .withheld(.own) }
        let restriction = try self.restriction(of: levels[top].folder).and(kept)
        try checkIsShown(restriction)
        let name = try name(index, of: top)
        let found = FoundEntry(
            name, at: .below(levels[top].folder, name), in: levels[top].entry, status, opened: descriptor,
            for: restriction, names)
        guard kind == .folder, let descriptor else { return emit(found) }
        if levels.count >= TreeEntry.maximumFolders { throw .omission(.tooDeep) }
        return try translating(enter(found, descriptor)) { (error: SystemFailure) in skip(because: error) }
    }

    private func name(_ index: Int, of top: Int) throws(Skip) -> FileName {
        try translating(levels[top].names.listing.fileName(index)) { (error: NameRefusal) in
            Skip.omission(error == .reserved ? .partial : .name)
        }
    }

    private func kind(_ index: Int, of top: Int) throws(Skip) -> FileStatus.Kind {
        if let kind = levels[top].names.listing.kind(index) { return kind }
        return try looking { () throws(SystemFailure) -> FileStatus in try status(index, of: top) }.kind
    }

    private func status(_ index: Int, of top: Int) throws(SystemFailure) -> FileStatus {
        try levels[top].names.listing.withName(index) { name throws(SystemFailure) in
            try item.storage.status(of: name, in: levels[top].descriptor)
        }
    }

    private typealias Sight = (Descriptor?, FileStatus, Restriction, AttributeNames)

    private func lookAtFile(_ index: Int, of top: Int) throws(SystemFailure) -> Sight {
        let folder = levels[top].descriptor
        let storage = item.storage
        return try levels[top].names.listing.withName(index) { name throws(SystemFailure) -> Sight in
            if options.looking, !options.attributes, storage.readsAttributesByName {
                let status = try storage.status(of: name, in: folder)
                let names = AttributeNames(of: status, on: levels[top].listingDevice) { (names) throws(SystemFailure) in
                    try storage.listAttributes(of: name, in: folder, into: names)
                }
                // The call for the mark also tells a file that may not be read.
                guard names.mayHold(StoredVisibility.attribute) || status.mode & 0o444 != 0o444 else {
                    return (nil, status, .everyone, names)
                }
                return (nil, status, try StoredVisibility.read(name, in: folder, by: storage), names)
            }
            let file = try storage.openFile(name, in: folder)
            let status = try storage.status(of: file)
            let names = AttributeNames(of: status, on: levels[top].listingDevice) { (names) throws(SystemFailure) in
                try storage.listAttributes(of: file, into: names)
            }
            guard names.mayHold(StoredVisibility.attribute) else { return (file, status, .everyone, names) }
            return (file, status, try StoredVisibility.read(file, by: storage), names)
        }
    }

    private func openFolder(_ index: Int, of top: Int) throws(SystemFailure) -> Sight {
        let above = levels[top].descriptor
        let storage = item.storage
        let folder = try levels[top].names.listing.withName(index) { name throws(SystemFailure) in
            try storage.openFolder(name, in: above)
        }
        return (folder, try storage.status(of: folder), try StoredVisibility.read(folder, by: storage), .unknown)
    }

    private mutating func link(_ index: Int, of top: Int) throws(Skip) -> SourceEntry {
        let status = try looking { () throws(SystemFailure) -> FileStatus in try self.status(index, of: top) }
        let target = try looking { () throws(SystemFailure) -> [UInt8] in
            try levels[top].names.listing.withName(index) { name throws(SystemFailure) in
                try item.storage.linkTarget(of: name, in: levels[top].descriptor)
            }
        }
        guard let target = try? LinkTarget(target), target.staysInside(fromDepth: levels.count - 1) else {
            // A copy of a folder has such a link in the place of own files.
            if target.first == UInt8(ascii: "/"), item.own.hold(String(decoding: target, as: UTF8.self), lent: true) {
                throw .withheld(.own)
            }
            throw .omission(.linkLeavesItem)
        }
        let folders = levels.map(\.descriptor)
        let above = try self.restriction(of: levels[top].folder)
        let restriction = LinkTrail(from: folders, for: above, by: item.storage).follow(target)
        try checkIsShown(restriction)
        let name = try name(index, of: top)
        let found = FoundEntry(
            name, at: .below(levels[top].folder, name), in: levels[top].entry, status, opened: nil,
            for: above)
        return entry(.symbolicLink(target), found)
    }

    // MARK: - Entries

    private mutating func emit(_ found: FoundEntry) -> SourceEntry {
        var isLinkTarget = false
        if options.hardLinks, case .below(let folder, _) = found.place {
            switch links.find(found.status, for: found.restriction, in: folder.restriction) {
            case .single: break
            case .first:
                links.remember(found.status, for: found.restriction, as: nextIndex)
                isLinkTarget = true
            case .another(let index): return entry(.hardLink(to: index), found)
            case .lost: omit(found.place, .hardLink)
            }
        }
        var file: SourceFile?
        if let descriptor = found.descriptor, !options.looking || nextIndex == 0 {
            file = SourceFile(descriptor, found.status, size: found.size, at: found.place)
        }
        let attributes = attributes(of: found)
        return entry(
            .file(size: found.size), found, isLinkTarget: isLinkTarget, attributes: attributes, file: file,
            sample: file == nil ? sample(of: found) : nil)
    }

    private mutating func enter(_ found: FoundEntry, _ descriptor: Descriptor) throws(SystemFailure) -> SourceEntry {
        let names = try FolderNames(of: descriptor, chunk: chunk, through: buffer, by: item.storage)
        let attributes = attributes(of: found)
        let folder = SourceFolder(
            descriptor, found.status.identity, of: item, at: found.place, name: found.name,
            for: found.restriction)
        let device = item.storage.listsAllAttributes(in: descriptor) ? found.status.identity.device : nil
        levels.append(
            Level(folder: folder, descriptor: descriptor, entry: nextIndex, names: names, listingDevice: device))
        return entry(.folder, found, attributes: attributes)
    }

    private mutating func entry(
        _ kind: TreeEntry.Kind, _ found: FoundEntry, isLinkTarget: Bool = false, attributes: [FileAttribute] = [],
        file: SourceFile? = nil, sample: FileSample? = nil
    ) -> SourceEntry {
        defer { nextIndex += 1 }
        let entry = TreeEntry(
            index: nextIndex, parent: found.parent, name: found.name, kind: kind,
            permissions: found.status.mode & 0o777, modified: found.status.modified, isLinkTarget: isLinkTarget,
            attributes: attributes, restriction: ownRestriction(of: found, kind))
        let contentSize = if case .file = kind { min(found.size, found.status.contentSize) } else { UInt64(0) }
        return SourceEntry(
            entry: entry, contentSize: contentSize, file: file, sample: sample, identity: found.status.identity,
            place: found.place)
    }

    /// Returns a sample of a file that is only looked at. One that has not changed lately is unlikely to grow before it
    /// is opened.
    private func sample(of found: FoundEntry) -> FileSample? {
        guard found.status.modified.seconds >= FileTime.now.seconds - Self.lately else { return nil }
        let storage = item.storage
        guard
            let file = try? found.descriptor
                ?? levels.last.map({ try storage.openFile(found.name.text, in: $0.descriptor) })
        else { return nil }
        return FileSample(of: file, size: found.size, by: storage)
    }

    /// Returns the restriction that an entry carries: nil for one that is restricted as its folder is, and for another
    /// name of a file.
    private func ownRestriction(of found: FoundEntry, _ kind: TreeEntry.Kind) -> Restriction? {
        guard case .below(let folder, _) = found.place, found.restriction != folder.restriction else { return nil }
        if case .hardLink = kind { return nil }
        return found.restriction
    }

    /// Returns the attributes that a file or folder is sent with. Unsent properties are reported.
    private mutating func attributes(of found: FoundEntry) -> [FileAttribute] {
        let source = sourceAttributes(of: found)
        var losses = source.losses
        if found.status.mode & ~0o777 != 0 { losses.insert(.mode) }
        for loss in [Loss.Reason.mode, .attributes] where losses.contains(loss) { omit(found.place, loss) }
        return source.attributes
    }

    private func sourceAttributes(of found: FoundEntry) -> SourceAttributes {
        let storage = item.storage
        if found.attributeNames.isNone { return SourceAttributes() }
        if let descriptor = found.descriptor {
            if options.attributes { return SourceAttributes(of: descriptor, by: storage) }
            return SourceAttributes(notCarried: { (names) throws(SystemFailure) in
                try storage.listAttributes(of: descriptor, into: names)
            })
        }
        guard let folder = levels.last?.descriptor else { preconditionFailure("An item that was not opened") }
        return SourceAttributes(notCarried: { (names) throws(SystemFailure) in
            try storage.listAttributes(of: found.name.text, in: folder, into: names)
        })
    }

    // MARK: - Folders

    /// Number of names to read at a time.
    private var chunk: Int {
        let bytes = levels.reduce(0) { $0 + $1.names.listing.bytes }
        return bytes < FolderNames.maximumBytes ? FolderNames.usualChunk : FolderNames.smallChunk
    }

    /// Reads the next names of the last folder, or leaves it if there are none.
    private mutating func goOn(_ top: Int) throws(Skip) {
        if levels[top].names.isAtEnd { return leave() }
        let remembered = levels.reduce(0) { $0 + $1.names.remembered }
        let chunk = chunk
        do throws(SystemFailure) {
            // Names beyond the maximum are compared with those before it alone.
            try levels[top].names.advance(
                chunk: chunk, isRemembering: remembered < SeenNames.maximum, through: buffer)
            levels[top].next = 0
        } catch {
            let skip = skip(because: error)
            guard case .omission(let reason) = skip else { throw skip }
            let path = levels[top].folder.path.dropLast()
            report.add(reason, at: Array(path.utf8))
            leave()
        }
    }

    private mutating func leave() {
        guard let level = levels.popLast() else { return }
        if options.looking { item.recent.keep(level.folder) } else { level.folder.letGo() }
    }

    private func path(_ index: Int, of top: Int) -> [UInt8] {
        Array(levels[top].folder.path.utf8) + levels[top].names.listing[index].name
    }
}
