import FilesTestSupport
import Glibc
import PortolanFiles
import Synchronization

/// The machine's disk, with a hook before each rename, an end of the process at a chosen call, and a call that fails.
final class WatchedStorage: PassThroughStorage {
    private let hook = Mutex<(@Sendable (_ name: String, MoveManner) -> Void)?>(nil)

    /// - Parameter body: gets the name that is moved to, before each move.
    func beforeMove(_ body: (@Sendable (_ name: String, MoveManner) -> Void)?) { hook.withLock { $0 = body } }

    func move(
        _ name: String, in folder: Descriptor, to other: String, in otherFolder: Descriptor, _ manner: MoveManner
    ) throws(SystemFailure) {
        hook.withLock { $0 }?(other, manner)
        try change()
        try disk.move(name, in: folder, to: other, in: otherFolder, manner)
    }

    private let looking = Mutex<(@Sendable (_ name: String) -> Void)?>(nil)

    /// - Parameter body: gets each name in a folder whose status is read, before that.
    func beforeLook(_ body: (@Sendable (_ name: String) -> Void)?) { looking.withLock { $0 = body } }

    private let refused = Mutex<Set<String>>([])

    /// Files and folders with these names cannot be opened.
    func refuse(_ names: Set<String>) { refused.withLock { $0 = names } }

    private func check(_ name: UnsafePointer<CChar>) throws(SystemFailure) {
        if refused.withLock({ $0.contains(String(cString: name)) }) { throw SystemFailure(EACCES) }
    }

    private let full = Mutex(false)

    /// Lets no file grow, or all again.
    func fill(_ isFull: Bool) { full.withLock { $0 = isFull } }

    private let room = Mutex<Int?>(nil)

    /// Leaves room for so many bytes, to which those of removed files are added; nil for no limit.
    func leaveRoom(_ bytes: Int?) { room.withLock { $0 = bytes } }

    /// - Returns: false if there is no room.
    private func takeRoom(_ bytes: Int) -> Bool {
        room.withLock { room in
            guard let left = room else { return true }
            guard left >= bytes else { return false }
            room = left - bytes
            return true
        }
    }

    private let mounted = Mutex<UInt64?>(nil)

    /// Makes one folder look as if another file system were mounted on it; none for nil.
    func mount(on path: String?) {
        let inode = path.flatMap { try? disk.status(ofPath: $0) }?.identity.inode
        mounted.withLock { $0 = inode }
    }

    /// Calls that change something until the process ends; nil if it does not.
    private let rest = Mutex<Int?>(nil)

    /// Lets a number of calls change something; all later calls fail, as after the end of the process.
    func end(after calls: Int) { rest.withLock { $0 = calls } }

    var hasEnded: Bool { rest.withLock { $0 ?? 0 } < 0 }

    /// The next call of a kind that fails, once.
    private struct Fault {
        let call: String
        /// Calls of this kind until then.
        var rest: Int
        let error: Int32
    }

    private let fault = Mutex<Fault?>(nil)
    private let counts = Mutex<[String: Int]>([:])

    /// Number of calls of each kind since the last ``fail(_:number:with:)``.
    var calls: [String: Int] { counts.withLock(\.self) }

    /// Lets one call fail.
    ///
    /// - Parameters:
    ///   - call: kind of the call, as in ``calls``; nil for none.
    ///   - number: 1 for the next call of the kind.
    func fail(_ call: String?, number: Int = 1, with error: Int32 = EIO) {
        counts.withLock { $0 = [:] }
        fault.withLock { $0 = call.map { Fault(call: $0, rest: number, error: error) } }
    }

    private func count(_ call: String) throws(SystemFailure) {
        counts.withLock { $0[call, default: 0] += 1 }
        let error = fault.withLock { fault -> Int32? in
            guard fault?.call == call else { return nil }
            fault?.rest -= 1
            guard let one = fault, one.rest == 0 else { return nil }
            return one.error
        }
        if let error { throw SystemFailure(error) }
    }

    private func change(_ call: String = #function) throws(SystemFailure) {
        try count(call)
        let isOver = rest.withLock { rest in
            guard let left = rest else { return false }
            rest = max(left - 1, -1)
            return left <= 0
        }
        if isOver { throw SystemFailure(EIO) }
    }

    private func look(_ call: String = #function) throws(SystemFailure) {
        try count(call)
        if hasEnded { throw SystemFailure(EIO) }
    }

    // MARK: As the disk does, while there is a process

    func makeFile(_ name: String, in folder: Descriptor, mode: UInt32) throws(SystemFailure) -> Descriptor {
        try change()
        return try disk.makeFile(name, in: folder, mode: mode)
    }
    func reopenFile(_ name: String, in folder: Descriptor) throws(SystemFailure) -> Descriptor {
        try look()
        return try disk.reopenFile(name, in: folder)
    }
    func makeFolder(_ name: String, in folder: Descriptor, mode: UInt32) throws(SystemFailure) {
        try change()
        try disk.makeFolder(name, in: folder, mode: mode)
    }
    func makeLink(_ name: String, to target: String, in folder: Descriptor) throws(SystemFailure) {
        try change()
        try disk.makeLink(name, to: target, in: folder)
    }
    func link(_ name: String, in folder: Descriptor, as other: String, in otherFolder: Descriptor) throws(SystemFailure)
    {
        try change()
        try disk.link(name, in: folder, as: other, in: otherFolder)
    }
    func remove(_ name: UnsafePointer<CChar>, in folder: Descriptor, isFolder: Bool) throws(SystemFailure) {
        try change()
        let size = isFolder ? 0 : (try? disk.status(of: name, in: folder))?.size ?? 0
        try disk.remove(name, in: folder, isFolder: isFolder)
        room.withLock { $0 = $0.map { $0 + Int(size) } }
    }
    func write(_ bytes: UnsafeRawBufferPointer, to file: Descriptor, at offset: UInt64) throws(SystemFailure) {
        try change()
        if full.withLock({ $0 }) || !takeRoom(bytes.count) { throw SystemFailure(ENOSPC) }
        try disk.write(bytes, to: file, at: offset)
    }
    func setModified(_ time: FileTime, of file: Descriptor) throws(SystemFailure) {
        try change()
        try disk.setModified(time, of: file)
    }
    func setPermissions(_ mode: UInt16, of file: Descriptor) throws(SystemFailure) {
        try change()
        try disk.setPermissions(mode, of: file)
    }
    func sync(_ file: Descriptor) throws(SystemFailure) {
        try change()
        try disk.sync(file)
    }
    func syncAll(_ file: Descriptor) throws(SystemFailure) {
        try change()
        try disk.syncAll(file)
    }
    func open(path: String) throws(SystemFailure) -> Descriptor {
        try look()
        return try disk.open(path: path)
    }
    func openFile(_ name: UnsafePointer<CChar>, in folder: Descriptor) throws(SystemFailure) -> Descriptor {
        try look()
        try check(name)
        return try disk.openFile(name, in: folder)
    }
    func openFolder(_ name: UnsafePointer<CChar>, in folder: Descriptor) throws(SystemFailure) -> Descriptor {
        try look()
        try check(name)
        return try disk.openFolder(name, in: folder)
    }
    func status(of name: UnsafePointer<CChar>, in folder: Descriptor) throws(SystemFailure) -> FileStatus {
        looking.withLock { $0 }?(String(cString: name))
        try look()
        return try disk.status(of: name, in: folder)
    }
    func linkTarget(of name: UnsafePointer<CChar>, in folder: Descriptor) throws(SystemFailure) -> [UInt8] {
        try look()
        return try disk.linkTarget(of: name, in: folder)
    }
    func list(_ folder: Descriptor, into records: UnsafeMutableRawBufferPointer) throws(SystemFailure) -> Int {
        try look()
        return try disk.list(folder, into: records)
    }
    func status(of file: Descriptor) throws(SystemFailure) -> FileStatus {
        try look()
        return try disk.status(of: file)
    }
    func read(
        _ file: Descriptor, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
    ) throws(SystemFailure) -> Int {
        try look()
        return try disk.read(file, into: buffer, at: offset)
    }
    func generation(of file: Descriptor) -> UInt64 { disk.generation(of: file) }
    private let leases = Mutex(true)

    /// Lets the system tell if a file is open for writing, or not.
    func tellWriters(_ tells: Bool) { leases.withLock { $0 = tells } }

    func isWritten(_ file: Descriptor) -> Bool? { leases.withLock { $0 } ? disk.isWritten(file) : nil }
    func fileSystem(of file: Descriptor) -> UInt64 { disk.fileSystem(of: file) }
    func isMountRoot(_ folder: Descriptor) -> Bool {
        if disk.isMountRoot(folder) { return true }
        guard let inode = mounted.withLock({ $0 }) else { return false }
        return (try? disk.status(of: folder))?.identity.inode == inode
    }
}
