import Glibc
import PortolanConcurrency

/// Text that is read from standard input until it ends.
enum TypedText {
    /// More is a file, which streams.
    static let limit = 1 << 20

    /// - Throws: `CommandFailure` for input that is not text, is too long or cannot be read; `CancellationError`.
    static func read(from descriptor: CInt = STDIN_FILENO, limit: Int = limit) async throws -> String {
        let wait = try InputWait()
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count <= limit {
            var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // Reading waits on no thread of the pool: a person may type, and may pause.
            guard poll(&ready, 1, 0) > 0 else {
                try await wait.untilReadable(descriptor)
                continue
            }
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { break }
            if count > 0 {
                bytes += buffer[..<count]
            } else if errno != EAGAIN, errno != EINTR {
                throw CommandFailure(.noInput, "Standard input cannot be read: \(String(cString: strerror(errno))).")
            }
        }
        guard bytes.count <= limit else {
            throw CommandFailure(
                .badData,
                "Standard input is too long to be sent as text. Send it as a file: - in place of --text -"
            )
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(
                .badData,
                "Standard input is no text (UTF-8). Send it as a file: - in place of --text -")
        }
        guard !text.isEmpty else { throw CommandFailure(.badData, "Standard input is empty.") }
        return text
    }
}
