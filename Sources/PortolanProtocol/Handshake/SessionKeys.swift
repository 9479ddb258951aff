import PortolanCrypto

/// What a handshake leaves to both sides and to nobody else.
package struct SessionKeys: Sendable {
    /// How records are sealed.
    package let suite: RecordSuite
    /// Names this session and no other, 32 bytes; the same on both sides. Not secret.
    package let handshakeHash: [UInt8]

    /// What opens and protects the session's lanes, the same on both sides.
    package let lanes: LaneKeys

    private let sending: SecretBytes
    private let receiving: SecretBytes

    init(secrets: NoiseSecrets, role: NoiseRole, suite: RecordSuite, handshakeHash: [UInt8]) {
        self.suite = suite
        self.handshakeHash = handshakeHash
        lanes = LaneKeys(direction: secrets.initiatorToResponder, suite: suite)
        switch role {
        case .initiator: (sending, receiving) = (secrets.initiatorToResponder, secrets.responderToInitiator)
        case .responder: (sending, receiving) = (secrets.responderToInitiator, secrets.initiatorToResponder)
        }
    }

    /// Seals what this side sends. To be made once: two sealers would use every nonce twice.
    package func makeSealer() -> RecordSealer { RecordSealer(secret: sending, suite: suite) }

    /// Opens what the other side sends.
    package func makeOpener() -> RecordOpener { RecordOpener(secret: receiving, suite: suite) }
}
