import PortolanTrust
import PortolanValues

/// Item of the sender with all its representations, including hidden ones; never sent unchanged.
///
/// Limits apply to the part that a peer is shown, so none is checked here: hidden representations do not count.
public struct CandidateItem: Hashable, Sendable {
    /// Title that the sender's user gave; nil shows each peer the name of the first representation it may see.
    public let title: String?
    /// Title for a peer that may see no representation with a name; reveals nothing about any representation.
    public let fallbackTitle: String
    /// In the sender's order of preference.
    public let representations: [OfferedRepresentation]
    public let preview: CandidatePreview?
    /// Identifier of the item in the sender's parcel; nil without a parcel.
    public let parcelItem: UInt64?

    public init(
        title: String?, fallbackTitle: String = "item", representations: [OfferedRepresentation],
        preview: CandidatePreview? = nil, parcelItem: UInt64? = nil
    ) {
        self.title = title
        self.fallbackTitle = fallbackTitle
        self.representations = representations
        self.preview = preview
        self.parcelItem = parcelItem
    }

    /// Returns the title for a peer of `standing`; nil if it may see no representation.
    public func title(to standing: Standing) -> String? {
        let visible = representations.filter { standing.maySee($0.restriction) }
        return visible.isEmpty ? nil : title(showing: visible)
    }

    /// Returns the title for a peer that may see these representations of the item.
    func title(showing visible: [OfferedRepresentation]) -> String {
        title ?? visible.lazy.compactMap(\.suggestedName).first ?? fallbackTitle
    }
}

/// Preview of the sender's item, each picture with the restriction of its source content; never sent unchanged.
public struct CandidatePreview: Hashable, Sendable {
    public struct Picture: Hashable, Sendable {
        public let picture: ItemPreview.Picture
        public let restriction: Restriction

        public init(_ picture: ItemPreview.Picture, restriction: Restriction = .everyone) {
            self.picture = picture
            self.restriction = restriction
        }
    }

    public let message: String
    public let image: Picture?
    public let icon: Picture?

    /// - Parameter message: shown to every peer that is shown the item.
    /// - Throws: `InvalidValue` for a message that is too long or no text.
    public init(message: String = "", image: Picture? = nil, icon: Picture? = nil) throws(InvalidValue) {
        self.message = try ItemPreview(message: message).message
        self.image = image
        self.icon = icon
    }

    /// Makes a preview for every peer that is shown the item.
    public init(_ preview: ItemPreview) {
        message = preview.message
        image = preview.image.map { Picture($0) }
        icon = preview.icon.map { Picture($0) }
    }

    /// Returns the part that a peer of `standing` may see; nil if nothing is left.
    func visible(to standing: Standing) -> ItemPreview? {
        func seen(_ picture: Picture?) -> ItemPreview.Picture? {
            picture.flatMap { standing.maySee($0.restriction) ? $0.picture : nil }
        }
        let (image, icon) = (seen(image), seen(icon))
        guard !message.isEmpty || image != nil || icon != nil else { return nil }
        return ItemPreview(checked: message, image: image, icon: icon)
    }
}
