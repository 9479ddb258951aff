import PortolanFiles
import PortolanProtocol
import PortolanTransport

/// Part of the shelf that one peer may see, at one moment.
///
/// The stored restrictions are checked first: the disk is read only for items that they allow the peer to see.
struct ShelfView {
    let shelf: Shelf
    let standing: Standing
    /// This device's default team.
    let audience: Audience?
    /// Reads the state of an item's files. Throws `FileError` of the kind `sourceChanged` if one of them was replaced.
    var refresh: (Item) throws -> Item = { try $0.refreshed() }

    func shows(_ rights: ItemRights) -> Bool { rights.allow(standing, audience: audience) }

    /// Returns the current state of an item; nil if it is not on the shelf or the peer may not see it. Withdraws an
    /// item whose source was replaced.
    ///
    /// - Throws: `TransportError.busy` if no descriptor is left at the moment.
    func look(at id: ItemID) throws -> (entry: Shelf.Entry, item: ResolvedItem)? {
        guard let entry = shelf.entry(id), shows(ItemRights(entry.item)) else { return nil }
        let item: Item
        do {
            item = try refresh(entry.item)
        } catch let error as FileError where error.kind == .sourceChanged {
            shelf.withdraw(entry, because: "\(error)")
            return nil
        } catch let error as FileError where error.kind == .tooManyOpenFiles {
            throw TransportError.busy
        }
        let rights = ItemRights(item)
        if rights != ItemRights(entry.item) {
            shelf.update(id, to: item)
            guard shows(rights) else { return nil }
        }
        // Each is offered alone.
        return (entry, ResolvedItem(item, number: 0, audience: audience))
    }
}

/// List for one peer, in parts, over the shelf at the time of the first part.
struct ShelfListCursor {
    /// Items in one part where the peer names no number.
    static let usualPart = 256

    /// Groups that were visible when the list began, and the last listed item. The groups share storage with the shelf
    /// until it changes.
    private struct Position {
        let groups: [[Shelf.Member]]
        let last: Shelf.Member
    }

    private var position: Position?

    /// Returns the next part of the list, and the position behind it.
    ///
    /// A position is the identifier of the item that was listed last, which reveals no hidden item.
    ///
    /// - Parameter describe: returns an item as it is offered to the peer; nil if it is not visible or cannot be
    ///   described.
    /// - Returns: nil if the list cannot continue from that place.
    /// - Throws: errors of ``ShelfView/look(at:)``.
    mutating func part(
        after place: [UInt8], most: Int, of view: ShelfView, describedBy describe: (ResolvedItem) -> OfferedItem?
    ) throws -> (items: [Message.Listing.Entry], next: [UInt8])? {
        guard var rest = members(after: place, of: view) else { return nil }
        let groups = rest.groups
        var room = Message.Listing.Room(most: most == 0 ? Self.usualPart : most)
        var entries: [Message.Listing.Entry] = []
        var last: Shelf.Member?
        while let member = rest.next() {
            guard let (entry, item) = try view.look(at: member.id), let offered = describe(item) else { continue }
            let listed = Message.Listing.Entry(id: entry.id, item: offered)
            if room.take(listed) {
                entries.append(listed)
                last = member
            } else if let last {
                position = Position(groups: groups, last: last)
                return (entries, last.id.bytes)
            }
            // An item that is too large for any answer is skipped.
        }
        position = nil
        return (entries, [])
    }

    private func members(after place: [UInt8], of view: ShelfView) -> MembersInOrder? {
        if place.isEmpty { return MembersInOrder(view.shelf.groups(where: view.shows), after: -1) }
        if let position, position.last.id.bytes == place {
            return MembersInOrder(position.groups, after: position.last.number)
        }
        // The identifier of a hidden item is not accepted as a place.
        guard let id = ItemID(place), let entry = view.shelf.entry(id), view.shows(ItemRights(entry.item)) else {
            return nil
        }
        return MembersInOrder(view.shelf.groups(where: view.shows), after: entry.number)
    }
}

/// The members of several groups in the order of the shelf.
private struct MembersInOrder {
    let groups: [[Shelf.Member]]
    private var places: [Int]

    init(_ groups: [[Shelf.Member]], after number: Int) {
        self.groups = groups
        places = groups.map { $0.firstPlace(after: number) }
    }

    mutating func next() -> Shelf.Member? {
        let open = groups.indices.filter { places[$0] < groups[$0].count }
        guard let first = open.min(by: { groups[$0][places[$0]].number < groups[$1][places[$1]].number }) else {
            return nil
        }
        defer { places[first] += 1 }
        return groups[first][places[first]]
    }
}

extension Item {
    /// Returns a copy with the current sizes and restrictions of the files. May block.
    ///
    /// - Throws: `FileError` if a file was replaced, or no descriptor is left.
    func refreshed() throws(FileError) -> Item {
        var item = self
        item.representations = try representations.map { form throws(FileError) in try form.refreshed() }
        return item
    }
}
