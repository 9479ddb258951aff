/// Values to share, with a message and a preview for the receiver, as in a share button.
///
/// ```swift
/// let link = ShareLink(item: photo, message: "From the harbour", preview: SharePreview("Harbour", image: photo))
/// let deliveries = try await node.send(link, to: peer)
/// ```
///
/// A preview is required unless the value is a text or a URL, which show themselves.
public struct ShareLink<Data: RandomAccessCollection & Sendable, PreviewImage: Transferable, PreviewIcon: Transferable>:
    Sendable
where Data.Element: Transferable {
    let items: Data
    let subject: String?
    let message: String?
    let preview: @Sendable (Data.Element) -> SharePreview<PreviewImage, PreviewIcon>

    /// - Parameters:
    ///   - subject: precedes the message.
    ///   - message: shown to the receiver's user with each item; subject and message have at most 1024 bytes together.
    public init(
        items: Data, subject: String? = nil, message: String? = nil,
        preview: @escaping @Sendable (Data.Element) -> SharePreview<PreviewImage, PreviewIcon>
    ) {
        self.items = items
        self.subject = subject
        self.message = message
        self.preview = preview
    }

    public init<Item: Transferable>(
        item: Item, subject: String? = nil, message: String? = nil,
        preview: SharePreview<PreviewImage, PreviewIcon>
    ) where Data == CollectionOfOne<Item> {
        self.init(items: CollectionOfOne(item), subject: subject, message: message) { _ in preview }
    }
}

extension ShareLink where PreviewImage == Never, PreviewIcon == Never {
    public init(items: Data, subject: String? = nil, message: String? = nil) where Data.Element == String {
        self.init(items: items, subject: subject, message: message) { SharePreview($0.title) }
    }

    public init(items: Data, subject: String? = nil, message: String? = nil) where Data.Element == URL {
        self.init(items: items, subject: subject, message: message) { SharePreview($0.absoluteString) }
    }

    public init(item: String, subject: String? = nil, message: String? = nil) where Data == CollectionOfOne<String> {
        self.init(items: CollectionOfOne(item), subject: subject, message: message)
    }

    public init(item: URL, subject: String? = nil, message: String? = nil) where Data == CollectionOfOne<URL> {
        self.init(items: CollectionOfOne(item), subject: subject, message: message)
    }
}

extension ShareLink {
    /// Makes the items of the values, with previews.
    ///
    /// - Throws: `InvalidValue` for a subject and message that are too long, or when representations refer to each
    ///   other without end.
    func makeItems() async throws -> [Item] {
        let words = [subject, message].compactMap(\.self).joined(separator: "\n")
        var made: [Item] = []
        for value in items {
            let preview = preview(value)
            var item = try Item(value, title: preview.title)
            item.preview = try await preview.itemPreview(message: words)
            made.append(item)
        }
        return made
    }
}

extension Node {
    /// Sends the values of a share link.
    ///
    /// - Parameter events: called in order, from any thread; must return quickly.
    /// - Returns: outcome of each item.
    /// - Throws: `NodeError` when no session comes about or it breaks, `CancellationError`.
    public func send<Data, PreviewImage, PreviewIcon>(
        _ link: ShareLink<Data, PreviewImage, PreviewIcon>, to peer: Peer,
        events: @escaping @Sendable (SendEvent) -> Void = { _ in }
    ) async throws -> [Delivery] {
        let items: [Item]
        do {
            items = try await link.makeItems()
        } catch {
            throw NodeError(.badInput, "\(error)")
        }
        return try await send(items, to: peer, events: events)
    }
}
