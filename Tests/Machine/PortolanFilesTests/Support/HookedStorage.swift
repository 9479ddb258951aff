import FilesTestSupport
import Synchronization

@testable import PortolanFiles

/// The real disk, with a closure that runs before some calls.
final class HookedStorage: PassThroughStorage {
    private struct Hooks {
        var onWrite: @Sendable (Int) throws(SystemFailure) -> Void = { _ in }
        var onAttribute: @Sendable (String) -> Void = { _ in }
        var onSync: @Sendable () -> Void = {}
        var onMove: @Sendable (String) -> Void = { _ in }
    }

    private let hooks = Mutex(Hooks())

    /// - Parameter hook: called with the number of bytes before each write; the write fails if it throws.
    func onWrite(_ hook: @escaping @Sendable (Int) throws(SystemFailure) -> Void) {
        hooks.withLock { $0.onWrite = hook }
    }

    /// - Parameter hook: called with the name of each extended attribute before it is set.
    func onAttribute(_ hook: @escaping @Sendable (String) -> Void) {
        hooks.withLock { $0.onAttribute = hook }
    }

    /// - Parameter hook: called before a file, a folder or the whole file system is synced.
    func onSync(_ hook: @escaping @Sendable () -> Void) { hooks.withLock { $0.onSync = hook } }

    /// - Parameter hook: called with the new name before each move.
    func onMove(_ hook: @escaping @Sendable (String) -> Void) { hooks.withLock { $0.onMove = hook } }

    func write(_ bytes: UnsafeRawBufferPointer, to file: Descriptor, at offset: UInt64) throws(SystemFailure) {
        try hooks.withLock(\.onWrite)(bytes.count)
        try disk.write(bytes, to: file, at: offset)
    }

    func setAttribute(
        _ name: String, _ value: UnsafeRawBufferPointer, of file: Descriptor
    ) throws(SystemFailure) {
        hooks.withLock(\.onAttribute)(name)
        try disk.setAttribute(name, value, of: file)
    }
    func sync(_ file: Descriptor) throws(SystemFailure) {
        hooks.withLock(\.onSync)()
        try disk.sync(file)
    }

    func syncAll(_ file: Descriptor) throws(SystemFailure) {
        hooks.withLock(\.onSync)()
        try disk.syncAll(file)
    }

    func move(
        _ name: String, in folder: Descriptor, to other: String, in otherFolder: Descriptor, _ manner: MoveManner
    ) throws(SystemFailure) {
        hooks.withLock(\.onMove)(other)
        try disk.move(name, in: folder, to: other, in: otherFolder, manner)
    }
}
