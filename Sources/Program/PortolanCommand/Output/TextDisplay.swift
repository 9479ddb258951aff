import Glibc
import PortolanConcurrency
import PortolanValues

/// Shows received text, which is stored like every item.
struct TextDisplay: Sendable {
    let console: Console

    /// A file of words.
    struct File: Sendable {
        let path: String
        /// Name for display, as safe text.
        let place: String
        /// Bytes that were received.
        let size: UInt64
    }

    /// - Parameters:
    ///   - title: title from the sender; not shown if it only repeats the first line.
    ///   - origin: beginning of the line above the text, such as `Text from “ben”`.
    /// - Returns: true if the text was shown; false if it is not a short text.
    func show(_ file: File, called title: String, _ origin: String) async -> Bool {
        guard console.format == .human, file.size <= ShownText.byteLimit,
            let text = await withLookupThread({ Self.read(file) })
        else { return false }
        let lines = text.lines(width: console.width)
        let name = text.begins(with: title) ? "" : ", “\(DisplayText(title, limit: 100))”"
        // All lines are written by a single call, so that no other output comes between. Each line is converted to
        // ASCII separately, since the quotation marks belong to the first.
        let head = "\(origin)\(name), stored as “\(file.place)”:"
        console.say(([head] + lines).map(console.shown).joined(separator: "\n"))
        return true
    }

    private static func read(_ file: File) -> ShownText? {
        let descriptor = open(file.path.pathBytes, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        // A byte more than expected, so that a longer file is noticed.
        var bytes = [UInt8](repeating: 0, count: Int(file.size) + 1)
        var count = 0
        while count < bytes.count {
            let step = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress! + count, $0.count - count)
            }
            if step < 0, errno == EINTR { continue }
            guard step > 0 else { break }
            count += step
        }
        return count == Int(file.size) ? ShownText(bytes[..<count]) : nil
    }
}
