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
        while bytes.count <= limit {
            let more = try await wait.read(from: descriptor, upTo: 64 << 10, named: "Standard input")
            if more.isEmpty { break }
            bytes += more
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
