import PortolanCrypto

/// Half of a code exchange: turns a code into the key of a Noise handshake by CPace, under a name that both sides give
/// the session (HANDSHAKE.md, "Pairing and joining").
struct CodeExchange: ~Copyable, Sendable {
    static let shareLength = CPace.shareLength
    /// Length of the responder's answer: its half of the session's name and its share.
    static let answerLength = OpeningCall.valueLength + shareLength

    private let run: CPace

    /// - Parameter halves: the initiator's half of the session's name, then the responder's.
    init(role: NoiseRole, code: SecretBytes, purpose: PairingPurpose, halves: [UInt8], scalar: SecretBytes?) {
        let channel = Array("portolan/1 pairing".utf8) + [purpose.rawValue]
        run =
            if let scalar {
                CPace(
                    role: role, password: code, channel: channel, session: halves, associatedData: [], scalar: scalar)
            } else {
                CPace(role: role, password: code, channel: channel, session: halves, associatedData: [])
            }
    }

    var share: [UInt8] { run.message.share }

    /// Returns the key; the first Noise message shows whether both sides have the same one.
    consuming func preSharedKey(with peer: [UInt8]) throws(HandshakeError) -> SecretBytes {
        do {
            return try run.preSharedKey(with: CPaceMessage(share: peer, associatedData: []))
        } catch {
            throw HandshakeError(.violation(ProtocolViolation(.malformed, "\(error)")))
        }
    }
}
