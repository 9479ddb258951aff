import Foundation
import Portolan
import PortolanCrypto
import PortolanProtocol
import PortolanValues
import UniformTypeIdentifiers

/// The question about an offer.
///
/// Words of this program stand on lines of their own, before anything that the peer wrote: its key, whether it is known, each item's number,
/// type and size. The peer's texts stand between quotation marks, indented, and shortened. The last line repeats whom it is about, since a
/// long offer may have moved the first out of sight.
enum OfferText {
    /// More than this many items would push whoever asks out of sight.
    private static let shownItems = 20

    static func question(_ offer: IncomingOffer) -> String {
        let count = Human.count(offer.items.count, "item")
        let lines = headline(offer.peer) + items(offer)
        return lines.joined(separator: "\n")
            + "\nTake \(count), \(total(offer.items)), from \(offer.peer.fingerprint) (\(acquaintance(offer.peer)))?"
    }

    private static func acquaintance(_ peer: RemotePeer) -> String {
        if peer.namesakeOf != nil { return "\(standing(peer)), under a name that is known with another key" }
        return standing(peer)
    }

    private static func standing(_ peer: RemotePeer) -> String {
        peer.standing == .anyone ? peer.isKnown ? "known" : "met for the first time" : "\(peer.standing)"
    }

    /// `1.20 MB`, `size unknown`, `1.20 MB and 2 of unknown size`.
    private static func total(_ items: [IncomingOffer.Item]) -> String {
        let sum = items.reduce(UInt64(0)) { sum, item in
            let (total, overflow) = sum.addingReportingOverflow(item.size ?? 0)
            return overflow ? .max : total
        }
        let unknown = items.count { $0.size == nil }
        if unknown == items.count { return "size unknown" }
        return Human.size(sum) + (unknown == 0 ? "" : " and \(unknown) of unknown size")
    }

    /// `1.20 MB`, `1.20 MB in a file of 4.29 GB`, `12 B, or in another form, up to 4.00 MB`, `size unknown`.
    private static func size(_ item: IncomingOffer.Item) -> String {
        guard let size = item.size else { return "size unknown" }
        let apparent = item.apparentSize ?? size
        let shown = apparent > size ? "\(Human.size(size)) in a file of \(Human.size(apparent))" : Human.size(size)
        guard let most = item.mostBytes else { return "\(shown), or in another form, size unknown" }
        return most > apparent ? "\(shown), or in another form, up to \(Human.size(most))" : shown
    }

    private static func headline(_ peer: RemotePeer) -> [String] {
        let name = "“\(DisplayText(peer.name, limit: 63))”"
        let localName = "“\(DisplayText(peer.localName, limit: 63))”"
        var lines = ["Offered by \(peer.fingerprint) (\(standing(peer))), at \(peer.address),"]
        if let owner = peer.namesakeOf {
            lines += [
                "  which calls itself \(name).",
                "Another device is known here by that name, with the key \(owner).",
                "If you take it, this one is kept as",
                "  \(localName):",
            ]
        } else if peer.localName != peer.name {
            lines += ["  which calls itself \(name) and is known here as", "  \(localName):"]
        } else {
            lines.append("  which calls itself \(name):")
        }
        return lines
    }

    private static func items(_ offer: IncomingOffer) -> [String] {
        var lines = offer.items.prefix(shownItems).enumerated().flatMap {
            Self.lines($0.element, number: $0.offset + 1)
        }
        if offer.items.count > shownItems { lines.append("and \(offer.items.count - shownItems) more") }
        if !offer.notImportable.isEmpty {
            lines.append("(\(Human.count(offer.notImportable.count, "item")) of no type that is accepted here)")
        }
        return lines
    }

    private static func lines(_ item: IncomingOffer.Item, number: Int) -> [String] {
        // A description of a type that is not known here is the peer's.
        let known = UTType(item.contentType).flatMap { $0.isDeclared ? $0 : nil }
        let type = known.map { type in type.localizedDescription.map { "\($0), \(type.identifier)" } ?? type.identifier
        }
        let size = size(item)
        let choice =
            item.representationCount > 1
            ? ", representation \(item.representation + 1) of \(item.representationCount)" : ""
        let level = item.restriction == .everyone ? "" : ", only for its \(item.restriction.visibility)"
        var lines = [
            "\(number). \(type ?? "of a type not known here"), \(item.isFolder ? "folder, " : "")\(size)\(choice)\(level)",
            "     “\(DisplayText(item.title, limit: 100))”",
        ]
        if let words = item.preview?.message, !words.isEmpty {
            lines.append("     “\(DisplayText(words, limit: 400))”")
        }
        if known == nil {
            let description = item.typeDescription.map { ", “\(DisplayText($0, limit: 60))”" } ?? ""
            lines.append("     type “\(DisplayText(item.contentType, limit: 100))”\(description)")
        }
        return lines
    }
}
