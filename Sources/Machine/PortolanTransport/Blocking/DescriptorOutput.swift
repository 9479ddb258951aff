import Glibc
import PortolanFiles
import Synchronization

/// Writes to a descriptor whose reader sets the pace.
///
/// A write waits while the reader does not read. `stop()` and cancellation of the writing task end it, even while the
/// reader takes everything at once. SIGPIPE must be ignored in the process.
final class DescriptorOutput: Sendable {
    /// Bytes that a pipe which is ready for writing takes at once (POSIX: at least 512; Linux: a page).
    private static let certain = 4096
    private static let patience: CInt = 200

    private let descriptor: CInt
    /// True if a write to `descriptor` returns instead of waiting.
    private let isNonBlocking: Bool
    /// Separate description of the same pipe: a non-blocking mode of the given one would affect every process that
    /// shares it.
    private let own: CInt?
    private let isStopped = Atomic(false)

    init(_ descriptor: CInt) {
        var status = stat()
        let isPipe = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
        let opened = isPipe ? open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_CLOEXEC) : -1
        own = opened >= 0 ? opened : nil
        self.descriptor = own ?? descriptor
        isNonBlocking = own != nil || fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0
    }

    deinit {
        if let own { close(own) }
    }

    /// - Throws: `FileError`, `CancellationError`.
    func write(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes
        while let start = rest.baseAddress, !rest.isEmpty {
            try checkStopped()
            try waitUntilReady()
            let count = Glibc.write(descriptor, start, isNonBlocking ? rest.count : min(rest.count, Self.certain))
            if count > 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            } else if count < 0, errno != EINTR, errno != EAGAIN {
                throw Self.failure(errno)
            }
        }
    }

    /// Ends the call that writes, and each later one, with `CancellationError`.
    func stop() { isStopped.store(true, ordering: .relaxed) }

    private func waitUntilReady() throws {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while true {
            let count = poll(&waiting, 1, Self.patience)
            if count > 0 { return }
            if count < 0, errno != EINTR { throw Self.failure(errno) }
            try checkStopped()
        }
    }

    private func checkStopped() throws {
        if isStopped.load(ordering: .relaxed) || Task.isCancelled { throw CancellationError() }
    }

    private static func failure(_ code: CInt) -> FileError {
        switch code {
        case EPIPE: FileError(.stopped, "Nobody reads the output any more.")
        case ENOSPC, EDQUOT: FileError(.noSpace, "There is no space left for the output.")
        default: FileError(.inputOutput, "The output cannot be written: \(String(cString: strerror(code))).")
        }
    }
}
