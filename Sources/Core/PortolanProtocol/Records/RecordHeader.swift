/// Content of a record.
package enum RecordType: UInt8, Hashable, Sendable, CaseIterable {
    /// Control message.
    case control = 1
    /// A `PayloadHeader` and at least one byte of data.
    case payload = 2
    /// Empty: the last record of a direction. A connection that ends without it was cut.
    case end = 3
    /// The number of a transfer and elements of its tree; on lanes only.
    case tree = 4
    /// A `PackedHeader` and compressed data; on lanes only.
    case packed = 5
}

/// Record types that are allowed in one direction at the moment.
package enum RecordPhase: Hashable, Sendable {
    /// Control messages only: from a receiver at all times, from a sender until something of an offer was taken.
    case beforeAcceptance
    /// Payload too.
    case afterAcceptance
    /// On a lane, from its sender: everything that belongs to files, and no control messages.
    case lane

    func allows(_ type: RecordType) -> Bool {
        switch type {
        case .control: self != .lane
        case .payload: self != .beforeAcceptance
        case .end: true
        case .tree, .packed: self == .lane
        }
    }
}

/// Header of a record, four bytes, checked: type, and length of the rest.
///
/// The check allocates no memory and comes before the record is read: a stranger's length field cannot make this side
/// wait for 16 MiB, or allocate them. The bytes are authenticated with the record, not before.
package struct RecordHeader: Hashable, Sendable {
    /// Length of the header itself, in bytes.
    package static let length = 4
    /// Bytes that sealing adds to the plaintext.
    package static let tagLength = 16

    package let type: RecordType
    /// Bytes of the plaintext.
    package let plaintextLength: Int

    /// Bytes that follow the header: ciphertext and tag.
    package var bodyLength: Int { plaintextLength + Self.tagLength }

    /// The four bytes as a number, most significant byte first on the wire.
    package var encoded: UInt32 { UInt32(type.rawValue) << 24 | UInt32(bodyLength) }

    /// The header of a record that this side sends. Traps on lengths that the peer would refuse.
    package init(_ type: RecordType, plaintextLength: Int) {
        precondition(Self.lengths(of: type).contains(plaintextLength), "A record of a length that may not be sent")
        self.type = type
        self.plaintextLength = plaintextLength
    }

    /// Parses the header that the peer sent.
    package init(decoding word: UInt32, phase: RecordPhase) throws(ProtocolViolation) {
        guard let type = RecordType(rawValue: UInt8(word >> 24)) else {
            throw ProtocolViolation(.malformed, "A record of type \(word >> 24), which this version does not know.")
        }
        try ProtocolViolation.check(
            phase.allows(type),
            type == .payload
                ? "Payload was sent before anything was accepted."
                : "A record came on a connection that is for others.")
        let length = Int(word & 0xFF_FFFF) - Self.tagLength
        let allowed = Self.lengths(of: type)
        try ProtocolViolation.check(length >= allowed.lowerBound, .malformed, "A record is too short to hold anything.")
        try ProtocolViolation.check(
            length <= allowed.upperBound, .limit,
            "A record of \(length) bytes was announced; at most \(allowed.upperBound) are allowed.")
        self.type = type
        self.plaintextLength = length
    }

    /// Returns the allowed lengths of a record's plaintext.
    package static func lengths(of type: RecordType) -> ClosedRange<Int> {
        switch type {
        case .control: 1...Limits.control
        case .payload: (PayloadHeader.length + 1)...(PayloadHeader.length + Limits.payload)
        case .end: 0...0
        case .tree: (TreeReader.headerLength + 1)...Limits.treeRecord
        case .packed: (PackedHeader.length + 1)...(PackedHeader.length + Limits.payload - 1)
        }
    }
}
