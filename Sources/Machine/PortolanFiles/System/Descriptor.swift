import CPortolanLinux
import Glibc

/// Open file or directory, closed with its last reference.
package final class Descriptor: Sendable {
    package let number: Int32

    /// Takes over an open descriptor.
    package init(owning number: Int32) {
        precondition(number >= 0, "a descriptor that was never opened")
        self.number = number
    }

    deinit { close(number) }

    /// Returns the file's present status.
    func status() throws(SystemFailure) -> FileStatus {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .last }
        return FileStatus(status)
    }

    /// Returns the status of `name` in this directory, without following a link.
    func status(of name: UnsafePointer<CChar>) throws(SystemFailure) -> FileStatus {
        var status = stat()
        guard fstatat(number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw .last }
        return FileStatus(status)
    }

    /// Returns the bytes of the symbolic link `name` in this directory.
    func linkTarget(of name: UnsafePointer<CChar>) throws(SystemFailure) -> [UInt8] {
        var target = [CChar](repeating: 0, count: LinkTarget.maximumBytes + 1)
        let length = readlinkat(number, name, &target, target.count)
        // EINVAL means that it is not a link any more.
        guard length >= 0 else { throw errno == EINVAL ? SystemFailure(ELOOP) : .last }
        return target.prefix(length).map { UInt8(bitPattern: $0) }
    }

    /// Syncs everything that was written to this file or entered into this directory; returns when it is on the disk.
    func sync() throws(SystemFailure) {
        let result = retrying { fsync(number) }
        // Some file systems cannot sync a directory and return EINVAL, which is ignored.
        if result != 0, errno != EINVAL { throw .last }
    }

    /// Sets the modification time and leaves the access time alone.
    func setModified(_ time: FileTime) throws(SystemFailure) {
        guard time.withTimes({ futimens(number, $0) }) == 0 else { throw .last }
    }
}

/// Opening of files below an open directory: the only way in which files of an item are opened.
enum Beneath {
    /// Opens `name`, one component, in `directory`; never follows a link and never leaves the directory.
    ///
    /// - Parameter mode: permissions of a file that this creates, before the process's umask.
    static func open(
        _ name: UnsafePointer<CChar>, in directory: Descriptor, _ flags: Int32, mode: UInt32 = 0,
        features: KernelFeatures
    ) throws(SystemFailure) -> Descriptor {
        let flags = flags | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY
        // EAGAIN means a rename while the kernel was resolving the path; the number of attempts is bounded against an
        // attacker.
        var attempts = 0
        while features.openBeneath, attempts < 32 {
            let number = portolan_open_beneath(directory.number, name, flags, mode)
            if number >= 0 { return Descriptor(owning: number) }
            guard errno == EAGAIN || errno == EINTR else { throw .last }
            attempts += 1
        }
        // A single component without a slash, opened with O_NOFOLLOW, cannot leave the directory either.
        let number = retrying { openat(directory.number, name, flags, mode) }
        guard number >= 0 else { throw .last }
        return Descriptor(owning: number)
    }
}

extension Beneath {
    /// Opens `name` to read a file. Does not wait if it has become a pipe.
    static func openToRead(
        _ name: UnsafePointer<CChar>, in directory: Descriptor, features: KernelFeatures
    ) throws(SystemFailure) -> Descriptor {
        try open(name, in: directory, O_RDONLY | O_NONBLOCK, features: features)
    }
}

/// Repeats a call that a signal interrupted.
package func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
