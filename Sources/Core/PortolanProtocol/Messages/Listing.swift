import Foundation
import SwiftProtobuf

// List and Listing: the items that a holder shows a requester, one part at a time.

extension Message {
    /// Asks for one part of the items that the holder shows this requester.
    package struct List: Hashable, Sendable {
        package let id: UInt64
        /// `next` of the part before; empty for the first. At most ``Limits/listPlace`` bytes, which mean something to
        /// the holder alone.
        package let after: [UInt8]
        /// Largest number of items in the answer; 0 leaves it to the holder.
        package let most: Int

        package init(id: UInt64, after: [UInt8], most: Int) {
            precondition(after.count <= Limits.listPlace, "A place in a list has at most 32 bytes")
            precondition(UInt32(exactly: most) != nil, "A number of items has 32 bits")
            self.id = id
            self.after = after
            self.most = most
        }
    }

    /// Answers a List with one part of the items.
    package struct Listing: Hashable, Sendable {
        /// Item of the holder, as this requester may see it at this moment.
        package struct Entry: Hashable, Sendable {
            package let id: ItemID
            package let item: OfferedItem

            /// - Parameter item: its sources, its parcel, and the content that would come with an offer, are left out.
            package init(id: ItemID, item: OfferedItem) {
                self.id = id
                self.item = item.listed
            }
        }

        /// The number of the List that it answers.
        package let id: UInt64
        /// At most ``Limits/items``, and none twice. May be empty although more follows.
        package let items: [Entry]
        /// The place from which the next part goes on; empty where nothing follows.
        package let next: [UInt8]

        package init(id: UInt64, items: [Entry], next: [UInt8]) throws(InvalidValue) {
            try InvalidValue.checkCount(items.count, "items in one Listing", maximum: Limits.items)
            for entry in items { try entry.item.checkMayBeShown() }
            try InvalidValue.check(Set(items.map(\.id)).count == items.count, "A Listing names one item twice.")
            try Self.checkPlace(next)
            self.id = id
            self.items = items
            self.next = next
        }

        fileprivate static func checkPlace(_ place: some Collection) throws(InvalidValue) {
            try InvalidValue.check(
                place.count <= Limits.listPlace,
                limit: "A place in a list has at most \(Limits.listPlace) bytes; this one has \(place.count).")
        }

        /// Returns the number of entries, counted from the first, that one Listing can hold.
        ///
        /// - Parameter most: as the List says.
        /// - Returns: 0 where the first entry alone is larger than a control record.
        package static func count(fitting entries: some Sequence<Entry>, most: Int) -> Int {
            var room = Room(most: most)
            return entries.prefix { room.take($0) }.reduce(0) { count, _ in count + 1 }
        }

        /// Room that is left in a Listing.
        package struct Room: Sendable {
            // The request's number and the place, both at their longest, and the header of each field.
            private var bytes = Limits.control - 64
            private var items: Int

            /// - Parameter most: as the List says.
            package init(most: Int) { items = most == 0 ? Limits.items : min(most, Limits.items) }

            /// Takes the room of an entry.
            ///
            /// - Returns: true if there was enough; if not, nothing has changed.
            package mutating func take(_ entry: Entry) -> Bool {
                guard items > 0 else { return false }
                let size = entry.encodedSize
                guard size <= bytes else { return false }
                bytes -= size
                items -= 1
                return true
            }
        }
    }
}

// MARK: - Wire

extension Message.List {
    init(_ wire: WireList) throws(InvalidValue) {
        try Message.Listing.checkPlace(wire.after)
        self.init(id: wire.requestID, after: Array(wire.after), most: Int(wire.most))
    }

    var wire: WireList {
        .with {
            $0.requestID = id
            $0.after = Data(after)
            $0.most = UInt32(most)
        }
    }
}

extension Message.Listing {
    init(_ wire: WireListing) throws(InvalidValue) {
        try InvalidValue.checkCount(wire.items.count, "items in one Listing", maximum: Limits.items)
        let items = try wire.items.map { entry throws(InvalidValue) in try Entry(entry) }
        try self.init(id: wire.requestID, items: items, next: Array(wire.next))
    }

    var wire: WireListing {
        .with {
            $0.requestID = id
            $0.items = items.map(\.wire)
            $0.next = Data(next)
        }
    }
}

extension Message.Listing.Entry {
    init(_ wire: WireListedItem) throws(InvalidValue) {
        let item = try OfferedItem(wire.item)
        try InvalidValue.check(
            item.representations.allSatisfy(\.source.isEmpty), "A listed item names a source, which only an offer does."
        )
        guard item.inline == nil else { throw InvalidValue("A listed item brings content, which only an offer does.") }
        guard item.parcelItem == nil else { throw InvalidValue("A listed item is part of no parcel.") }
        self.init(id: try ItemID(wire: wire.id), item: item)
    }

    var wire: WireListedItem {
        .with {
            $0.id = id.wire
            $0.item = item.wire
        }
    }

    /// The bytes that it takes in a Listing, with its tag and its length.
    fileprivate var encodedSize: Int {
        do {
            let bytes: [UInt8] = try wire.serializedBytes()
            // A length has seven bits in a byte; that of an item has three bytes at most, or the item is too large
            // anyway.
            return bytes.count + (bytes.count < 1 << 7 ? 2 : bytes.count < 1 << 14 ? 3 : 4)
        } catch {
            preconditionFailure("A listed item cannot be serialized: \(error)")
        }
    }
}
