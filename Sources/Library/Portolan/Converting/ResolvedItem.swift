import PortolanConverters
import PortolanProtocol

/// Item whose representations have their final restrictions: no default team is filled in after this.
struct ResolvedItem: Sendable {
    /// Number of the item in events and deliveries.
    let number: Int
    /// Title for this device's own user.
    let title: String
    /// Title for every peer; nil if each peer is shown the name of a representation that it may see.
    let givenTitle: String?
    let fallbackTitle: String
    let representations: [ResolvedRepresentation]
    let preview: CandidatePreview?

    /// The representations that a peer of `standing` may see, and behind them the forms that are derived from these.
    ///
    /// Hidden representations neither suppress a derived form nor count towards a limit: they are left out first.
    func shown(to standing: Standing, with maker: FormMaker?) -> [ResolvedRepresentation] {
        let visible = representations.filter { standing.maySee($0.restriction) }
        return visible + (maker?.forms(of: visible, numberedFrom: representations.count, called: givenTitle) ?? [])
    }
}

/// Representation with its final restriction.
struct ResolvedRepresentation: Sendable {
    let representation: ItemRepresentation
    let restriction: Restriction
    /// Index in the item: the maker's representations first, in their order, then derived forms.
    let index: Int
    /// Converter that makes a derived form once a peer has taken it; nil for a representation of the item itself.
    let converter: Converter?
    /// Representation of the item that it is, or of which it is made.
    let origin: ItemRepresentation
    /// True if the level alone restricts the representation to a team and this device is in none.
    let isWithoutTeam: Bool

    init(_ representation: ItemRepresentation, at index: Int, audience: Audience?) {
        self.representation = representation
        self.index = index
        restriction = representation.requested.completed(with: audience).and(representation.kept)
        converter = nil
        origin = representation
        isWithoutTeam = representation.requested.lacksAudience && audience == nil
    }

    /// A derived form: restricted as `source` is, whole.
    init(_ form: ItemRepresentation, at index: Int, madeOf source: ResolvedRepresentation, by converter: Converter) {
        representation = form
        restriction = source.restriction
        self.index = index
        self.converter = converter
        origin = source.origin
        isWithoutTeam = false
    }
}

extension ResolvedItem {
    /// - Parameter audience: default team of this device.
    init(_ item: Item, number: Int, audience: Audience?) {
        self.init(
            number: number, title: item.title, givenTitle: item.givenTitle, fallbackTitle: item.fallbackTitle,
            representations: item.representations.enumerated().map { index, representation in
                ResolvedRepresentation(representation, at: index, audience: audience)
            },
            preview: item.preview)
    }
}
