import PortolanProtocol
import Synchronization

/// Items that a node shares until they are withdrawn, in the order in which they were put there.
final class Shelf: Sendable {
    struct Entry: Sendable {
        let id: ItemID
        let item: Item
        /// Told what becomes of it.
        let events: @Sendable (ShareEvent) -> Void
    }

    private let state = Mutex<[Entry]>([])

    var entries: [Entry] { state.withLock(\.self) }

    func put(_ items: [Item], events: @escaping @Sendable (ShareEvent) -> Void) -> [ItemID] {
        state.withLock { entries in
            items.map { item in
                var random = SystemRandomNumberGenerator()
                let bytes = (0..<ItemID.length).map { _ in UInt8.random(in: 0...255, using: &random) }
                guard let id = ItemID(bytes) else { preconditionFailure("They have the right length") }
                entries.append(Entry(id: id, item: item, events: events))
                return id
            }
        }
    }

    func withdraw(_ ids: [ItemID]) {
        let ids = Set(ids)
        state.withLock { $0.removeAll { ids.contains($0.id) } }
    }
}
