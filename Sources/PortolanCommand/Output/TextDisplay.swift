import Glibc
import PortolanConcurrency
import PortolanValues

/// Shows received text, and removes its file.
///
/// The text is stored like every item, and this runs before the receipt is sent. So the receipt means that the text is
/// on the disk or was shown: the file is removed after the terminal has taken the last line. The file stays if the
/// output is not a foreground terminal: lines in a pipe may have no reader, and a program needs a path rather than a
/// text.
struct TextDisplay: Sendable {
    let console: Console
    /// True if the file is kept even if its text is shown.
    let keepsFiles: Bool
    /// True if a person sees the output.
    var isSeen: @Sendable (Console) -> Bool = { $0.isInFront }

    /// A file of words.
    struct File: Sendable {
        let path: String
        /// Name for display, as safe text.
        let place: String
        /// Bytes that were received.
        let size: UInt64
    }

    /// Text that was read, and its file.
    private struct Content {
        let text: ShownText
        let device: dev_t
        let number: ino_t
    }

    /// - Parameters:
    ///   - title: title from the sender; not shown if it only repeats the first line.
    ///   - origin: beginning of the line above the text, such as `Text from “ben”`.
    /// - Returns: true if the text was shown; false if it is not a short text.
    func show(_ file: File, called title: String, _ origin: String) async -> Bool {
        guard console.format == .human, file.size <= ShownText.byteLimit,
            let content = await withLookupThread({ Self.read(file) })
        else { return false }
        let lines = content.text.lines(width: console.width)
        // A line that was broken, or written with ASCII substitutes, cannot be copied exactly.
        let isWhole =
            content.text.isExact && lines.count == content.text.lines(width: nil).count && console.showsExactly(lines)
        let goes = !keepsFiles && isWhole && isSeen(console)
        let place = goes ? "" : ", stored as “\(file.place)”"
        let name = content.text.begins(with: title) ? "" : ", “\(DisplayText(title, limit: 100))”"
        // All lines are written by a single call, so that no other output comes between. Each line is converted to
        // ASCII separately, since the quotation marks belong to the first.
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
        // One byte more than expected, so that a longer file is noticed.
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

    /// Removes the file that was read, unless another file has replaced it.
    private static func remove(_ content: Content, at path: String) {
        var status = stat()
        guard lstat(path.pathBytes, &status) == 0, status.st_dev == content.device, status.st_ino == content.number
        else { return }
        unlink(path.pathBytes)
    }
}
