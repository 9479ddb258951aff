import Foundation
import Portolan
import PortolanCrypto
import PortolanProtocol
import PortolanTrust

/// How an offer is shown to the person who decides about it. Every text in it is the peer's.
enum OfferText {
    /// More than this many items would push who is asking out of sight.
    private static let shownItems = 20

    static func question(_ offer: IncomingOffer) -> String {
        let sum = offer.items.reduce(UInt64(0)) { $0.addingReportingOverflow($1.size ?? 0).partialValue }
        let size = offer.items.contains { $0.size == nil } ? "" : ", \(Human.size(sum))"
        let count = Human.count(offer.items.count, "item")
        return (headline(offer.peer) + lines(offer)).joined(separator: "\n") + "\nTake \(count)\(size)?"
    }

    private static func headline(_ peer: RemotePeer) -> [String] {
        let known = peer.standing == .anyone ? peer.isKnown ? "known" : "met for the first time" : "\(peer.standing)"
        return ["“\(DisplayText(peer.name, limit: 63))” (\(known)), \(peer.fingerprint), at \(peer.address), offers:"]
    }

    private static func lines(_ offer: IncomingOffer) -> [String] {
        var lines = offer.items.prefix(shownItems).map(line)
        if offer.items.count > shownItems { lines.append("  and \(offer.items.count - shownItems) more") }
        if !offer.notImportable.isEmpty {
            lines.append("  (\(Human.count(offer.notImportable.count, "item")) of no type that is accepted here)")
        }
        return lines
    }

    private static func line(_ item: IncomingOffer.Item) -> String {
        let type = item.typeDescription.map { "\(DisplayText($0, limit: 60)), " } ?? ""
        let size = item.size.map(Human.size) ?? "size unknown"
        let choice =
            item.representationCount > 1
            ? ", representation \(item.representation + 1) of \(item.representationCount)" : ""
        let level = item.visibility == .all ? "" : ", only for its \(item.visibility)"
        let words = item.preview.map(\.message) ?? ""
        return "  “\(DisplayText(item.title, limit: 100))”: \(type)\(DisplayText(item.contentType, limit: 100)), "
            + "\(item.isFolder ? "folder, " : "")\(size)\(choice)\(level)"
            + (words.isEmpty ? "" : "\n    “\(DisplayText(words, limit: 400))”")
    }

    static func event(_ offer: IncomingOffer) -> Event {
        Event(
            .offer,
            [
                "peer": .remote(offer.peer), "notImportable": .array(offer.notImportable.map(JSONValue.peerText)),
                "items": .array(offer.items.map(item)),
            ])
    }

    private static func item(_ item: IncomingOffer.Item) -> JSONValue {
        .object([
            "title": .peerText(item.title), "type": .peerText(item.contentType),
            "description": .optional(item.typeDescription, JSONValue.peerText),
            "name": .optional(item.suggestedName, JSONValue.peerText),
            "representation": .integer(Int64(item.representation)),
            "representations": .integer(Int64(item.representationCount)),
            "bytes": .optional(item.size) { .unsigned($0) }, "folder": .bool(item.isFolder),
            "visibility": .string(item.visibility.description),
            "message": .peerText(item.preview?.message ?? ""),
            "image": .optional(item.preview?.image, picture), "icon": .optional(item.preview?.icon, picture),
        ])
    }

    private static func picture(_ picture: ItemPreview.Picture) -> JSONValue {
        .object(["type": .peerText(picture.type), "data": .string(picture.data.base64EncodedString())])
    }
}
