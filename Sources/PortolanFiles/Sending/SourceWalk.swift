import Glibc
import PortolanTrust

/// The walk itself: where it stands in each folder on the way down.
struct SourceWalk: Sendable {
    private struct Level: Sendable {
        let folder: Descriptor
        let names: DirectoryListing
        var next = 0
        let entry: UInt32
        /// The folder's path below the item with a closing `/`; empty for the item itself.
        let path: String
    }

    var report = FidelityReport()
    private var pending: SourceEntry?
    private var levels: [Level] = []
    private var nextIndex: UInt32 = 0
    private let shownPath: String
    private let shownTo: Restriction
    private let features: KernelFeatures

    init(
        _ root: Descriptor, _ status: FileStatus, name: FileName, shownPath: String, shownTo shown: Restriction,
        features: KernelFeatures
    ) throws(SystemFailure) {
        self.shownPath = shownPath
        shownTo = shown
        self.features = features
        if status.kind == .folder {
            pending = try enter(root, status, name: name, path: "", parent: 0)
        } else {
            pending = emit(file: root, status, name: name, path: "", parent: 0)
        }
    }

    mutating func next() throws(FileError) -> SourceEntry? {
        if let entry = pending {
            pending = nil
            return entry
        }
        while var level = levels.popLast() {
            let index = level.next
            guard index < level.names.count else { continue }
            level.next += 1
            levels.append(level)
            do throws(Skip) {
                return try examine(index, of: level)
            } catch {
                switch error {
                case .omission(let reason):
                    let omission = Omission(path: shownName(index, of: level), reason: reason)
                    report.add(omission)
                case .fatal(let failure): throw .reading(DisplayText(shownPath), failure)
                }
            }
        }
        return nil
    }

    private enum Skip: Error {
        case omission(Omission.Reason)
        case fatal(SystemFailure)

        init(_ failure: SystemFailure) {
            switch failure.reason {
            case .missing: self = .omission(.vanished)
            // It was a file or folder a moment ago and is a link or something else now.
            case .inTheWay: self = .omission(.changed)
            case .descriptors: self = .fatal(failure)
            default: self = .omission(.unreadable)
            }
        }
    }

    private mutating func examine(_ index: Int, of level: Level) throws(Skip) -> SourceEntry {
        let name: FileName
        do throws(NameRefusal) {
            name = try FileName(level.names[index].name)
        } catch {
            throw .omission(error == .reserved ? .partial : .name)
        }
        let kind = try self.kind(index, of: level)
        switch kind {
        case .file, .folder: break
        case .symbolicLink: return try link(index, of: level, name)
        case .pipe: throw .omission(.pipe)
        case .socket: throw .omission(.socket)
        case .device: throw .omission(.device)
        }
        if kind == .folder, levels.count > TreeEntry.maximumDepth { throw .omission(.tooDeep) }
        let (opened, status) = try skipping { () throws(SystemFailure) -> (Descriptor, FileStatus) in
            try open(index, of: level, kind)
        }
        guard status.kind == kind else { throw .omission(.changed) }
        let kept = try skipping { () throws(SystemFailure) -> Restriction in try StoredVisibility.read(opened) }
        guard kept.allows(shownTo) else { throw .omission(.visibility) }
        let path = level.path + name.text
        if kind == .file { return emit(file: opened, status, name: name, path: path, parent: level.entry) }
        do throws(SystemFailure) {
            return try enter(opened, status, name: name, path: path, parent: level.entry)
        } catch {
            throw Skip(error)
        }
    }

    private func kind(_ index: Int, of level: Level) throws(Skip) -> FileStatus.Kind {
        if let kind = level.names[index].kind { return kind }
        return try skipping { () throws(SystemFailure) -> FileStatus in try examined(index, of: level) }.kind
    }

    private func skipping<Result>(_ call: () throws(SystemFailure) -> Result) throws(Skip) -> Result {
        do throws(SystemFailure) {
            return try call()
        } catch {
            throw Skip(error)
        }
    }

    private func examined(_ index: Int, of level: Level) throws(SystemFailure) -> FileStatus {
        try level.names.withName(index) { name throws(SystemFailure) in try level.folder.status(of: name) }
    }

    private func open(
        _ index: Int, of level: Level, _ kind: FileStatus.Kind
    ) throws(SystemFailure) -> (Descriptor, FileStatus) {
        // Should it have become a pipe, O_NONBLOCK keeps us from waiting for its other end.
        let flags = kind == .folder ? O_RDONLY | O_DIRECTORY : O_RDONLY | O_NONBLOCK
        let opened = try level.names.withName(index) { name throws(SystemFailure) in
            try Beneath.open(name, in: level.folder, flags, features: features)
        }
        return (opened, try opened.status())
    }

    private mutating func link(_ index: Int, of level: Level, _ name: FileName) throws(Skip) -> SourceEntry {
        let status = try skipping { () throws(SystemFailure) -> FileStatus in try examined(index, of: level) }
        let target = try skipping { () throws(SystemFailure) -> [UInt8] in
            try level.names.withName(index) { name throws(SystemFailure) in try level.folder.linkTarget(of: name) }
        }
        guard let target = try? LinkTarget(target), target.staysInside(fromDepth: levels.count - 1) else {
            throw .omission(.linkLeavesItem)
        }
        let entry = entry(.symbolicLink(target), status, name: name, parent: level.entry)
        return SourceEntry(entry: entry, file: nil, path: level.path + name.text)
    }

    private mutating func emit(
        file: Descriptor, _ status: FileStatus, name: FileName, path: String, parent: UInt32
    ) -> SourceEntry {
        let shown = path.isEmpty ? shownPath : shownPath + "/" + path
        let entry = entry(.file(size: status.size), status, name: name, parent: parent)
        return SourceEntry(entry: entry, file: SourceFile(file, status, path: shown), path: path)
    }

    private mutating func enter(
        _ folder: Descriptor, _ status: FileStatus, name: FileName, path: String, parent: UInt32
    ) throws(SystemFailure) -> SourceEntry {
        let names = try DirectoryListing(of: folder)
        let entry = entry(.folder, status, name: name, parent: parent)
        levels.append(
            Level(folder: folder, names: names, entry: entry.index, path: path.isEmpty ? "" : path + "/"))
        return SourceEntry(entry: entry, file: nil, path: path)
    }

    private mutating func entry(
        _ kind: TreeEntry.Kind, _ status: FileStatus, name: FileName, parent: UInt32
    ) -> TreeEntry {
        defer { nextIndex += 1 }
        return TreeEntry(
            index: nextIndex, parent: parent, name: name, kind: kind, permissions: status.mode & 0o777,
            modified: status.modified)
    }

    private func shownName(_ index: Int, of level: Level) -> DisplayText {
        DisplayText(bytes: Array(level.path.utf8) + level.names[index].name, limit: 1024)
    }
}
