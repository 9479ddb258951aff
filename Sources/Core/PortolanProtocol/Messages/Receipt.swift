import Foundation
import SwiftProtobuf

extension Message {
    /// The receiver's last word about an item it had taken.
    package struct Receipt: Hashable, Sendable {
        package let offer: UInt64
        package let item: UInt32
        package let outcome: Outcome

        package enum Outcome: Hashable, Sendable {
            case stored(StoredItem)
            case failed(StoringFailure)
        }

        package init(offer: UInt64, item: UInt32, outcome: Outcome) {
            self.offer = offer
            self.item = item
            self.outcome = outcome
        }
    }
}

/// The receiver's word that it durably has an item.
public struct StoredItem: Hashable, Sendable {
    /// The name it was stored under; empty where it became no file. From a peer: shown through `DisplayText` only.
    public let name: [UInt8]
    /// Payload bytes that were stored.
    public let bytes: UInt64
    /// Files, folders and links that were stored.
    public let entries: UInt32
    /// Parts that either side omitted.
    public let omissions: Omissions
    /// Number of entries that the receiver had before.
    public let keptEntries: UInt32
    /// Number of bytes that the receiver had before, and that were not sent.
    public let keptBytes: UInt64
    /// True if a stored item was brought up to date.
    public let isUpdated: Bool
    /// Files of an updated folder that came from its source earlier and did not come this time. They stay.
    public let surplusEntries: UInt32
    /// The receiver's signed word on it, which a sender of this session has verified; nil where there is none.
    public let receipt: DeliveryReceipt?

    public init(
        name: [UInt8] = [], bytes: UInt64, entries: UInt32 = 0, omissions: Omissions = Omissions(),
        keptEntries: UInt32 = 0, keptBytes: UInt64 = 0, isUpdated: Bool = false, surplusEntries: UInt32 = 0,
        receipt: DeliveryReceipt? = nil
    ) throws(InvalidValue) {
        try InvalidValue.checkName(name)
        try InvalidValue.checkSize(bytes, "A stored item")
        try InvalidValue.checkSize(keptBytes, "What was kept")
        self.name = name
        self.bytes = bytes
        self.entries = entries
        self.omissions = omissions
        self.keptEntries = keptEntries
        self.keptBytes = keptBytes
        self.isUpdated = isUpdated
        self.surplusEntries = surplusEntries
        self.receipt = receipt
    }

    /// Returns the same with another receipt, or without one.
    package func with(_ receipt: DeliveryReceipt?) -> StoredItem { StoredItem(self, receipt) }

    private init(_ stored: StoredItem, _ receipt: DeliveryReceipt?) {
        name = stored.name
        bytes = stored.bytes
        entries = stored.entries
        omissions = stored.omissions
        keptEntries = stored.keptEntries
        keptBytes = stored.keptBytes
        isUpdated = stored.isUpdated
        surplusEntries = stored.surplusEntries
        self.receipt = receipt
    }
}

/// Reason for which the receiver does not have an item it had accepted.
public struct StoringFailure: Hashable, Sendable {
    public enum Cause: String, Hashable, Sendable, CaseIterable {
        /// No cause was given, or one of a later version.
        case unspecified
        /// The destination is full.
        case noSpace
        /// The destination cannot be written, or is gone.
        case cannotWrite
        /// A name in it is not one that can be stored safely.
        case name
        /// The item arrived, and the receiving program could not import it.
        case `import`
        /// The receiver stopped.
        case cancelled
        /// The sender could not send it whole, in any representation that the receiver would take.
        case source
        /// The destination cannot keep who may see it.
        case visibility
        /// The item arrived whole, and its program refused it.
        case refused
        /// A property that the sender requires cannot be kept.
        case fidelity
        /// More came than was offered, or than the receiver takes.
        case tooLarge
    }

    public let cause: Cause
    /// More for people, at most 1024 bytes. Peer text: shown through `DisplayText` only.
    public let detail: String

    public init(_ cause: Cause, detail: String = "") {
        self.cause = cause
        self.detail = detail.prefixFitting(Limits.text)
    }
}

// MARK: - Wire

extension Message.Receipt {
    init(_ wire: WireReceipt) throws(InvalidValue) {
        let outcome: Outcome
        switch wire.outcome {
        case .stored(let stored): outcome = .stored(try StoredItem(stored))
        case .failed(let failed): outcome = .failed(try StoringFailure(failed))
        case nil: throw InvalidValue("A receipt does not say what became of the item.")
        }
        self.init(offer: wire.offerID, item: wire.item, outcome: outcome)
    }

    var wire: WireReceipt {
        .with {
            $0.offerID = offer
            $0.item = item
            switch outcome {
            case .stored(let stored): $0.stored = stored.wire
            case .failed(let failed): $0.failed = failed.wire
            }
        }
    }
}

extension StoredItem {
    init(_ wire: WireStored) throws(InvalidValue) {
        let counts = try Counts(wire.counts)
        try self.init(
            name: Array(wire.name), bytes: wire.bytes, entries: wire.entries,
            omissions: Omissions(wire.omissions, counts), keptEntries: UInt32(clamping: counts[.keptEntries]),
            keptBytes: counts[.keptBytes], isUpdated: counts[.updated] > 0,
            surplusEntries: UInt32(clamping: counts[.surplusEntries]),
            receipt: DeliveryReceipt.received(wire.signed))
    }

    var wire: WireStored {
        var counts = omissions.counts
        counts[.keptEntries] = UInt64(keptEntries)
        counts[.keptBytes] = keptBytes
        counts[.updated] = isUpdated ? 1 : 0
        counts[.surplusEntries] = UInt64(surplusEntries)
        return .with {
            $0.name = Data(name)
            $0.bytes = bytes
            $0.entries = entries
            $0.omissions = omissions.wire
            $0.counts = counts.wire
            $0.signed = receipt.map { Data($0.encoded) } ?? Data()
        }
    }
}

extension StoringFailure {
    init(_ wire: WireFailed) throws(InvalidValue) {
        try InvalidValue.checkText(wire.detail, "A detail")
        self.init(Cause(wire.failure), detail: wire.detail)
    }

    var wire: WireFailed {
        .with {
            $0.failure = cause.wire
            $0.detail = detail
        }
    }
}

extension StoringFailure.Cause: OpenWireValue {
    typealias Wire = WireReceivingFailure
}
