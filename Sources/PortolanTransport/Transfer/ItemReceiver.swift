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

    func report(_ event: ReceivingEvent)
}

/// Takes in one item. Called in the order of the wire and where blocking calls are allowed.
package protocol ItemSink {
    func add(_ entry: Message.Entry) throws
    func write(_ header: PayloadHeader, _ bytes: UnsafeRawBufferPointer) throws
    func finish(_ entryEnd: Message.EntryEnd) throws
    /// Everything came. When this returns, the item is durably where it belongs.
    func complete(_ end: Message.End) async throws -> StoredItem
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
    case received(item: Int, bytes: UInt64)
    case stored(item: Int, representation: Int, StoredItem)
    /// The item will not be had; why, in our own words.
    case failed(item: Int, sentence: String)
}
