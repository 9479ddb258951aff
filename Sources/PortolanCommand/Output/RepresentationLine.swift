import Portolan
import PortolanTrust
import UniformTypeIdentifiers

/// How a representation is shown before it is offered.
enum RepresentationLine {
    static func text(_ view: RepresentationView) -> String {
        let size = view.isFolder ? "folder" : view.size.map(Human.size) ?? "size not known in advance"
        let name = view.suggestedName.map { "  “\(DisplayText($0))”" } ?? ""
        let made = view.converter.map { ", made by \(DisplayText($0)) when it is taken" } ?? ""
        return "   \(view.position.map { "\($0 + 1)." } ?? "- ") \(view.contentType.identifier)\(name)  \(size)\n"
            + "      \(DisplayText(view.audience, limit: 4500)): \(view.isShown ? "shown" : "hidden"), \(view.reason)\(made)"
    }

    static func text(_ view: PictureView) -> String {
        "   \(view.role.rawValue): \(view.isShown ? "shown" : "left out"), \(view.reason)"
    }

    static func event(_ view: RepresentationView, of item: ItemView) -> Event {
        Event(
            .representation,
            [
                "item": .integer(Int64(item.item)), "title": .string(item.title),
                "representation": .integer(Int64(view.representation)), "type": .string(view.contentType.identifier),
                "description": .optional(view.contentType.localizedDescription) { .string($0) },
                "visibility": .string(view.visibility.description), "audience": .audience(view.restriction),
                "bytes": .optional(view.size) { .unsigned($0) },
                "name": .optional(view.suggestedName) { .string($0) },
                "folder": .bool(view.isFolder), "shown": .bool(view.isShown),
                "position": .optional(view.position) { .integer(Int64($0)) }, "why": .string(view.reason),
                "converter": .optional(view.converter) { .string($0) },
            ])
    }
}
