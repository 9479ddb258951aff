import Glibc

/// Lock that is held until this object or its process ends.
package final class HeldLock: Sendable {
    private let descriptor: Int32

    fileprivate init(owning descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        // A child that another thread is just starting may share the open file, and with it the lock, until its
        // exec(2).
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}

extension PrivateDirectory {
    /// Takes a lock that excludes other processes and other holders in this one.
    ///
    /// - Parameter patience: longest wait for the present holder.
    /// - Returns: nil if another holder keeps it for longer.
    package func hold(_ name: String, patience: Duration = .milliseconds(200)) throws(StoreError) -> HeldLock? {
        let file = openat(descriptor, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard file >= 0 else { throw failure("open", name) }
        let lock = HeldLock(owning: file)
        try Self.check(file, path: path(of: name), kind: S_IFREG, expected: "a regular file")
        let deadline = ContinuousClock.now + patience
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw failure("lock", name) }
            guard ContinuousClock.now < deadline else { return nil }
            usleep(5_000)
        }
        return lock
    }

    /// True if the lock is held at this moment.
    package func isHeld(_ name: String) throws(StoreError) -> Bool {
        let file = openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT { return false }
            throw failure("open", name)
        }
        let lock = HeldLock(owning: file)
        defer { withExtendedLifetime(lock) {} }
        guard flock(file, LOCK_SH | LOCK_NB) != 0 else { return false }
        guard errno == EWOULDBLOCK else { throw failure("lock", name) }
        return true
    }
}
