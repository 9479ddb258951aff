/// Cleartext bytes before the handshake: name and version of the protocol, known to both sides before any cryptography
/// begins.
///
/// Twelve bytes, followed by ``OpeningCall`` for the pattern XXpsk0. They begin the handshake's prologue, so that any
/// change of them breaks the handshake.
package enum Preface {
    package static let length = 12
    /// Only supported version.
    package static let version: UInt8 = 1
    static let magic = Array("PORTOLAN".utf8)

    /// Noise pattern that follows, by its number in the preface.
    enum Pattern: UInt8 {
        case xx = 1
        case xxPSK0 = 2

        /// Number of bytes between the preface and the first frame.
        var extraLength: Int {
            switch self {
            case .xx: 0
            case .xxPSK0: OpeningCall.length
            }
        }
    }

    /// First bytes of an initiator in an open opening: name, version, pattern, and the length of the rest.
    package static let initiation = initiation(.xx)

    static func initiation(_ pattern: Pattern) -> [UInt8] {
        magic + [version, pattern.rawValue, UInt8(pattern.extraLength >> 8), UInt8(pattern.extraLength & 0xFF)]
    }

    /// Unencrypted answer of a responder to a version that it does not support.
    package static let refusal = VersionRefusal.encode(magic, lowest: version, highest: version)

    /// Reads an initiator's preface.
    static func pattern(in bytes: [UInt8]) throws(HandshakeError) -> Pattern {
        guard bytes.starts(with: magic) else { throw HandshakeError(.notPortolan) }
        guard bytes[8] == version else { throw HandshakeError(.versionUnknown(bytes[8]), reply: refusal) }
        guard let pattern = Pattern(rawValue: bytes[9]) else {
            throw .violation(.malformed, "A handshake of pattern \(bytes[9]), which is not spoken here.")
        }
        guard Int(bytes[10]) << 8 | Int(bytes[11]) == pattern.extraLength else {
            throw .violation(.malformed, "A handshake with additions that this version does not know.")
        }
        return pattern
    }

    /// Returns the versions that a responder's refusal names, or `nil` if the bytes are no refusal.
    static func versions(inRefusal bytes: [UInt8]) -> ClosedRange<UInt8>? { VersionRefusal.versions(in: bytes, magic) }
}
