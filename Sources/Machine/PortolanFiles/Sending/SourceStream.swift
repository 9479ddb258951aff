import Glibc
import PortolanValues

/// Stream of bytes with an end, such as standard input.
///
/// Calls of ``read(into:)`` come one at a time from any thread and block; ``stop()`` may come at any time and ends
/// them.
package final class SourceStream: Sendable {
    private let number: CInt
    private let shown: DisplayText
    /// Pair of sockets, which unlike a pipe are created with close-on-exec; a byte in it is the request to stop.
    private let stopSign: (read: Descriptor, write: Descriptor)

    /// - Parameters:
    ///   - number: descriptor to read; the caller closes it after the last read.
    ///   - name: name in error messages.
    package init(reading number: CInt, called name: String = "standard input") throws(FileError) {
        self.number = number
        shown = DisplayText(name)
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .reading(shown, .last) }
        stopSign = (Descriptor(owning: ends[0]), Descriptor(owning: ends[1]))
    }

    /// Waits for bytes and reads as many as are there and fit.
    ///
    /// - Returns: the number of bytes; 0 at the end.
    /// - Throws: ``FileError/Kind/stopped`` after ``stop()``, or why it cannot be read.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        precondition(!buffer.isEmpty, "reading into nothing")
        while true {
            try wait()
            let count = Glibc.read(number, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            // EAGAIN: another reader of the stream was faster.
            if errno != EINTR, errno != EAGAIN {
                throw FileError(.inputOutput, "What comes from \(shown) cannot be read: \(SystemFailure.last.text).")
            }
        }
    }

    /// Stops the reader at once, or as soon as the system returns from a read.
    package func stop() { _ = Glibc.write(stopSign.write.number, [1], 1) }

    private func wait() throws(FileError) {
        var waiting = [
            pollfd(fd: stopSign.read.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: number, events: Int16(POLLIN), revents: 0),
        ]
        let count = retrying { poll(&waiting, 2, -1) }
        guard count >= 0 else { throw .reading(shown, .last) }
        if waiting[0].revents != 0 { throw .stopped }
    }
}
