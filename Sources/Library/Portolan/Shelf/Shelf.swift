import PortolanProtocol
import Synchronization

/// Items that a node shares until they are withdrawn, in the order of their addition.
///
/// Items with equal restrictions form a group: a peer's view omits whole groups, so that its cost does not reveal the
/// number of hidden items.
final class Shelf: Sendable {
    struct Entry: Sendable {
        let id: ItemID
        /// Position in the order of the shelf; greater for later items.
        let number: Int
        let item: Item
        /// Called with each event of the item.
        let events: @Sendable (ShareEvent) -> Void
    }

    /// Entry of a group.
    struct Member: Hashable, Sendable {
        let id: ItemID
        let number: Int
    }

    private struct State {
        var entries: [ItemID: Entry] = [:]
        /// By rising numbers.
        var groups: [ItemRights: [Member]] = [:]
        var next = 0

        mutating func insert(_ entry: Entry) {
            entries[entry.id] = entry
            let member = Member(id: entry.id, number: entry.number)
            let rights = ItemRights(entry.item)
            let place = groups[rights, default: []].firstPlace(after: entry.number)
            groups[rights, default: []].insert(member, at: place)
        }

        mutating func remove(_ id: ItemID) -> Entry? {
            guard let entry = entries.removeValue(forKey: id) else { return nil }
            let rights = ItemRights(entry.item)
            if let place = groups[rights]?.firstPlace(after: entry.number - 1) { groups[rights]?.remove(at: place) }
            if groups[rights]?.isEmpty == true { groups[rights] = nil }
            return entry
        }
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.entries.count } }

    /// True if the restriction of an item depends on this device's default team.
    var lacksAudience: Bool { state.withLock { $0.groups.keys.contains(where: \.lacksAudience) } }

    func entry(_ id: ItemID) -> Entry? { state.withLock { $0.entries[id] } }

    /// The members of each group that `isShown` is true of.
    func groups(where isShown: (ItemRights) -> Bool) -> [[Member]] {
        state.withLock(\.groups).filter { isShown($0.key) }.map(\.value)
    }

    func put(_ items: [Item], events: @escaping @Sendable (ShareEvent) -> Void) -> [ItemID] {
        state.withLock { state in
            items.map { item in
                var random = SystemRandomNumberGenerator()
                let bytes = (0..<ItemID.length).map { _ in UInt8.random(in: 0...255, using: &random) }
                guard let id = ItemID(bytes) else { preconditionFailure("They have the right length") }
                state.insert(Entry(id: id, number: state.next, item: item, events: events))
                state.next += 1
                return id
            }
        }
    }

    /// Puts an item on the shelf under a given identifier. Does nothing if it is already there.
    func put(_ item: Item, as id: ItemID, events: @escaping @Sendable (ShareEvent) -> Void) {
        state.withLock { state in
            guard state.entries[id] == nil else { return }
            state.insert(Entry(id: id, number: state.next, item: item, events: events))
            state.next += 1
        }
    }

    /// Replaces an item by its current state; does nothing if it was withdrawn.
    func update(_ id: ItemID, to item: Item) {
        state.withLock { state in
            guard let old = state.remove(id) else { return }
            state.insert(Entry(id: id, number: old.number, item: item, events: old.events))
        }
    }

    func withdraw(_ ids: [ItemID]) {
        // In reverse order, since removing the last item of a group moves no other.
        state.withLock { state in for id in ids.reversed() { _ = state.remove(id) } }
    }

    /// Withdraws an item whose source was replaced, and reports it once.
    func withdraw(_ entry: Entry, because reason: String) {
        guard state.withLock({ $0.remove(entry.id) }) != nil else { return }
        entry.events(.withdrawn(entry.id, title: entry.item.title, reason: reason))
    }
}

extension [Shelf.Member] {
    /// Index of the first member with a greater number.
    func firstPlace(after number: Int) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].number > number { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// Restrictions of an item's representations, as stored with the item.
struct ItemRights: Hashable, Sendable {
    private struct Right: Hashable {
        let requested: RequestedRestriction
        let kept: Restriction
    }

    private let rights: Set<Right>

    init(_ item: Item) { rights = Set(item.representations.map { Right(requested: $0.requested, kept: $0.kept) }) }

    /// True if a restriction depends on this device's default team.
    var lacksAudience: Bool { rights.contains(where: \.requested.lacksAudience) }

    /// True if a peer may see a representation.
    ///
    /// - Parameter audience: default team.
    func allow(_ standing: Standing, audience: Audience?) -> Bool {
        rights.contains { standing.maySee($0.requested.completed(with: audience).and($0.kept)) }
    }
}
