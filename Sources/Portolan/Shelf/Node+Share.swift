import PortolanProtocol
import PortolanTrust

/// What happens at a node that shares.
public enum ShareEvent: Sendable {
    /// Of the node itself: that it listens, under which name, who was refused, what its owner should know.
    case node(ReceiveEvent)
    /// The item can be listed and fetched from now on.
    case shared(ItemID, title: String)
    /// What happens while a peer fetches it; its ``SendEvent/settled(_:)`` says what became of it.
    case sending(ItemID, to: RemotePeer, SendEvent)
}

extension Node {
    /// Keeps items on offer until the task is cancelled: peers list those of which they may see a representation, and fetch them.
    ///
    /// Who may see what is evaluated at each list and each request, and while it is sent. A file is offered as it is when it is asked for.
    ///
    /// - Parameter events: told what happens, from any thread; to be quick.
    /// - Throws: `NodeError` for an item that can be shared with nobody, or when the port cannot be used; `StoreError`.
    public func share(_ items: [Item], events: @escaping @Sendable (ShareEvent) -> Void = { _ in }) async throws {
        for item in items {
            if item.representations.contains(where: \.isReadOnce) {
                throw NodeError(
                    .badInput,
                    "“\(DisplayText(item.title, limit: 100))” can be read once, so it cannot stay on offer; send it.")
            }
            guard !item.representations.isEmpty else {
                throw NodeError(.badInput, "“\(DisplayText(item.title, limit: 100))” has no representation to share.")
            }
        }
        let ids = shelf.put(items, events: events)
        defer { shelf.withdraw(ids) }
        for (id, item) in zip(ids, items) { events(.shared(id, title: item.title)) }
        try await service.share(at: self) { events(.node($0)) }
    }
}

extension ItemRepresentation {
    fileprivate var isReadOnce: Bool { if case .stream = content { true } else { false } }
}

extension Item {
    /// The same with the sizes that its files have now. What cannot be looked at fails when it is sent. May block.
    func refreshed() -> Item {
        var item = self
        item.representations = representations.map(\.refreshed)
        return item
    }
}

extension ItemRepresentation {
    fileprivate var refreshed: ItemRepresentation {
        guard let sourcePath,
            var fresh = try? ItemRepresentation.file(at: sourcePath, contentType: contentType, requested: requested)
        else { return self }
        fresh.suggestedName = suggestedName
        return fresh
    }
}
