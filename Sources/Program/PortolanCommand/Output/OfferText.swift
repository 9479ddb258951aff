import Portolan
import PortolanProtocol

/// Question about an offer.
///
/// Facts of this program are printed before any text of the peer, or after its quotation: whether the peer is known,
/// its key, each item's number, kind and size. The peer's texts are shortened, and printed between quotation marks that
/// they cannot close. The last line repeats the sender, since a long offer may have moved the first line out of sight.
enum OfferText {
    /// Most items that are listed; more would push the line about the sender out of sight.
    private static let shownItems = 20

    /// The offering device and its items.
    ///
    /// - Parameter inFull: true to show a known key in full; a new key always is.
    static func body(_ offer: IncomingOffer, inFull: Bool = false) -> String {
        (headline(offer.peer, inFull: inFull) + items(offer)).joined(separator: "\n")
    }

    /// Last line, followed by the choices.
    static func question(_ offer: IncomingOffer) -> String {
        let name = DisplayText(offer.peer.localName, limit: 63)
        let key = FingerprintText.short(offer.peer.fingerprint)
        return "Take \(Human.count(offer.items.count, "item")), \(total(offer.items)), from “\(name)” "
            + "(\(standing(offer.peer)), \(key))?"
    }

    private static func standing(_ peer: RemotePeer) -> String {
        peer.standing == .anyone ? peer.isKnown ? "known" : "new here" : "\(peer.standing)"
    }

    /// `1.20 MB`, `about 2.10 GB`, `size unknown`, `1.20 MB and 2 of unknown size`.
    private static func total(_ items: [IncomingOffer.Item]) -> String {
        let sizes = items.compactMap { $0.size ?? $0.estimatedSize }
        if sizes.isEmpty { return "size unknown" }
        let sum = sizes.reduce(UInt64(0)) { sum, size in
            let (total, overflow) = sum.addingReportingOverflow(size)
            return overflow ? .max : total
        }
        let isEstimate = items.contains { $0.size == nil && $0.estimatedSize != nil }
        let unknown = items.count - sizes.count
        return (isEstimate ? "about " : "") + Human.size(sum) + (unknown == 0 ? "" : " and \(unknown) of unknown size")
    }

    /// `1.20 MB`, `1.20 MB in a file of 4.29 GB`, `12 B, or in another form, up to 4.00 MB`,
    /// `about 2.10 GB, as its sender estimates`, `size unknown`.
    private static func size(_ item: IncomingOffer.Item) -> String {
        guard let size = item.size else {
            return item.estimatedSize.map { "about \(Human.size($0)), as its sender estimates" } ?? "size unknown"
        }
        let apparent = item.apparentSize ?? size
        let shown = apparent > size ? "\(Human.size(size)) in a file of \(Human.size(apparent))" : Human.size(size)
        guard let most = item.mostBytes else { return "\(shown), or in another form, size unknown" }
        return most > apparent ? "\(shown), or in another form, up to \(Human.size(most))" : shown
    }

    private static func headline(_ peer: RemotePeer, inFull: Bool) -> [String] {
        let name = "“\(DisplayText(peer.name, limit: 63))”"
        let localName = "“\(DisplayText(peer.localName, limit: 63))”"
        let other = peer.localName == peer.name ? "" : ", calls itself \(name)"
        if peer.isKnown {
            let key = FingerprintText.text(peer.fingerprint, inFull: inFull)
            return ["Offered by \(localName) (\(standing(peer)), \(key)), at \(peer.address)\(other):"]
        }
        let standing = peer.standing == .anyone ? "" : " (\(peer.standing))"
        var lines = [
            "Offered by a device that is new here\(standing), at \(peer.address),",
            "  which calls itself \(name); its key is",
            "  \(peer.fingerprint)",
        ]
        if let owner = peer.namesakeOf {
            lines += [
                "Another device is known here by that name, with the key", "  \(owner)",
                "If you take it, this one is kept as \(localName).",
            ]
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
        let kind = KindText.words(item.contentType, isFolder: item.isFolder)
        let choice =
            item.representationCount > 1 ? ", form \(item.representation + 1) of \(item.representationCount)" : ""
        let level = item.restriction == .everyone ? "" : ", only for its \(item.restriction.visibility)"
        var lines = [
            "\(number). \(kind), \(size(item))\(choice)\(level)", "     “\(DisplayText(item.title, limit: 100))”",
        ]
        if let words = item.preview?.message, !words.isEmpty {
            lines.append("     “\(DisplayText(words, limit: 400))”")
        }
        // The description of a type that is unknown here comes from the peer.
        if !KindText.isKnown(item.contentType), let description = item.typeDescription, !description.isEmpty {
            lines.append("     its sender calls it “\(DisplayText(description, limit: 60))”")
        }
        return lines
    }
}
