import Glibc
import PortolanConcurrency
import PortolanValues

/// Shows received text, and removes the file that it came as.
///
/// The text is stored like every item, and this runs before its sender has the receipt. So the sender is told of the
/// arrival only when the text is on the disk, or on the terminal: the file is removed after the terminal has taken the
/// last line. The file stays if the output is no terminal in front: lines in a pipe may have no reader, and a program
/// wants a path and not a text.
struct TextDisplay: Sendable {
    let console: Console
    /// True if the file is kept in any case.
    let keepsFiles: Bool
    /// True if a person sees the output.
    var isSeen: @Sendable (Console) -> Bool = { $0.isInFront }

    /// A file of words.
    struct File: Sendable {
        let path: String
        /// Its name as a person is told it, as harmless text.
        let place: String
        /// Bytes that were received.
        let size: UInt64
    }

    /// Words as they were read, and the file that they were read from.
    private struct Content {
        let text: ShownText
        let device: dev_t
        let number: ino_t
    }

    /// - Parameters:
    ///   - title: the sender's; not shown where it only repeats the first line.
    ///   - origin: a beginning for the line above the words, such as `Text from “ben”`.
    /// - Returns: true if they were shown; what is no short text is not.
    func show(_ file: File, called title: String, _ origin: String) async -> Bool {
        guard console.format == .human, file.size <= ShownText.byteLimit,
            let content = await withLookupThread({ Self.read(file) })
        else { return false }
        let lines = content.text.lines(width: console.width)
        // A line that is broken to fit cannot be copied as it came, nor one in the likeness of ASCII.
        let isWhole =
            content.text.isExact && lines.count == content.text.lines(width: nil).count && console.showsExactly(lines)
        let goes = !keepsFiles && isWhole && isSeen(console)
        let place = goes ? "" : ", stored as “\(file.place)”"
        let name = content.text.begins(with: title) ? "" : ", “\(DisplayText(title, limit: 100))”"
        // A single call writes all lines, so that no other output comes between. Each line has its own likeness: the
        // quotation marks are those of the first.
        console.say((["\(origin)\(name)\(place):"] + lines).map(console.shown).joined(separator: "\n"))
        guard goes, console.hasReader else { return true }
        await withLookupThread { Self.remove(content, at: file.path) }
        return true
    }

    private static func read(_ file: File) -> Content? {
        let descriptor = open(file.path.pathBytes, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        // A byte more than may be there, so that a longer file is noticed.
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
        guard count == Int(file.size), let text = ShownText(bytes[..<count]) else { return nil }
        return Content(text: text, device: status.st_dev, number: status.st_ino)
    }

    /// Removes the file that was read, and no other that has come into its place.
    private static func remove(_ content: Content, at path: String) {
        var status = stat()
        guard lstat(path.pathBytes, &status) == 0, status.st_dev == content.device, status.st_ino == content.number
        else { return }
        unlink(path.pathBytes)
    }
}
