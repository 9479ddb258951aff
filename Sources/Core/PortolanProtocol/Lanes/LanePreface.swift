/// Unencrypted bytes at the beginning of a lane, always from the initiator: its session, direction and number, and a
/// proof that the connecting side has the session's keys.
///
/// The preface has no answer; records follow at once, from the sender of the direction. A side that reads a wrong
/// preface closes without a byte, except for ``refusal`` if strangers may know of it.
package struct LanePreface: Hashable, Sendable {
    package static let length = 64
    /// Length of the preface up to the end of the version. Prefaces of other versions may have other lengths.
    package static let versionEnd = 9
    /// Version 1 had 60 bytes.
    package static let version: UInt8 = 2
    static let magic = Array("PORTLANE".utf8)

    /// Unencrypted answer to an unsupported version of lanes.
    package static let refusal = VersionRefusal.encode(magic, lowest: version, highest: version)

    /// Returns the versions in the other side's refusal; nil if the bytes are not a refusal.
    package static func versions(inRefusal bytes: [UInt8]) -> ClosedRange<UInt8>? {
        VersionRefusal.versions(in: bytes, magic)
    }

    /// Number of the lane in its direction.
    package let number: UInt32
    /// Identifies the session and the direction; 16 bytes.
    package let id: [UInt8]
    /// Proves that the initiator holds the session's keys; 32 bytes. For `LaneKeys.admits(_:)` to judge.
    let token: [UInt8]

    init(number: UInt32, id: [UInt8], token: [UInt8]) {
        self.number = number
        self.id = id
        self.token = token
    }

    /// Reads the 64 bytes.
    package init(decoding bytes: [UInt8]) throws(ProtocolViolation) {
        try ProtocolViolation.check(
            bytes.count == Self.length && bytes.starts(with: Self.magic), .malformed,
            "A connection does not begin as a lane does.")
        try ProtocolViolation.check(
            bytes[8] == Self.version, .malformed,
            "A lane of version \(bytes[8]); this side speaks version \(Self.version).")
        try ProtocolViolation.check(
            bytes[9] == 0 && bytes[10] == 0 && bytes[11] == 0, .malformed,
            "A lane with additions that this version does not know.")
        let number = bytes[12..<16].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        self.init(number: number, id: Array(bytes[16..<32]), token: Array(bytes[32...]))
    }

    /// Encodes the preface, 64 bytes.
    package func encode() -> [UInt8] {
        Self.magic + [Self.version, 0, 0, 0] + LaneKeys.bytes(number) + id + token
    }
}
