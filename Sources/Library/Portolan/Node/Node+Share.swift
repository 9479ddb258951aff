import PortolanFiles
import PortolanTransport

extension Node {
    /// Shares items until the task is cancelled: peers list and fetch the items of which they may see a representation.
    ///
    /// Visibility is evaluated at each list and each request, and while an item is sent. A file is sent in its state at
    /// the time of the request, and may be replaced by another regular file of the same owner in the same folder. Any
    /// other replacement of a file or folder withdraws the item. A file that only this user may read does not replace a
    /// shared one.
    ///
    /// - Parameter events: called with each event, from any thread; must return quickly.
    /// - Throws: `NodeError` for an item that no peer may see, or when the port cannot be used; `StoreError`.
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
        let held = try await holding(items)
        let ids = shelf.put(held, events: events)
        defer { shelf.withdraw(ids) }
        for (id, item) in zip(ids, items) { events(.shared(id, title: item.title)) }
        try await service.share { events(.node($0)) }
    }

    /// Returns the items bound to the files and folders to which their paths lead now.
    ///
    /// - Throws: `NodeError` for a path that leads to none.
    package func holding(_ items: [Item]) async throws -> [Item] {
        do {
            return try await withBlockingThread {
                try environment.confirmNotOwn(items)
                return try items.map { try $0.holding() }
            }
        } catch let error as FileError {
            throw NodeError(.noInput, "\(error)")
        }
    }
}

extension ItemRepresentation {
    fileprivate var isReadOnce: Bool { if case .stream = content { true } else { false } }
}

extension Item {
    /// Returns a copy that is bound to the current files and folders of its paths. May block.
    fileprivate func holding() throws(FileError) -> Item {
        var item = self
        item.representations = try representations.map { form throws(FileError) in try form.holding() }
        return item
    }
}
