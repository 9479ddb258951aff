import Portolan
import PortolanTrust
import UniformTypeIdentifiers

/// How a representation is shown before it is offered.
enum RepresentationLine {
    static func text(_ representation: ItemRepresentation, _ view: RepresentationView) -> String {
        let size =
            representation.isFolder ? "folder" : representation.size.map(Human.size) ?? "size not known in advance"
        let name = representation.suggestedName.map { "  “\(DisplayText($0))”" } ?? ""
        let made = representation.converter.map { ", made by \(DisplayText($0)) when it is taken" } ?? ""
        return "   \(view.position.map { "\($0 + 1)." } ?? "- ") \(view.contentType)\(name)  \(size)\n"
            + "      \(view.visibility): \(view.isShown ? "shown" : "hidden"), \(view.reason)\(made)"
    }

    static func event(_ representation: ItemRepresentation, _ view: RepresentationView, title: String) -> Event {
        Event(
            .representation,
            [
                "item": .integer(Int64(view.item)), "title": .string(title),
                "representation": .integer(Int64(view.representation)), "type": .string(view.contentType),
                "description": .optional(representation.contentType.localizedDescription) { .string($0) },
                "visibility": .string(view.visibility.description),
                "bytes": .optional(representation.size) { .unsigned($0) },
                "name": .optional(representation.suggestedName) { .string($0) },
                "folder": .bool(representation.isFolder), "shown": .bool(view.isShown),
                "position": .optional(view.position) { .integer(Int64($0)) }, "why": .string(view.reason),
                "converter": .optional(representation.converter) { .string($0) },
            ])
    }
}
