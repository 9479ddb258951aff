import Glibc
import PortolanFiles
import PortolanSyncModel

/// Reads the shared folder through descriptors that it holds, in the order of the names' bytes, and compares it with what was known.
///
/// Links are not followed, and no other file system is entered. Content is read only where the system says something new of a file.
struct FolderScan: ~Copyable {
    /// Most folders of one path.
    static let maximumDepth = 256

    private let storage: any ReadableStorage
    private let index: FolderIndex
    private let root: Descriptor
    private let control: ControlFolder
    private let look: FileLook
    private let buffer = DirectoryReader.Buffer()

    private var result = ScanResult()
    private var visited: Set<Handle> = []
    private var device: UInt64 = 0

    /// One folder on the way down.
    private struct Level {
        var descriptor: Descriptor
        var handle: Handle
        var path: [Name]
        var rules: IgnoreRules
        /// New entries in it are ignored.
        var isIgnored: Bool
        /// Its entries are not below the root.
        var isParked = false
    }

    init(
        _ root: Descriptor, _ control: ControlFolder, _ index: FolderIndex, now: @escaping @Sendable () -> FileTime
    ) {
        self.root = root
        self.control = control
        self.index = index
        storage = control.storage
        look = FileLook(storage: control.storage, now: now)
    }
}

// Because of its buffer a scan is made once and handed to nobody.
extension FolderScan {
    /// - Throws: if the root cannot be read, or the index.
    mutating func run() throws(SyncError) -> ScanResult {
        let handle: Handle
        do throws(SystemFailure) {
            let status = try storage.status(of: root)
            device = status.identity.device
            handle = Handle(status.identity.inode, generation: storage.generation(of: root))
        } catch { throw .folder(error, "read the folder") }
        visited.insert(handle)
        let top = Level(descriptor: root, handle: handle, path: [], rules: IgnoreRules(), isIgnored: false)
        guard try enter(top) else { throw .folder(SystemFailure(EIO), "read the folder") }
        try readParked()
        let known = try index.transact { $0.knownFolders }
        let inodes = Set(visited.map(\.number))
        result.goneFolders = known.filter { !inodes.contains($0) }.sorted()
        if !result.goneFolders.isEmpty { result.isChanged = true }
        return result
    }

    /// - Returns: false if the folder cannot be read.
    private mutating func enter(_ level: Level) throws(SyncError) -> Bool {
        let listing: DirectoryListing
        do throws(SystemFailure) {
            var reader = DirectoryReader(try storage.openFolder(".", in: level.descriptor), by: storage)
            listing = try reader.next(.max, through: buffer)
        } catch {
            fail(level.path, error)
            return false
        }
        var level = level
        var known = try index.transact { $0.files(in: level.handle.number) }
        if !level.isParked { readRules(&level) }
        for position in 0..<listing.count {
            guard let text = try? listing.fileName(position).text else {
                result.skip(level.path, .name)
                continue
            }
            let name = Name(text)
            if level.path.isEmpty, !level.isParked, ControlFolder.isReserved(name) { continue }
            try take(name, level, known.removeValue(forKey: name))
        }
        for name in known.keys.sorted() {
            result.gone.append(FilePlace(folder: level.handle.number, name: name))
            result.isChanged = true
        }
        return true
    }

    private func readRules(_ level: inout Level) {
        do throws(SystemFailure) {
            guard try storage.status(of: IgnoreRules.fileName, in: level.descriptor).kind == .file else { return }
            let file = try storage.openFile(IgnoreRules.fileName, in: level.descriptor)
            let bytes = try storage.read(file, at: 0, count: IgnoreRules.maximumBytes + 1)
            if bytes.count <= IgnoreRules.maximumBytes { level.rules.add(bytes, depth: level.path.count) }
        } catch {
            // Without the file nothing is ignored.
        }
    }

    /// A part of the folder cannot be seen: what is not found counts for nothing.
    private mutating func fail(_ path: [Name], _ failure: SystemFailure) {
        result.skip(path, .unreadable(failure.text))
        result.observation.isComplete = false
    }

    private mutating func skip(_ path: [Name], _ reason: SkippedFile.Reason, _ known: KnownFile?) {
        result.skip(path, reason)
        if known != nil { result.observation.isComplete = false }
    }

    // MARK: Files

    private mutating func take(_ name: Name, _ level: Level, _ known: KnownFile?) throws(SyncError) {
        let path = level.path + [name]
        let status: FileStatus
        do throws(SystemFailure) {
            status = try storage.status(of: name.text, in: level.descriptor)
        } catch {
            if error.number == ENOENT { vanish(name, level, known) } else { fail(path, error) }
            return
        }
        guard let stamp = FileStamp(status) else {
            result.skip(path, .special)
            vanish(name, level, known)
            return
        }
        if status.identity.device != device {
            skip(path, .mount, known)
            return
        }
        let isFolder = stamp.kind == .folder
        let isIgnored =
            level.isIgnored
            || !level.isParked && !level.rules.isEmpty
                && level.rules.ignores(path.map { Array($0.text.utf8) }, isFolder: isFolder)
        if isIgnored, known == nil { return }
        if isFolder {
            try takeFolder(name, level, stamp, known, isIgnored)
            return
        }
        if let known, known.stamp == stamp, !known.isRacy {
            add(known, name, level, known)
            return
        }
        do throws(SystemFailure) {
            switch try look.read(name, in: level.descriptor) {
            case .known(let read): add(read, name, level, known)
            case .busy: leave(name, level, stamp, known, .busy)
            case .gone:
                result.isRacy = true
                if known != nil { result.observation.isComplete = false }
            }
        } catch { leave(name, level, stamp, known, .unreadable(error.text)) }
    }

    /// A file that is there and cannot be read now: it counts as unchanged.
    private mutating func leave(
        _ name: Name, _ level: Level, _ stamp: FileStamp, _ known: KnownFile?, _ reason: SkippedFile.Reason
    ) {
        if reason == .busy { result.isRacy = true }
        guard let known, known.stamp.inode == stamp.inode, known.stamp.kind == stamp.kind else {
            skip(level.path + [name], reason, known)
            return
        }
        result.skip(level.path + [name], reason)
        add(known, name, level, known)
    }

    private mutating func vanish(_ name: Name, _ level: Level, _ known: KnownFile?) {
        guard known != nil else { return }
        result.gone.append(FilePlace(folder: level.handle.number, name: name))
        result.isChanged = true
    }

    private mutating func add(_ file: KnownFile, _ name: Name, _ level: Level, _ known: KnownFile?) {
        result.observation.found.append(
            Observed(
                handle: file.handle, parent: level.handle, name: name, kind: file.stamp.kind, form: file.form,
                size: file.stamp.size, modified: file.stamp.modified.seconds))
        if file.isRacy { result.isRacy = true }
        let isSame = known?.form == file.form && known?.handle == file.handle && known?.stamp.kind == file.stamp.kind
        if !isSame { result.isChanged = true }
        if known != file { result.updates.append((FilePlace(folder: level.handle.number, name: name), file)) }
    }

    // MARK: Folders

    private mutating func takeFolder(
        _ name: Name, _ level: Level, _ stamp: FileStamp, _ known: KnownFile?, _ isIgnored: Bool
    ) throws(SyncError) {
        let path = level.path + [name]
        guard path.count < Self.maximumDepth else {
            skip(path, .tooDeep, known)
            return
        }
        let descriptor: Descriptor
        let generation: UInt64
        do throws(SystemFailure) {
            descriptor = try storage.openFolder(name.text, in: level.descriptor)
            let identity = try storage.status(of: descriptor).identity
            generation = storage.generation(of: descriptor)
            // Something was mounted or exchanged meanwhile.
            guard identity.inode == stamp.inode, identity.device == device, !storage.isMountRoot(descriptor) else {
                result.isRacy = true
                skip(path, .mount, known)
                return
            }
        } catch {
            skip(path, .unreadable(error.text), known)
            return
        }
        var stamp = stamp
        if let known, known.stamp.inode == stamp.inode, known.stamp.kind == .folder {
            // Its times say nothing that has to be remembered.
            stamp = known.stamp
        }
        let folder = KnownFile(stamp: stamp, generation: generation, isRacy: false, form: nil)
        guard visited.insert(folder.handle).inserted else {
            skip(path, .mount, known)
            return
        }
        add(folder, name, level, known)
        var below = level
        below.descriptor = descriptor
        below.handle = folder.handle
        below.path = path
        below.isIgnored = isIgnored
        _ = try enter(below)
    }

    // MARK: The staging folder

    /// Files that a crash left in the staging folder, and entries that are out of the way.
    private mutating func readParked() throws(SyncError) {
        let listing: DirectoryListing
        do throws(SystemFailure) {
            var reader = DirectoryReader(try storage.openFolder(".", in: control.staging), by: storage)
            listing = try reader.next(.max, through: buffer)
        } catch { throw .folder(error, "read the staging folder") }
        for position in 0..<listing.count {
            guard let text = try? listing.fileName(position).text, !text.hasPrefix(ControlFolder.partPrefix) else {
                continue
            }
            do throws(SystemFailure) {
                try takeParked(text)
            } catch { fail([Name(text)], error) }
        }
        let folders = result.observation.parked.filter { $0.kind == .folder }
        for folder in folders {
            guard let text = result.parkedNames[folder.handle],
                let descriptor = try? storage.openFolder(text, in: control.staging)
            else { continue }
            var level = Level(
                descriptor: descriptor, handle: folder.handle, path: [Name(text)], rules: IgnoreRules(),
                isIgnored: false)
            level.isParked = true
            visited.insert(folder.handle)
            _ = try enter(level)
        }
    }

    private mutating func takeParked(_ text: String) throws(SystemFailure) {
        let status = try storage.status(of: text, in: control.staging)
        guard let stamp = FileStamp(status), text != control.ownName(stamp.inode) else { return }
        var file = KnownFile(stamp: stamp, generation: 0, isRacy: true, form: nil)
        if stamp.kind == .folder {
            file.generation = storage.generation(of: try storage.openFolder(text, in: control.staging))
        } else {
            guard case .known(let read) = try look.read(Name(text), in: control.staging) else {
                throw SystemFailure(EBUSY)
            }
            file = read
        }
        result.isChanged = true
        result.parkedNames[file.handle] = text
        result.observation.parked.append(
            Observed(
                handle: file.handle, parent: Handle(0), name: Name(text), kind: stamp.kind, form: file.form,
                size: stamp.size, modified: stamp.modified.seconds))
    }
}
