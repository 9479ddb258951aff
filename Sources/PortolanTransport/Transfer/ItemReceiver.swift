import PortolanProtocol

/// Whoever decides about offers and takes in what comes of them.
package protocol ItemReceiver: Sendable {
    /// One decision for each item. May take as long as a person needs, and is cancelled when the sender goes away.
    func decide(on offer: Offer) async -> [ItemDecision]

    /// Another representation of an item of which those in `tried` could not be had, or nil for none.
    func choose(from item: OfferedItem, excluding tried: Set<Int>) -> Int?

    /// Makes room for an item that is about to arrive.
    ///
    /// - Throws: `FileError`, or another error whose description is a sentence for this side.
    func receive(item: Int, _ representation: OfferedRepresentation, of offered: OfferedItem, as begin: Message.Begin)
        throws -> any ItemSink

    /// Says what becomes of the items that wait for each other, now that everything that was taken has come or failed.
    ///
    /// - Parameter items: those whose sink answered `.waitsForOthers`, in the order of the offer.
    /// - Returns: one verdict for each of them.
    func conclude(_ items: [Int]) async -> [Result<StoredItem, RefusedByReceiver>]

    func report(_ event: ReceivingEvent)
}

extension ItemReceiver {
    package func conclude(_ items: [Int]) async -> [Result<StoredItem, RefusedByReceiver>] {
        preconditionFailure("A receiver whose sinks make items wait says what becomes of them")
    }
}

/// What was taken and came whole is not wanted after all.
package struct RefusedByReceiver: Error, CustomStringConvertible {
    /// For the sender.
    package let description: String

    package init(_ sentence: String) { description = sentence }
}

/// How an item ends.
package enum Completion: Sendable {
    /// It is durably where it belongs.
    case stored(StoredItem)
    /// It came whole; what becomes of it is decided together with the others of its offer.
    case waitsForOthers
}

/// Takes in one item. Called in the order of the wire and where blocking calls are allowed.
package protocol ItemSink {
    func add(_ entry: Message.Entry) throws
    func write(_ header: PayloadHeader, _ bytes: UnsafeRawBufferPointer) throws
    func finish(_ entryEnd: Message.EntryEnd) throws
    /// Everything came.
    func complete(_ end: Message.End) async throws -> Completion
    /// Nothing of it is wanted any more. Harmless at any time.
    func discard()
}

/// An importer could make nothing of an item; another representation may serve.
package struct ImportFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ error: any Error) {
        description = "It could not be imported: \(error)"
    }
}

/// What happens while items are received, for whoever watches.
package enum ReceivingEvent: Sendable {
    case began(item: Int, representation: Int, size: UInt64?)
    /// So many bytes of it were kept from before.
    case resumed(item: Int, kept: UInt64)
    case received(item: Int, bytes: UInt64)
    case stored(item: Int, representation: Int, StoredItem)
    /// The item will not be had; why, in our own words.
    case failed(item: Int, sentence: String)
}
