import Portolan
import PortolanProtocol

/// Lines about an item that a peer shares.
enum SharedItemLine {
    static func text(_ item: SharedItem) -> String {
        var lines = ["“\(DisplayText(item.title, limit: 100))”  \(item.id.description.prefix(8))"]
        if let words = item.preview?.message, !words.isEmpty { lines.append("   “\(DisplayText(words, limit: 400))”") }
        return (lines + item.forms.map(text)).joined(separator: "\n")
    }

    private static func text(_ form: SharedItem.Form) -> String {
        let kind = KindText.words(form.type.identifier, isFolder: form.isFolder)
        let size = form.isFolder ? "" : "  " + (form.size.map(Human.size) ?? "size unknown")
        let name = form.suggestedName.map { "  “\(DisplayText($0, limit: 255))”" } ?? ""
        let level = form.restriction == .everyone ? "" : ", only for its \(form.restriction.visibility)"
        return "   \(kind)\(name)\(size)\(level)"
    }
}
