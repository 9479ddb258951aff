import Portolan
import PortolanProtocol

/// A received item, in a line: `“big.img” (disk image, 200 MB)`, `“trip” (folder, 3 files and folders, 1.20 MB)`.
enum ReceivedLine {
    /// - Parameters:
    ///   - inbox: announced inbox; an item in another folder is shown with its path.
    ///   - speed: duration and rate of the transfer, with its size.
    static func text(_ item: ReceivedItem, in inbox: String?, speed: String? = nil) -> String {
        let kept = PresentContentText.sentence(
            entries: UInt64(item.entries), keptEntries: UInt64(item.keptEntries), bytes: item.bytes,
            keptBytes: item.keptBytes)
        let kind = KindText.words(item.contentType)
        // The folder is an entry itself; for a single file nothing needs to be counted.
        let content = item.entries > 1 || kind == "folder" ? [inside(UInt64(item.entries))] : []
        let about = ([kind] + content + [kept ?? speed ?? Human.size(item.bytes)]).joined(separator: ", ")
        let isWritten = item.path == ReceivedItem.output
        let title = item.title == item.name ? "" : "“\(DisplayText(item.title, limit: 100))” \(isWritten ? "" : "as ")"
        let place = isWritten ? "written to standard output" : "“\(place(item, in: inbox))”"
        return "\(title)\(place) (\(about)\(level(item)))"
    }

    /// True if the size is the only remark about the item.
    static func isPlain(_ item: ReceivedItem) -> Bool {
        item.path != ReceivedItem.output && item.restriction == .everyone && item.omissions.count == 0
    }

    /// Name, or path if it is in another folder, as safe text.
    static func place(_ item: ReceivedItem, in inbox: String?) -> String {
        let isInside = inbox.map { item.path == "\($0)/\(item.name)" } ?? false
        return DisplayText(isInside ? item.name : item.path, limit: 4096).text
    }

    static func level(_ item: ReceivedItem) -> String {
        item.restriction == .everyone ? "" : ", only for its \(item.restriction.visibility)"
    }

    /// - Parameter entries: number of entries of a folder, including itself.
    private static func inside(_ entries: UInt64) -> String {
        switch entries {
        case ...1: "empty"
        case 2: "1 file or folder in it"
        default: "\(Human.number(entries - 1)) files and folders in it"
        }
    }
}
