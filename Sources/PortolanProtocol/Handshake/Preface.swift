/// The bytes in the clear before the handshake: what is spoken, so that both know before any cryptography begins.
///
/// Twelve bytes each way. They are the handshake's prologue, so that whoever changes them on the way breaks it.
package enum Preface {
    package static let length = 12
    /// The version that this code speaks, as lowest and as highest.
    package static let version: UInt8 = 1
    static let magic = Array("PORTOLAN".utf8)
    /// The Noise pattern XX. 2 is reserved for XXpsk0.
    static let patternXX: UInt8 = 1

    /// What an initiator sends first: name, version, pattern, and the length of what would follow in later versions.
    package static let initiation: [UInt8] = magic + [version, patternXX, 0, 0]

    /// What a responder answers, in the clear, to a version it does not speak.
    package static let refusal: [UInt8] = magic + [0, version, version, 0]

    /// Checks what an initiator sent first.
    static func check(_ bytes: [UInt8]) throws(HandshakeError) {
        guard bytes.starts(with: magic) else { throw HandshakeError(.notPortolan) }
        guard bytes[8] == version else { throw HandshakeError(.versionUnknown(bytes[8]), reply: refusal) }
        guard bytes[9] == patternXX else {
            throw HandshakeError(
                .violation(ProtocolViolation(.unknown, "A handshake of pattern \(bytes[9]), which is not spoken here."))
            )
        }
        guard bytes[10] == 0, bytes[11] == 0 else {
            throw HandshakeError(
                .violation(ProtocolViolation(.unknown, "A handshake with additions that this version does not know.")))
        }
    }

    /// The versions that a responder's refusal names, or `nil` if the bytes are no refusal.
    static func versions(inRefusal bytes: [UInt8]) -> ClosedRange<UInt8>? {
        guard bytes.count == length, bytes.starts(with: magic), bytes[8] == 0, bytes[9] <= bytes[10], bytes[11] == 0
        else { return nil }
        return bytes[9]...bytes[10]
    }
}
