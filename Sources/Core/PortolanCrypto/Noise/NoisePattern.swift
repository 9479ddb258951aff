/// Handshake pattern of the Noise specification, revision 34, as a table of tokens (sections 7 and 9).
public struct NoisePattern: Hashable, Sendable {
    /// Step of a message.
    enum Token: Hashable {
        /// Send the ephemeral public key.
        case e
        /// Send the static public key, encrypted as soon as there is a key.
        case s
        /// Mix in a Diffie-Hellman result; the first letter names the initiator's key, the second the responder's.
        case ee, es, se
        /// Mix in the pre-shared key.
        case psk
    }

    /// The pattern's name inside the protocol name.
    public let name: String

    /// Tokens of each message; the initiator sends the first, and then the sides take turns.
    let messages: [[Token]]

    /// Both sides learn each other's static key during the handshake.
    public static let xx = NoisePattern(
        name: "XX",
        messages: [
            [.e],
            [.e, .ee, .s, .es],
            [.s, .se],
        ])

    /// Pattern ``xx`` with a pre-shared key: a side without it fails at the first message and learns nothing.
    public static let xxPSK0 = NoisePattern(
        name: "XXpsk0",
        messages: [
            [.psk, .e],
            [.e, .ee, .s, .es],
            [.s, .se],
        ])

    /// Complete protocol name, which both sides hash first.
    var protocolName: String { "Noise_\(name)_25519_ChaChaPoly_SHA256" }

    /// True if ``NoiseHandshake`` needs a pre-shared key for this pattern.
    public var needsPSK: Bool { messages.contains { $0.contains(.psk) } }
}
