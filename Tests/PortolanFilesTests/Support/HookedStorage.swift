import Synchronization

@testable import PortolanFiles

/// The disk itself, with something that happens before some of its calls.
final class HookedStorage: PassThroughStorage {
    private struct Hooks {
        var onWrite: @Sendable (Int) throws(SystemFailure) -> Void = { _ in }
        var onAttribute: @Sendable (String) -> Void = { _ in }
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
}
