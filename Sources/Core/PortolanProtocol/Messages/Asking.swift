import Foundation
import PortolanCrypto
import SwiftProtobuf

// Wanted and Holding: the content that a receiver needs in a transfer that asks, entry by entry. `IncomingTree` makes
// them, `OutgoingTree` judges them.

/// Content of one entry that a receiver needs. The raw values are those of the wire.
package enum EntryDecision: UInt8, Hashable, Sendable, CaseIterable {
    /// No further content: the receiver has it, or the entry is no file.
    case nothing = 0
    case all = 1
    /// Blocks that differ from the receiver's, whose digests follow.
    case compare = 2
    /// Difference from an earlier version, whose signatures follow.
    case difference = 3
}

extension Message {
    /// Decisions about consecutive entries.
    package struct Wanted: Hashable, Sendable {
        package let transfer: UInt32
        /// The entry of the first decision.
        package let first: UInt32
        /// Never empty.
        package let decisions: [EntryDecision]

        package init(transfer: UInt32, first: UInt32, decisions: [EntryDecision]) throws(InvalidValue) {
            guard !decisions.isEmpty else { throw InvalidValue("Nothing is decided about any entry.") }
            try InvalidValue.checkCount(decisions.count, "decisions at a time", maximum: Limits.decisions)
            try InvalidValue.check(
                UInt64(first) + UInt64(decisions.count) <= UInt64(UInt32.max) + 1,
                "Something is decided about entries that cannot be numbered.")
            self.transfer = transfer
            self.first = first
            self.decisions = decisions
        }
    }

    /// Receiver's content of a file that it wants compared: the `BlockDigest` of consecutive blocks.
    package struct Holding: Hashable, Sendable {
        package let transfer: UInt32
        package let index: UInt32
        /// The number of the first block.
        package let block: UInt64
        /// The digests, one behind the other; may be empty only where nothing more is held.
        package let digests: [UInt8]
        /// True if no more digests of this file follow.
        package let isLast: Bool
        /// Number of consecutive files of which these are the only digests, one of each; nil where all of them are of
        /// one file.
        package let files: UInt32?

        package init(
            transfer: UInt32, index: UInt32, block: UInt64, digests: [UInt8], isLast: Bool
        ) throws(InvalidValue) {
            try self.init(
                transfer: transfer, index: index, block: block, digests: digests, isLast: isLast, files: nil)
        }

        /// Digests of the first blocks of consecutive files, of which nothing else is held.
        package init(transfer: UInt32, first: UInt32, digests: [UInt8]) throws(InvalidValue) {
            try self.init(
                transfer: transfer, index: first, block: 0, digests: digests, isLast: false,
                files: UInt32(clamping: digests.count / BlockDigest.length))
        }

        fileprivate init(
            transfer: UInt32, index: UInt32, block: UInt64, digests: [UInt8], isLast: Bool, files: UInt32?
        ) throws(InvalidValue) {
            try InvalidValue.check(
                digests.count.isMultiple(of: BlockDigest.length), "Digests of blocks have 16 bytes each.")
            try InvalidValue.checkCount(
                digests.count / BlockDigest.length, "digests at a time", maximum: Limits.digests)
            guard !digests.isEmpty || isLast else { throw InvalidValue("A receiver says that it holds nothing.") }
            if let files {
                try InvalidValue.check(
                    block == 0 && !isLast && UInt64(digests.count) == UInt64(files) * UInt64(BlockDigest.length)
                        && index <= .max - (files - 1), "A receiver holds first blocks of other files than it says.")
            }
            try InvalidValue.check(
                block <= Limits.size / BlockDigest.blockSize, limit: "A block beyond the end of any file.")
            self.transfer = transfer
            self.index = index
            self.block = block
            self.digests = digests
            self.isLast = isLast
            self.files = files
        }

        /// The same of each single file.
        package var parts: [Holding] {
            guard let files else { return [self] }
            return (0..<files).map { number in
                let start = Int(number) * BlockDigest.length
                return Holding(
                    transfer: transfer, first: index + number,
                    digest: Array(digests[start..<(start + BlockDigest.length)]))
            }
        }

        private init(transfer: UInt32, first: UInt32, digest: [UInt8]) {
            self.transfer = transfer
            index = first
            block = 0
            digests = digest
            isLast = true
            files = nil
        }

        /// The numbers of the blocks that it is about.
        package var blocks: Range<UInt64> { block..<(block + UInt64(digests.count / BlockDigest.length)) }

        /// Returns the digest of one of its blocks.
        package func digest(ofBlock number: UInt64) -> ArraySlice<UInt8> {
            let start = Int(number - block) * BlockDigest.length
            return digests[start..<(start + BlockDigest.length)]
        }

        /// Returns the number of blocks of a file of so many bytes.
        package static func blockCount(size: UInt64) -> UInt64 {
            let (whole, rest) = size.quotientAndRemainder(dividingBy: BlockDigest.blockSize)
            return whole + (rest == 0 ? 0 : 1)
        }
    }
}

// MARK: - Wire

extension Message.Wanted {
    init(_ wire: WireWanted) throws(InvalidValue) {
        try InvalidValue.checkCount(wire.decisions.count, "decisions at a time", maximum: Limits.decisions)
        var decisions: [EntryDecision] = []
        decisions.reserveCapacity(wire.decisions.count)
        for byte in wire.decisions {
            guard let decision = EntryDecision(rawValue: byte) else {
                throw InvalidValue("A decision that this version does not know.")
            }
            decisions.append(decision)
        }
        try self.init(transfer: wire.transfer, first: wire.first, decisions: decisions)
    }

    var wire: WireWanted {
        .with {
            $0.transfer = transfer
            $0.first = first
            $0.decisions = Data(decisions.map(\.rawValue))
        }
    }
}

extension Message.Holding {
    init(_ wire: WireHolding) throws(InvalidValue) {
        try self.init(
            transfer: wire.transfer, index: wire.index, block: wire.block, digests: Array(wire.digests),
            isLast: wire.done, files: wire.files == 0 ? nil : wire.files)
    }

    var wire: WireHolding {
        .with {
            $0.transfer = transfer
            $0.index = index
            $0.block = block
            $0.digests = Data(digests)
            $0.done = isLast
            $0.files = files ?? 0
        }
    }
}
