import Foundation
import SwiftProtobuf

// Base and Compare: the earlier version that a difference refers to. `IncomingTree` makes the one and judges the other,
// `OutgoingTree` the other way round. The comparing code interprets their data.

extension Message {
    /// Description of the base: an earlier version of a file that the receiver has.
    package struct Base: Hashable, Sendable {
        /// Fields of the first message of a file.
        package struct Beginning: Hashable, Sendable {
            /// On which boundaries and sums depend; 32 bytes.
            package let key: [UInt8]
            /// Bytes of the base.
            package let size: UInt64

            package init(key: [UInt8], size: UInt64) {
                self.key = key
                self.size = size
            }
        }

        package static let keyLength = 32

        package let transfer: UInt32
        package let index: UInt32
        package let beginning: Beginning?
        /// The maximum, except for the last message of an answer, and for a first one without any: the sender may read
        /// its file while the receiver reads the base.
        package let data: [UInt8]
        /// True if no more follows until it is asked for.
        package let isLast: Bool

        package init(
            transfer: UInt32, index: UInt32, beginning: Beginning? = nil, data: [UInt8], isLast: Bool
        ) throws(InvalidValue) {
            try InvalidValue.checkCount(data.count, "bytes about an earlier version", maximum: Limits.baseData)
            try InvalidValue.check(
                data.count == Limits.baseData || isLast || beginning != nil && data.isEmpty,
                "A receiver says less at a time of what it has than it may.")
            if let beginning {
                try InvalidValue.check(
                    beginning.key.count == Self.keyLength && beginning.size > 0,
                    "An earlier version has another key, or no bytes.")
                try InvalidValue.check(
                    beginning.size <= Limits.differenceSize, limit: "An earlier version of \(beginning.size) bytes.")
            }
            self.transfer = transfer
            self.index = index
            self.beginning = beginning
            self.data = data
            self.isLast = isLast
        }
    }

    /// A question about the base of a file.
    package struct Compare: Hashable, Sendable {
        /// A range of the base whose blocks are to be summed up.
        package struct Sums: Hashable, Sendable {
            package let base: Range<UInt64>
            /// Bytes of a block.
            package let block: Int
            /// Bytes of a strong sum.
            package let strong: Int

            package init(base: Range<UInt64>, block: Int, strong: Int) {
                self.base = base
                self.block = block
                self.strong = strong
            }
        }

        package enum Question: Hashable, Sendable {
            /// The chunks of groups, by their numbers: ascending runs that do not touch.
            case groups([Range<UInt64>])
            /// Ascending ranges that do not overlap and begin with a whole block: sums of others would tell the base
            /// byte by byte.
            case sums([Sums])
        }

        /// The longest range, in bytes.
        package static let longestRange: UInt64 = 16 << 20
        /// Bytes of a block. Whoever knows all but a few bytes of one finds them by its sums, so that blocks are long.
        package static let blocks = 1024...4096

        package let transfer: UInt32
        package let index: UInt32
        package let question: Question

        package init(transfer: UInt32, index: UInt32, _ question: Question) throws(InvalidValue) {
            try question.check()
            self.transfer = transfer
            self.index = index
            self.question = question
        }
    }
}

// MARK: - Wire

extension Message.Base {
    init(_ wire: WireBase) throws(InvalidValue) {
        try InvalidValue.check(!wire.key.isEmpty || wire.size == 0, "An earlier version has a size and no key.")
        try self.init(
            transfer: wire.transfer, index: wire.index,
            beginning: wire.key.isEmpty ? nil : Beginning(key: Array(wire.key), size: wire.size),
            data: Array(wire.data), isLast: wire.done)
    }

    var wire: WireBase {
        .with {
            $0.transfer = transfer
            $0.index = index
            if let beginning {
                $0.key = Data(beginning.key)
                $0.size = beginning.size
            }
            $0.data = Data(data)
            $0.done = isLast
        }
    }
}

extension Message.Compare {
    init(_ wire: WireCompare) throws(InvalidValue) {
        try self.init(
            transfer: wire.transfer, index: wire.index, try Question(groups: wire.groups, sums: wire.sums))
    }

    var wire: WireCompare {
        .with {
            $0.transfer = transfer
            $0.index = index
            ($0.groups, $0.sums) = question.numbers
        }
    }
}

// MARK: - Questions

extension Message.Compare.Question {
    /// - Throws: for numbers that no question has.
    func check() throws(InvalidValue) {
        switch self {
        case .groups(let runs):
            try InvalidValue.checkCount(runs.count, "runs of groups", maximum: Limits.groupRuns)
            var next: UInt64 = 0
            for run in runs {
                try InvalidValue.check(
                    !run.isEmpty && run.lowerBound >= next && run.upperBound < Limits.size,
                    "Groups are asked for out of their order, or none of them.")
                next = run.upperBound + 1
            }
            guard !runs.isEmpty else { throw InvalidValue("Nothing is asked for.") }
        case .sums(let ranges):
            try InvalidValue.checkCount(ranges.count, "ranges to be summed up", maximum: Limits.sumRanges)
            var next: UInt64 = 0
            for range in ranges {
                try InvalidValue.check(
                    1...Message.Compare.longestRange ~= UInt64(range.base.count)
                        && Message.Compare.blocks ~= range.block
                        && range.block.isMultiple(of: Message.Compare.blocks.lowerBound) && 4...8 ~= range.strong
                        && range.base.lowerBound.isMultiple(of: UInt64(range.block)),
                    "A range is to be summed up in a way that there is not.")
                try InvalidValue.check(
                    range.base.lowerBound >= next, "Ranges are to be summed up out of their order, or twice.")
                next = range.base.upperBound
            }
            guard sumBytes <= Limits.sumBytes else { throw .limit("More sums are asked for than there may be.") }
            guard !ranges.isEmpty else { throw InvalidValue("Nothing is asked for.") }
        }
    }

    /// Bytes of all sums that are asked for: a weak one and a strong one for each block, and for a rest.
    var sumBytes: Int {
        guard case .sums(let ranges) = self else { return 0 }
        return ranges.reduce(0) { $0 + ($1.base.count + $1.block - 1) / $1.block * (4 + $1.strong) }
    }

    init(groups: [UInt64], sums: [UInt64]) throws(InvalidValue) {
        try InvalidValue.check(
            groups.isEmpty != sums.isEmpty, "A question is about groups and ranges, or about neither.")
        try InvalidValue.checkCount(groups.count, "numbers of groups", maximum: 2 * Limits.groupRuns)
        try InvalidValue.checkCount(sums.count, "numbers of ranges", maximum: 4 * Limits.sumRanges)
        try InvalidValue.check(
            groups.count.isMultiple(of: 2) && sums.count.isMultiple(of: 4), "A question ends inside a range.")
        if sums.isEmpty {
            var runs: [Range<UInt64>] = []
            for place in stride(from: 0, to: groups.count, by: 2) {
                runs.append(try Self.range(groups[place], groups[place + 1]))
            }
            self = .groups(runs)
        } else {
            var ranges: [Message.Compare.Sums] = []
            for place in stride(from: 0, to: sums.count, by: 4) {
                let base = try Self.range(sums[place], sums[place + 1])
                ranges.append(
                    Message.Compare.Sums(
                        base: base, block: Int(clamping: sums[place + 2]), strong: Int(clamping: sums[place + 3])))
            }
            self = .sums(ranges)
        }
    }

    private static func range(_ start: UInt64, _ length: UInt64) throws(InvalidValue) -> Range<UInt64> {
        try InvalidValue.check(
            start <= Limits.size && length <= Limits.size - start, limit: "A range beyond the end of any file.")
        return start..<start + length
    }

    /// The numbers on the wire.
    var numbers: (groups: [UInt64], sums: [UInt64]) {
        switch self {
        case .groups(let runs): (runs.flatMap { [$0.lowerBound, UInt64($0.count)] }, [])
        case .sums(let ranges):
            (
                [],
                ranges.flatMap { [$0.base.lowerBound, UInt64($0.base.count), UInt64($0.block), UInt64($0.strong)] }
            )
        }
    }
}
