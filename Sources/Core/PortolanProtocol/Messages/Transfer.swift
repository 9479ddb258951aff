import Foundation
import PortolanValues
import SwiftProtobuf

// Begin and End: the frame around one item; and Total. The content between them travels as payload on the session, or
// on lanes.

extension Message {
    /// The chosen representation of an item follows.
    package struct Begin: Hashable, Sendable {
        /// 1 for the first of a session, one more for each that follows.
        package let transfer: UInt32
        package let offer: UInt64
        package let item: UInt32
        package let representation: UInt32
        package let channel: Channel
        /// Name at the sender's; may be empty. Hostile bytes until `FileName` has judged them.
        package let name: [UInt8]
        /// Payload bytes that will follow: exact for data, a hint for files.
        package let size: UInt64?
        /// True if the receiver decides about the content of each entry; only on the file channel.
        package let asks: Bool
        /// Properties that must be kept, or the item cannot be stored; only on the file channel.
        package let requirements: Fidelity
        /// True if the sender can send files as differences; only in a transfer that asks.
        package let takesDifferences: Bool
        /// True if one tree record, which holds all of it, follows on the session as data would; only on the file
        /// channel.
        package let isWhole: Bool

        package init(
            transfer: UInt32, offer: UInt64, item: UInt32, representation: UInt32, channel: Channel, name: [UInt8],
            size: UInt64?, asks: Bool = false, requirements: Fidelity = [], takesDifferences: Bool = false,
            isWhole: Bool = false
        ) throws(InvalidValue) {
            try InvalidValue.checkName(name)
            try InvalidValue.checkSize(size, "A transfer")
            guard asks || !takesDifferences else { throw InvalidValue("A transfer that does not ask has differences.") }
            try InvalidValue.check(
                channel == .file || !asks && requirements.isEmpty, "Data asks for nothing and requires nothing.")
            try InvalidValue.check(
                !isWhole || channel == .file && !asks,
                "Only files that nothing is asked about come whole on the session.")
            self.transfer = transfer
            self.offer = offer
            self.item = item
            self.representation = representation
            self.channel = channel
            self.name = name
            self.size = size
            self.asks = asks
            self.requirements = requirements
            self.takesDifferences = takesDifferences
            self.isWhole = isWhole
        }
    }

    /// Total of a folder, as far as the sender has walked it; for display only.
    package struct Total: Hashable, Sendable {
        package let transfer: UInt32
        /// Bytes of content that were found so far; holes are none.
        package let bytes: UInt64
        /// True if the walk is complete.
        package let isFinal: Bool

        package init(transfer: UInt32, bytes: UInt64, isFinal: Bool) throws(InvalidValue) {
            try InvalidValue.checkSize(bytes, "A transfer")
            self.transfer = transfer
            self.bytes = bytes
            self.isFinal = isFinal
        }
    }

    /// The transfer is complete, or stops here.
    package struct End: Hashable, Sendable {
        package let transfer: UInt32
        /// Number of its entries.
        package let entries: UInt32
        /// Number of its payload bytes.
        package let bytes: UInt64
        /// If set, the item is not whole and must not be stored.
        package let failure: SourceFailure?
        /// Parts of the source that could not be carried.
        package let omissions: Omissions
        /// Numbers of the lanes it used, ascending, each of which has its mark.
        package let lanes: [UInt32]

        package init(
            transfer: UInt32, entries: UInt32, bytes: UInt64, failure: SourceFailure? = nil,
            omissions: Omissions = Omissions(), lanes: [UInt32] = []
        ) throws(InvalidValue) {
            try InvalidValue.checkSize(bytes, "A transfer")
            guard lanes.count <= Limits.lanes else { throw .limit("A transfer on \(lanes.count) lanes.") }
            guard zip(lanes, lanes.dropFirst()).allSatisfy(<) else { throw InvalidValue("Lanes do not ascend.") }
            self.transfer = transfer
            self.entries = entries
            self.bytes = bytes
            self.failure = failure
            self.omissions = omissions
            self.lanes = lanes
        }
    }
}

// MARK: - Wire

extension Message.Begin {
    init(_ wire: WireBegin) throws(InvalidValue) {
        try self.init(
            transfer: wire.transfer, offer: wire.offerID, item: wire.item, representation: wire.representation,
            channel: Channel(wire.channel), name: Array(wire.name), size: wire.hasSize ? wire.size : nil,
            asks: wire.ask, requirements: Fidelity(wire.require), takesDifferences: wire.differences,
            isWhole: wire.whole)
    }

    var wire: WireBegin {
        .with {
            $0.transfer = transfer
            $0.offerID = offer
            $0.item = item
            $0.representation = representation
            $0.channel = channel.wire
            $0.name = Data(name)
            if let size { $0.size = size }
            $0.ask = asks
            $0.require = requirements.wire
            $0.differences = takesDifferences
            $0.whole = isWhole
        }
    }
}

extension Message.Total {
    init(_ wire: WireTotal) throws(InvalidValue) {
        let counts = try Counts(wire.counts)
        try self.init(transfer: wire.transfer, bytes: counts[.foundBytes], isFinal: counts[.foundAll] > 0)
    }

    var wire: WireTotal {
        var counts = Counts()
        counts[.foundBytes] = bytes
        counts[.foundAll] = isFinal ? 1 : 0
        return .with {
            $0.transfer = transfer
            $0.counts = counts.wire
        }
    }
}

extension Message.End {
    init(_ wire: WireEnd) throws(InvalidValue) {
        try self.init(
            transfer: wire.transfer, entries: wire.entries, bytes: wire.bytes,
            failure: wire.hasFailure ? SourceFailure(wire.failure) : nil,
            omissions: Omissions(wire.omissions, Counts(wire.counts)), lanes: wire.lanes)
    }

    var wire: WireEnd {
        .with {
            $0.transfer = transfer
            $0.entries = entries
            $0.bytes = bytes
            if let failure { $0.failure = failure.wire }
            $0.omissions = omissions.wire
            $0.counts = omissions.counts.wire
            $0.lanes = lanes
        }
    }
}
