import PortolanCrypto
import PortolanFiles
import PortolanProtocol

/// Receiver of items: decides about offers and stores their content.
package protocol ItemReceiver: Sendable {
    /// Returns one decision for each item. May take as long as a person needs, and is cancelled when the sender
    /// disconnects.
    func decide(on offer: Offer) async -> [ItemDecision]

    /// Returns another representation of an item whose representations in `tried` were not available; nil for none.
    func choose(item: Int, from offered: OfferedItem, excluding tried: Set<Int>) -> Int?

    /// Terms on which an accepted file or folder is sent.
    func terms(item: Int, representation: Int, of offered: OfferedItem) -> LaneTerms

    /// Makes the sink of an arriving item.
    ///
    /// - Throws: `FileError`, or another error whose description is a sentence for this side.
    func receive(item: Int, _ representation: OfferedRepresentation, of offered: OfferedItem, as begin: Message.Begin)
        throws -> any ItemSink

    /// Returns the results of items that are stored together, after all accepted items have come or failed.
    ///
    /// - Parameter items: those whose sink answered `.waitsForOthers`, in the order of the offer.
    /// - Returns: one verdict for each of them.
    func conclude(_ items: [Int]) async -> [Result<StoredItem, RefusedByReceiver>]

    /// Returns the item with this side's receipt; called after it is durable and before it is confirmed.
    func signed(item: Int, _ stored: StoredItem) -> StoredItem

    /// Confirms a stored item before its receipt is sent, such as by recording it. An error fails the item: it is taken
    /// back (``ItemSink/withdraw()``), and the sender may send it again.
    func confirm(item: Int, representation: Int, _ stored: StoredItem) async throws

    func report(_ event: ReceivingEvent)

    /// Returns the largest accepted size of the item, in bytes, holes counted; nil sets no limit.
    func sizeLimit(of item: Int) -> UInt64?
}

extension ItemReceiver {
    package func sizeLimit(of item: Int) -> UInt64? { nil }

    package func terms(item: Int, representation: Int, of offered: OfferedItem) -> LaneTerms { LaneTerms() }

    package func signed(item: Int, _ stored: StoredItem) -> StoredItem { stored }

    package func confirm(item: Int, representation: Int, _ stored: StoredItem) {}

    package func conclude(_ items: [Int]) async -> [Result<StoredItem, RefusedByReceiver>] {
        preconditionFailure("A receiver whose sinks make items wait says what becomes of them")
    }
}

/// Refusal of an item that was accepted and came complete. Where a sink throws it, another representation may be tried.
package struct RefusedByReceiver: Error, CustomStringConvertible {
    /// For the sender.
    package let description: String

    package init(_ sentence: String) { description = sentence }
}

/// Result of a complete item.
package enum Completion: Sendable {
    /// The item is durably in its final place.
    case stored(StoredItem)
    /// The item came complete; the receiver decides about it together with the other items of its offer.
    case waitsForOthers
}

/// Stores one item. Its calls may block.
///
/// Data is written in the order of the wire by one thread. Content of lanes comes from several threads at once: one of
/// them adds entries in their order, all of them write pieces of files in any order.
package protocol ItemSink: Sendable {
    /// Creates the entry, or finds its present parts.
    ///
    /// - Returns: the missing content of a file.
    func add(_ entry: TreeEntryElement) throws -> ContentNeed
    /// Stores the whole content of a small file.
    func content(_ entry: UInt32, _ bytes: UnsafeRawBufferPointer) throws
    /// Writes a piece of a file, or of data, which is entry 0.
    func write(_ entry: UInt32, at offset: UInt64, _ bytes: UnsafeRawBufferPointer) throws
    /// Stores a piece of a file that reads as zeros.
    func hole(_ entry: UInt32, at offset: UInt64, length: UInt64) throws
    /// Finishes a file that came in pieces and is whole.
    func finish(_ entry: UInt32, size: UInt64) throws
    /// Leaves out a file that the sender could not read to its end.
    func leaveOut(_ entry: UInt32, because reason: Loss.Reason) throws
    /// Returns the digest of the local bytes of a block of a file; nil if they cannot be read.
    func digest(_ entry: UInt32, block: UInt64) throws -> [UInt8]?
    /// Returns the number of present bytes of a file to be compared, without its holes; nil if all of it counts.
    func claimedContent(_ entry: UInt32) -> UInt64?
    /// Allows files to come as differences. Called before the first entry; a sink may ignore it.
    func allowDifferences()
    /// Returns the earlier version of a file that comes as a difference; nil if there is none any more.
    func base(of entry: UInt32) throws -> BaseFile?
    /// Copies a part of the earlier version into a file that comes as a difference.
    func copy(_ copy: CopyElement) throws
    /// Finishes a file that came in pieces and is whole; it must have this `FileDigest`.
    func finish(_ entry: UInt32, size: UInt64, digest: FileDigest) throws
    /// True if this side wants the transfer to stop. Polled during the transfer.
    var isToStop: Bool { get }
    /// Completes the item after all of its content has come.
    func complete(_ end: Message.End) async throws -> Completion
    /// Takes back the item that ``complete(_:)`` stored, as far as possible. Called at most once.
    func withdraw() throws
    /// Makes long calls fail soon, unless a disk blocks them, because the item is not wanted any more. Called from any
    /// thread, at any time.
    func interrupt()
    /// Suspends the item and keeps its content for a later resumption, if possible. Harmless at any time.
    func suspend()
    /// Discards the item and its content. Harmless at any time.
    func discard()
}

extension ItemSink {
    package func claimedContent(_ entry: UInt32) -> UInt64? { nil }
    package func allowDifferences() {}
    package func base(of entry: UInt32) throws -> BaseFile? { nil }
    package func copy(_ copy: CopyElement) throws { preconditionFailure("Nothing comes by its difference") }
    package func finish(_ entry: UInt32, size: UInt64, digest: FileDigest) throws {
        preconditionFailure("Nothing comes by its difference")
    }
    package var isToStop: Bool { false }
    package func withdraw() {}
    package func interrupt() {}
}

/// For a sink that takes data alone.
extension ItemSink {
    package func add(_ entry: TreeEntryElement) -> ContentNeed { preconditionFailure("Data has no entries") }
    package func content(_ entry: UInt32, _ bytes: UnsafeRawBufferPointer) {
        preconditionFailure("Data has no entries")
    }
    package func hole(_ entry: UInt32, at offset: UInt64, length: UInt64) { preconditionFailure("Data has no holes") }
    package func finish(_ entry: UInt32, size: UInt64) { preconditionFailure("Data has no entries") }
    package func leaveOut(_ entry: UInt32, because reason: Loss.Reason) {
        preconditionFailure("Data has no entries")
    }
    package func digest(_ entry: UInt32, block: UInt64) -> [UInt8]? { nil }
}

/// Error of an item that was stopped on this side.
package struct ReceivingStopped: Error, CustomStringConvertible {
    package let description = "It was stopped here, and nothing of it is kept."
}

/// Events of receiving items, for observers.
package enum ReceivingEvent: Sendable {
    case began(item: Int, representation: Int, size: UInt64?)
    /// Bytes of the item that were kept from an earlier transfer.
    case resumed(item: Int, kept: UInt64)
    case received(item: Int, Advance)
    /// Total of an arriving folder, as far as its sender knows.
    case found(item: Int, bytes: UInt64, isAll: Bool)
    case stored(item: Int, representation: Int, StoredItem)
    /// The item will not be had; why, in our own words.
    case failed(item: Int, sentence: String)
}
