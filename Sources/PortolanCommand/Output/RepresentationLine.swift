import Portolan
import PortolanTrust
import UniformTypeIdentifiers

/// How an item and its representations are shown before they are offered.
enum RepresentationLine {
    /// `1. public.html  HTML text  1.23 kB  team  hidden: only members of the team see it…`
    static func text(_ representation: ItemRepresentation, number: Int, for standing: Standing) -> String {
        let size =
            representation.isFolder ? "folder" : representation.size.map(Human.size) ?? "size not known in advance"
        let name = representation.suggestedName.map { "  “\(DisplayText($0))”" } ?? ""
        let shown = standing.maySee(representation.visibility) ? "shown" : "hidden"
        return "  \(number + 1). \(representation.contentType.identifier)\(name)  \(size)\n"
            + "     visible to \(audience(representation.visibility)); \(shown): "
            + standing.explain(representation.visibility)
    }

    static func event(
        _ representation: ItemRepresentation, number: Int, of item: Item, itemNumber: Int, for standing: Standing
    ) -> Event {
        Event(
            .representation,
            [
                "item": .integer(Int64(itemNumber)), "title": .string(item.title),
                "representation": .integer(Int64(number)), "type": .string(representation.contentType.identifier),
                "description": .optional(representation.contentType.localizedDescription) { .string($0) },
                "visibility": .string(representation.visibility.description),
                "bytes": .optional(representation.size) { .unsigned($0) },
                "name": .optional(representation.suggestedName) { .string($0) },
                "folder": .bool(representation.isFolder),
                "shown": .bool(standing.maySee(representation.visibility)),
                "why": .string(standing.explain(representation.visibility)),
            ])
    }

    private static func audience(_ visibility: Visibility) -> String {
        switch visibility {
        case .all: "everyone"
        case .team: "the team"
        case .group: "the group"
        case .ownProcess: "nobody but this process"
        }
    }
}
