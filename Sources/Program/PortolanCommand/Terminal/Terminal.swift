import ArgumentParser
import Glibc
import Synchronization

/// Standard stream of the process.
struct Terminal: Sendable {
    let descriptor: Int32
    /// True if text for people is written as ASCII.
    var isPlain = false

    static let output = Terminal(descriptor: STDOUT_FILENO, isPlain: isPlainWanted)
    static let diagnostics = Terminal(descriptor: STDERR_FILENO, isPlain: isPlainWanted)

    /// Error number with which standard output could not be written; nil if only its reader is gone.
    private static let fault = Mutex<Int32?>(nil)

    /// Sentence about output that was lost, other than by a reader that is gone; nil if there is none.
    static var loss: String? {
        fault.withLock(\.self).map { "The output cannot be written: \(String(cString: strerror($0)))." }
    }

    /// True if the environment of this process asks for ASCII.
    static var isPlainWanted: Bool { PlainText.isWanted(variable) }

    /// Fills the place of each closed standard stream, since the next opened file would otherwise become that stream.
    /// Uses of such a stream fail, as they should.
    static func replaceClosed() {
        for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) < 0 {
            // Takes the lowest number that is free, which is this one.
            _ = open("/dev/null", mode)
        }
    }

    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// True if a drawn line can be drawn again: a dumb terminal can only add lines.
    var canRedraw: Bool { isTerminal && Self.variable("TERM") != "dumb" }

    /// True if colours may be used: NO_COLOR with any text forbids them.
    var hasColors: Bool { canRedraw && (Self.variable("NO_COLOR") ?? "").isEmpty }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Columns now; a window may change its size at any time.
    var width: Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Text for people, converted for this terminal.
    func shown(_ text: String) -> String { isPlain ? PlainText.ascii(text) : text }

    /// Writes text for people; false if the stream has no reader any more.
    func tell(_ text: String) -> Bool { write(shown(text)) }

    /// Writes a page that contains no text of a peer.
    ///
    /// - Throws: `ExitCode` when it cannot be written.
    func tell(page: String) throws(ExitCode) {
        guard write(isPlain ? PlainText.ascii(page, isOwn: true) : page) else {
            throw ExitCode(ExitStatus.inputOutput.rawValue)
        }
    }

    /// Writes all bytes; false if the stream has no reader any more.
    func write(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                // Another program may have made the shared terminal non-blocking.
                var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&wait, 1, -1)
            } else if errno != EINTR {
                let code = errno
                if code != EPIPE, descriptor == STDOUT_FILENO { Self.fault.withLock { $0 = code } }
                return false
            }
        }
        return true
    }
}
