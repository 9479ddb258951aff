import PortolanFiles
import PortolanProtocol
import PortolanTransport
import PortolanTrust
import PortolanValues

/// The shelf as one peer may see it at one moment.
///
/// The restrictions that are stored with an item come first: the disk is looked at for an item only where they show it
/// to the peer.
struct ShelfView {
    let shelf: Shelf
    let standing: Standing
    /// This device's default team.
    let audience: Audience?
    /// Looks at an item's files. Throws `FileError` of the kind `sourceChanged` where they are not what was shared any
    /// more.
    var refresh: (Item) throws -> Item = { try $0.refreshed() }

    func shows(_ rights: ItemRights) -> Bool { rights.allow(standing, audience: audience) }

    /// An item as it is now; nil for one that is not there, or that the peer may not see. Withdraws one that is not
    /// what was shared any more.
    ///
    /// - Throws: `TransportError.busy` where this process can look at nothing at the moment.
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

/// A list of one peer, which goes on from part to part as the shelf was when it began.
struct ShelfListCursor {
    /// Items in one part where the peer names no number.
    static let usualPart = 256

    /// The groups that the peer could see when its list began, and the item that was listed last. Groups are shared
    /// with the shelf as long as it does not change.
    private struct Position {
        let groups: [[Shelf.Member]]
        let last: Shelf.Member
    }

    private var position: Position?

    /// The next part.
    ///
    /// A place is the identifier of the item that was listed last, which tells nothing of what is hidden.
    ///
    /// - Parameter describe: an item as the peer is shown it; nil for one that is not shown, or cannot be described to
    ///   anybody.
    /// - Returns: nil if there is no going on from that place.
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
        // An item that the peer may not see is no place for it, either.
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
    /// The same with the sizes and restrictions that its files have now. May block.
    ///
    /// - Throws: `FileError` where one is not what was shared any more, or nothing more can be opened.
    func refreshed() throws(FileError) -> Item {
        var item = self
        item.representations = try representations.map { form throws(FileError) in try form.refreshed() }
        return item
    }
}
