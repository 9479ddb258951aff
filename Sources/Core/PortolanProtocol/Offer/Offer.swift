import PortolanTrust
import PortolanValues

/// Item as offered to one peer: a title and its representations, richest first.
public struct OfferedItem: Hashable, Sendable {
    /// Title for people. Peer text: shown through `DisplayText` only.
    public let title: String
    /// In the sender's order; never empty.
    public private(set) var representations: [OfferedRepresentation]
    /// Preview that is shown beside the title.
    public let preview: ItemPreview?
    /// Content of one representation that is sent with the offer, if any.
    package private(set) var inline: InlineContent?
    /// Identifier in the sender's parcel, never 0; nil without a parcel.
    public private(set) var parcelItem: UInt64?

    public init(
        title: String, representations: [OfferedRepresentation], preview: ItemPreview? = nil
    ) throws(InvalidValue) {
        try self.init(title: title, representations: representations, preview: preview, inline: nil)
    }

    package init(
        title: String, representations: [OfferedRepresentation], preview: ItemPreview?, inline: InlineContent?,
        parcelItem: UInt64? = nil
    ) throws(InvalidValue) {
        try InvalidValue.checkText(title, "A title")
        guard !representations.isEmpty else { throw InvalidValue("An item has at least one representation.") }
        try InvalidValue.checkCount(
            representations.count, "representations of one item", maximum: Limits.representations)
        try inline?.check(among: representations)
        self.title = title
        self.representations = representations
        self.preview = preview
        self.inline = inline
        self.parcelItem = parcelItem
    }

    /// Item in the form for a list.
    var listed: OfferedItem {
        var copy = self
        copy.representations = representations.map(\.withoutSource)
        copy.inline = nil
        copy.parcelItem = nil
        return copy
    }

    /// Refuses a representation that no peer may see.
    func checkMayBeShown() throws(InvalidValue) {
        try InvalidValue.check(
            !representations.contains(where: { $0.restriction == .nobody }),
            "A representation that may not leave its process was offered.")
    }
}

/// Offer of one peer to another, without the parts that the other may not see.
public struct Offer: Hashable, Sendable {
    /// Chosen by the offering side, growing within a session.
    public let id: UInt64
    /// Never empty. Positions in this list, and in each item's list, are the only indices there are.
    public let items: [OfferedItem]
    /// Number of the request that it answers; nil if it was not requested. A requested offer has exactly one item.
    public let request: UInt64?
    /// Parcel of the items: its 16 bytes, the most significant first; nil without a parcel, as for requested items.
    /// With a parcel, each item has an identifier (``OfferedItem/parcelItem``), and without one none has.
    public let parcel: UInt128?

    public init(
        id: UInt64, items: [OfferedItem], request: UInt64? = nil, parcel: UInt128? = nil
    ) throws(InvalidValue) {
        guard !items.isEmpty else { throw InvalidValue("An offer has at least one item.") }
        try InvalidValue.checkCount(items.count, "items of one offer", maximum: Limits.items)
        try InvalidValue.check(
            request == nil || items.count == 1, "An offer that answers a request has \(items.count) items.")
        try InvalidValue.check(request == nil || parcel == nil, "An offer that answers a request is part of no parcel.")
        let parcelItems = items.compactMap(\.parcelItem)
        try InvalidValue.check(
            parcelItems.count == (parcel == nil ? 0 : items.count) && Set(parcelItems).count == parcelItems.count
                && !parcelItems.contains(0),
            "Each item of a parcel has an identifier of its own there, and no other item has.")
        for item in items { try item.checkMayBeShown() }
        let inline = items.reduce(0) { $0 + ($1.inline?.content.count ?? 0) }
        try InvalidValue.check(
            inline <= Limits.inlineContent,
            limit: "An offer brings at most \(Limits.inlineContent) bytes of content; this one brings \(inline).")
        self.id = id
        self.items = items
        self.request = request
        self.parcel = parcel
    }
}

/// Offer for a peer of some standing, with the index of each visible representation in the sender's own list.
public struct VisibleOffer: Hashable, Sendable {
    /// Index in the list of candidates from which the offer was made.
    public struct Source: Hashable, Sendable {
        public let item: Int
        public let representation: Int
    }

    public let offer: Offer
    /// Source of each representation of each offered item.
    public let sources: [[Source]]

    /// Returns the source of the representation that the peer calls `representation` of `item`.
    public func source(item: Int, representation: Int) -> Source { sources[item][representation] }
}

extension Offer {
    /// Returns the offer as a peer of `standing` may see it.
    ///
    /// Hidden representations are removed and later ones move up, so that neither a gap nor an index reveals them.
    /// Titles and previews are made from the visible part alone. An item without a visible representation is removed;
    /// without a visible item there is no offer.
    ///
    /// - Parameters:
    ///   - request: number of the request that the offer answers; with it, at most one candidate.
    ///   - parcel: parcel of the candidates.
    /// - Returns: nil if this peer may see nothing.
    /// - Throws: `InvalidValue` if the visible part is more than one offer can hold.
    public static func visible(
        to standing: Standing, from candidates: [CandidateItem], id: UInt64, request: UInt64? = nil,
        parcel: UInt128? = nil
    ) throws(InvalidValue) -> VisibleOffer? {
        var items: [OfferedItem] = []
        var sources: [[VisibleOffer.Source]] = []
        for (itemIndex, candidate) in candidates.enumerated() {
            let seen = candidate.representations.enumerated().filter {
                standing.maySee($0.element.restriction)
            }
            guard !seen.isEmpty else { continue }
            items.append(
                try OfferedItem(
                    title: candidate.title(showing: seen.map(\.element)), representations: seen.map(\.element),
                    preview: candidate.preview?.visible(to: standing), inline: nil, parcelItem: candidate.parcelItem))
            sources.append(seen.map { VisibleOffer.Source(item: itemIndex, representation: $0.offset) })
        }
        guard !items.isEmpty else { return nil }
        var offer = try Offer(id: id, items: items, request: request, parcel: parcel)
        if offer.encodedSize > Limits.control { offer = try offer.withoutPictures() }
        let size = offer.encodedSize
        try InvalidValue.check(
            size <= Limits.control,
            limit:
                "An offer has at most \(Limits.control) bytes; this one would have \(size). Send fewer items at a time."
        )
        return VisibleOffer(offer: offer, sources: sources)
    }

    /// Removes the pictures: the items have priority.
    private func withoutPictures() throws(InvalidValue) -> Offer {
        var items: [OfferedItem] = []
        for item in self.items {
            items.append(
                try OfferedItem(
                    title: item.title, representations: item.representations, preview: item.preview?.withoutPictures,
                    inline: nil, parcelItem: item.parcelItem))
        }
        return try Offer(id: id, items: items, request: request, parcel: parcel)
    }
}
