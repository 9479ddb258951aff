/// The bytes in the clear at the beginning of a lane, always from the initiator: the session and the direction that it
/// belongs to, its number, and a proof that whoever connects holds the session's keys.
///
/// Nothing is answered; records follow at once, from the sender of the direction. A side that reads something wrong closes
/// without a byte.
package struct LanePreface: Hashable, Sendable {
    package static let length = 64
    static let magic = Array("PORTLANE".utf8)
    static let version: UInt8 = 1

    /// Which lane of its direction.
    package let number: LaneNumber
    /// Identifies the session and the direction; 16 bytes.
    package let id: [UInt8]
    /// Proves that the initiator holds the session's keys; 32 bytes. For `LaneKeys.admits(_:)` to judge.
    let token: [UInt8]

    init(number: LaneNumber, id: [UInt8], token: [UInt8]) {
        self.number = number
        self.id = id
        self.token = token
    }

    /// Reads the 64 bytes.
    package init(decoding bytes: [UInt8]) throws(ProtocolViolation) {
        guard bytes.count == Self.length, bytes.starts(with: Self.magic) else {
            throw ProtocolViolation(.malformed, "A connection does not begin as a lane does.")
        }
        guard bytes[8] == Self.version, bytes[10] == 0, bytes[11] == 0 else {
            throw ProtocolViolation(.unknown, "A lane of a version that is not spoken here.")
        }
        guard bytes[9] < Limits.lanes else {
            throw ProtocolViolation(.limit, "A lane of the number \(bytes[9]); they are numbered up to 15.")
        }
        let round = bytes[12..<16].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        self.init(
            number: LaneNumber(round: round, index: Int(bytes[9])), id: Array(bytes[16..<32]),
            token: Array(bytes[32...]))
    }

    /// The 64 bytes.
    package func encode() -> [UInt8] {
        Self.magic + [Self.version, UInt8(number.index), 0, 0] + LaneNumber.bytes(ofRound: number.round) + id + token
    }
}

/// What somebody who connects wants, by the first bytes that come.
package enum ConnectionKind: Hashable, Sendable {
    /// A session: a handshake follows.
    case session
    /// A lane of a session that there is.
    case lane

    /// How many bytes it takes to tell.
    package static let length = 8

    /// Says what it is as soon as that can be said.
    ///
    /// - Parameter bytes: what has come so far, from the first byte on.
    /// - Returns: `nil` if more bytes are needed.
    /// - Throws: `ProtocolViolation` at the first byte that belongs to neither.
    package static func of(_ bytes: some Collection<UInt8>) throws(ProtocolViolation) -> ConnectionKind? {
        let bytes = bytes.prefix(length)
        if Preface.magic.starts(with: bytes) { return bytes.count == length ? .session : nil }
        if LanePreface.magic.starts(with: bytes) { return bytes.count == length ? .lane : nil }
        throw ProtocolViolation(.unknown, "What connected speaks another protocol.")
    }
}
