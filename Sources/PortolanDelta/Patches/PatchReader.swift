/// Builds new content as a patch says.
package protocol PatchTarget {
    /// Begins the target; called once, before the first operation.
    mutating func begin(_ header: PatchHeader) throws
    /// Appends a range of the base, which has it.
    mutating func copyRange(_ range: Range<UInt64>) throws
    /// Appends bytes.
    mutating func write(_ bytes: UnsafeRawBufferPointer) throws
}

/// Reads a patch whose bytes come in any pieces. It holds none of them.
///
/// A peer's patch determines only the new content: its digest confirms the whole content, as read back from the target.
package struct PatchReader: Sendable {
    private let baseSize: UInt64
    private let limit: UInt64
    private var state = State.version
    private var number = VariableLengthReader()
    private var digest: [UInt8] = []
    private var size: UInt64 = 0
    /// Bytes of new content for which there was no operation yet.
    private var remaining: UInt64 = 0
    private var lastCopyEnd: UInt64 = 0

    private enum State: Sendable {
        case version, size, digest, operation
        /// Before the distance of a copy of this length.
        case distance(UInt64)
        /// Before this many bytes of a literal.
        case literal(UInt64)
        case end
    }

    /// - Parameter limit: the most bytes of new content that are acceptable, at most 2^62.
    package init(baseSize: UInt64, limit: UInt64) {
        precondition(baseSize <= 1 << 62 && limit <= 1 << 62)
        self.baseSize = baseSize
        self.limit = limit
    }

    /// True if the new content is complete.
    package var isComplete: Bool {
        if case .end = state { true } else { false }
    }

    /// Throws if the patch ends here too early.
    package func finish() throws(DeltaError) {
        guard isComplete else { throw .truncated(.patch) }
    }

    /// Reads the next bytes; after an error, the reader and its target are of no further use.
    package mutating func read(_ bytes: UnsafeRawBufferPointer, into target: inout some PatchTarget) throws {
        var at = 0
        while at < bytes.count {
            if case .literal(let length) = state {
                let count = Int(min(length, UInt64(bytes.count - at)))
                try target.write(bytes[part: at..<at + count])
                at += count
                state = length == UInt64(count) ? stateBehindOperation : .literal(length - UInt64(count))
            } else {
                try read(bytes[at], into: &target)
                at += 1
            }
        }
    }

    private var stateBehindOperation: State { remaining > 0 ? .operation : .end }

    /// Reads a byte that belongs to no literal.
    private mutating func read(_ byte: UInt8, into target: inout some PatchTarget) throws {
        switch state {
        case .version:
            guard byte == PatchHeader.version else { throw DeltaError.unknownVersion(byte) }
            state = .size
        case .size:
            guard let size = try number.take(byte, in: .patch) else { return }
            guard size <= limit else { throw DeltaError.tooLarge(size) }
            self.size = size
            remaining = size
            state = .digest
        case .digest:
            digest.append(byte)
            guard digest.count == ContentDigest.length else { return }
            try target.begin(PatchHeader(size: size, digest: digest.withUnsafeBytes { ContentDigest($0) }))
            state = stateBehindOperation
        case .operation:
            guard let value = try number.take(byte, in: .patch) else { return }
            let length = value >> 1
            guard length > 0, length <= remaining else { throw DeltaError.badOperationLength }
            remaining -= length
            state = value & 1 == 1 ? .literal(length) : .distance(length)
        case .distance(let length):
            guard let value = try number.take(byte, in: .patch) else { return }
            let range = try range(distance: value, length: length)
            try target.copyRange(range)
            lastCopyEnd = range.upperBound
            state = stateBehindOperation
        case .literal, .end:
            throw DeltaError.trailing(.patch)
        }
    }

    private func range(distance: UInt64, length: UInt64) throws(DeltaError) -> Range<UInt64> {
        let start: UInt64
        if distance & 1 == 0 {
            // Below 2^63 and 2^62.
            start = lastCopyEnd + distance >> 1
        } else {
            let back = distance >> 1 + 1
            guard back <= lastCopyEnd else { throw .outsideBase }
            start = lastCopyEnd - back
        }
        guard start <= baseSize, length <= baseSize - start else { throw .outsideBase }
        return start..<start + length
    }
}
