import Portolan
import PortolanProtocol
import PortolanTrust
import UniformTypeIdentifiers

/// How an item is shown that a peer shares.
enum SharedItemLine {
    static func text(_ item: SharedItem) -> String {
        var lines = ["“\(DisplayText(item.title, limit: 100))”  \(item.id.description.prefix(8))"]
        if let words = item.preview?.message, !words.isEmpty { lines.append("   “\(DisplayText(words, limit: 400))”") }
        return (lines + item.forms.map(text)).joined(separator: "\n")
    }

    private static func text(_ form: SharedItem.Form) -> String {
        let size = form.isFolder ? "folder" : form.size.map(Human.size) ?? "size unknown"
        let name = form.suggestedName.map { "  “\(DisplayText($0, limit: 255))”" } ?? ""
        let level = form.restriction == .everyone ? "" : ", only for its \(form.restriction.visibility)"
        return "   \(DisplayText(form.type.identifier, limit: 100))\(name)  \(size)\(level)"
    }

    static func event(_ item: SharedItem) -> Event {
        Event(
            .sharedItem,
            [
                "id": .string(item.id.description), "title": .peerText(item.title),
                "message": .optional(item.preview?.message, JSONValue.peerText),
                "forms": .array(item.forms.map(form)),
            ])
    }

    private static func form(_ form: SharedItem.Form) -> JSONValue {
        .object([
            "type": .peerText(form.type.identifier),
            "description": .optional(
                UTType(form.type.identifier)?.localizedDescription ?? form.type.description, JSONValue.peerText),
            "name": .optional(form.suggestedName, JSONValue.peerText),
            "bytes": .optional(form.size) { .unsigned($0) }, "folder": .bool(form.isFolder),
            "visibility": .string(form.restriction.visibility.description), "audience": .audience(form.restriction),
        ])
    }
}
