import PortolanProtocol

/// An item that a peer shares with this device. All its texts are the peer's: show them through `DisplayText`.
public struct SharedItem: Sendable, Hashable, Identifiable {
    /// Form of the item.
    public struct Form: Sendable, Hashable {
        public let type: OfferedType
        public let suggestedName: String?
        /// Bytes of content; nil if the peer does not know.
        public let size: UInt64?
        public let isFolder: Bool
        /// Peers to which it may be passed on.
        public let restriction: Restriction
    }

    public let id: ItemID
    public let title: String
    /// Forms in the peer's order of preference.
    public let forms: [Form]
    public let preview: ItemPreview?

    /// Largest apparent size of its forms, in bytes; nil if one of them is unknown.
    let mostBytes: UInt64?

    init(_ entry: Message.Listing.Entry) {
        let sizes = entry.item.representations.map { $0.apparentSize ?? $0.size }
        mostBytes = sizes.contains(nil) ? nil : sizes.compactMap(\.self).max()

        id = entry.id
        title = entry.item.title
        forms = entry.item.representations.map {
            Form(
                type: $0.type, suggestedName: $0.suggestedName, size: $0.size, isFolder: $0.isFolder,
                restriction: $0.restriction)
        }
        preview = entry.item.preview
    }

    /// Items that `text` means: those with that title or name, or if there is none, those whose title, name or
    /// identifier begins with it, regardless of case.
    public static func meant(by text: String, among items: [SharedItem]) -> [SharedItem] {
        let wanted = text.lowercased()
        func names(_ item: SharedItem) -> [String] {
            ([item.title] + item.forms.compactMap(\.suggestedName)).map { $0.lowercased() }
        }
        let exact = items.filter { names($0).contains(wanted) }
        guard exact.isEmpty, !wanted.isEmpty else { return exact }
        return items.filter { item in
            names(item).contains { $0.hasPrefix(wanted) }
                || (wanted.count >= 8 && item.id.description.hasPrefix(wanted))
        }
    }
}

extension ItemID: CustomStringConvertible {
    /// 32 hexadecimal digits.
    public var description: String { Hexadecimal.text(bytes) }
}
