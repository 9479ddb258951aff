import Glibc
import PortolanFiles
import PortolanSyncPlan

/// Watches on a folder and all folders below it, updated as they appear and vanish. Used by one thread.
struct WatchTree {
    enum News { case nothing, changed, overflow, gone }

    private static let bufferBytes = 64 << 10
    private static let headerBytes = 16

    private let root: Descriptor
    private let own: OwnFiles
    private let queue: Descriptor
    private let events: UInt32
    private let calls: WatchCalls
    private var device: UInt64 = 0
    private var rootNumber: CInt = -1
    private var folders = WatchedFolders(root: -1)
    private var isBegun = false
    /// Changed folders, by their watches.
    private var changed: Set<CInt> = []
    private var buffer = [UInt8](repeating: 0, count: bufferBytes)

    init(root: Descriptor, own: OwnFiles, queue: Descriptor, events: UInt32, calls: WatchCalls) {
        self.root = root
        self.own = own
        self.queue = queue
        self.events = events
        self.calls = calls
    }

    /// Watches all folders.
    mutating func begin() throws(SystemFailure) {
        device = try KernelStorage().status(of: root).identity.device
        rootNumber = try watch(root)
        folders = WatchedFolders(root: rootNumber)
        try enter(root, rootNumber, depth: 0)
        isBegun = true
    }

    /// Removes the watches of folders that were moved away.
    mutating func removeMoved() {
        for number in folders.takeMoved() { inotify_rm_watch(queue.number, number) }
    }

    /// Returns the folders that changed since the last call. Folders that were moved away are omitted, because their
    /// former parents have changed, too.
    mutating func takeChanges() -> FolderChanges {
        defer { changed = [] }
        return FolderChanges(changed.compactMap { folders.path(of: $0) })
    }

    // MARK: Folders

    private func watch(_ folder: Descriptor) throws(SystemFailure) -> CInt {
        // The path ends with a dot behind the descriptor, so that it is this folder in spite of renames.
        try calls.add(queue.number, "/proc/self/fd/\(folder.number)/.", events)
    }

    private static func open(_ name: String, in folder: Descriptor) throws(SystemFailure) -> Descriptor? {
        let number = openat(folder.number, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else {
            switch errno {
            // An unreadable folder is not synchronized, and a vanished one has an event of its own.
            case ENOENT, ENOTDIR, ELOOP, EACCES, EPERM: return nil
            default: throw SystemFailure(errno)
            }
        }
        return Descriptor(owning: number)
    }

    /// Watches the folders inside a watched folder; later ones cause an event.
    private mutating func enter(_ folder: Descriptor, _ number: CInt, depth: Int) throws(SystemFailure) {
        guard depth < FolderScan.maximumDepth, let own = try Self.open(".", in: folder) else { return }
        let copy = dup(own.number)
        guard copy >= 0 else { throw SystemFailure(errno) }
        guard let listing = fdopendir(copy) else {
            close(copy)
            throw SystemFailure(errno)
        }
        var names: [String] = []
        while let entry = readdir(listing) {
            guard [UInt8(DT_DIR), UInt8(DT_UNKNOWN)].contains(entry.pointee.d_type) else { continue }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
            }
            if let name, name != ".", name != ".." { names.append(name) }
        }
        closedir(listing)
        for name in names { try add(name, in: folder, number, depth: depth) }
    }

    private mutating func add(
        _ name: String, in folder: Descriptor, _ parent: CInt, depth: Int
    ) throws(SystemFailure) {
        if ControlFolder.isReserved(SyncName(name)) || !isWatched(name, in: parent) { return }
        guard let below = try Self.open(name, in: folder) else { return }
        let identity = try KernelStorage().status(of: below).identity
        guard identity.device == device, !own.contains(identity) else { return }
        let number: CInt
        do throws(SystemFailure) {
            number = try watch(below)
        } catch {
            if [ENOENT, EACCES].contains(error.number) { return }
            throw error
        }
        folders.set(number, name, in: parent)
        // The folder may have changed between the reading and the start of the watch.
        if isBegun { changed.insert(number) }
        try enter(below, number, depth: depth + 1)
    }

    private func isWatched(_ name: String, in parent: CInt) -> Bool {
        folders.path(of: parent).map { GitFolder.isWatched(name, in: $0) } ?? true
    }

    /// Watches a folder that appeared in a watched one, by a path of descriptors.
    private mutating func come(_ name: String, in parent: CInt) throws(SystemFailure) {
        guard let path = folders.path(of: parent) else { return }
        var folder = root
        for part in path {
            guard let next = try Self.open(part, in: folder) else { return }
            folder = next
        }
        // Another folder may be at the path by now.
        guard path.isEmpty || (try? watch(folder)) == parent else { return }
        try add(name, in: folder, parent, depth: path.count)
    }

    // MARK: Events

    /// Reads the pending events.
    mutating func read() throws(SystemFailure) -> News {
        let count = buffer.withUnsafeMutableBytes { calls.read(queue.number, $0) }
        guard count > 0 else {
            guard count < 0, [EAGAIN, EINTR].contains(errno) else { throw SystemFailure(count < 0 ? errno : EIO) }
            return .nothing
        }
        var news = News.nothing
        var place = 0
        while place + Self.headerBytes <= count {
            let (number, mask, length) = buffer.withUnsafeBytes { bytes in
                (
                    bytes.loadUnaligned(fromByteOffset: place, as: CInt.self),
                    bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self),
                    Int(bytes.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self))
                )
            }
            let start = place + Self.headerBytes
            place = start + length
            guard place <= count else { throw SystemFailure(EIO) }
            let name = String(decoding: buffer[start..<place].prefix { $0 != 0 }, as: UTF8.self)
            switch try take(number, mask, name) {
            case .nothing: break
            case .changed: news = .changed
            case .overflow: return .overflow
            case .gone: return .gone
            }
        }
        return news
    }

    private mutating func take(_ number: CInt, _ mask: UInt32, _ name: String) throws(SystemFailure) -> News {
        func has(_ event: Int) -> Bool { mask & UInt32(event) != 0 }
        if has(Int(IN_Q_OVERFLOW)) { return .overflow }
        if number == rootNumber {
            let ends = Int(IN_DELETE_SELF) | Int(IN_MOVE_SELF) | Int(IN_UNMOUNT) | Int(IN_IGNORED)
            if has(ends) { return .gone }
            if ControlFolder.isReserved(SyncName(name)) { return .nothing }
        }
        if has(Int(IN_IGNORED)) {
            folders.remove(number)
            changed.remove(number)
            return .nothing
        }
        guard folders.contains(number) else { return .nothing }
        if has(Int(IN_ISDIR)) {
            if has(Int(IN_MOVED_FROM)) { folders.leave(name, in: number) }
            if has(Int(IN_CREATE) | Int(IN_MOVED_TO)) { try come(name, in: number) }
            // A folder that was unreadable may be readable now.
            if has(Int(IN_ATTRIB)), !name.isEmpty, !folders.contains(name, in: number) { try come(name, in: number) }
        }
        changed.insert(number)
        return .changed
    }
}
