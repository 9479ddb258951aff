import PortolanCrypto

/// Keys from a handshake, known only to its two sides.
package struct SessionKeys: Sendable {
    /// Cipher suite of the records.
    package let suite: RecordSuite
    /// Identifies this session, 32 bytes; the same on both sides. Not secret.
    package let handshakeHash: [UInt8]

    /// The keys of the lanes that carry payload of this side.
    package let sendingLanes: LaneKeys
    /// Keys of the lanes on which the other side sends payload.
    package let receivingLanes: LaneKeys

    private let sending: SecretBytes
    private let receiving: SecretBytes

    init(secrets: NoiseSecrets, role: NoiseRole, suite: RecordSuite, handshakeHash: [UInt8]) {
        self.suite = suite
        self.handshakeHash = handshakeHash
        switch role {
        case .initiator: (sending, receiving) = (secrets.initiatorToResponder, secrets.responderToInitiator)
        case .responder: (sending, receiving) = (secrets.responderToInitiator, secrets.initiatorToResponder)
        }
        sendingLanes = LaneKeys(direction: sending, suite: suite)
        receivingLanes = LaneKeys(direction: receiving, suite: suite)
    }

    /// Makes the sealer of this side's records. Called once, since two sealers would use every nonce twice.
    package func makeSealer() -> RecordSealer { RecordSealer(secret: sending, suite: suite) }

    /// Makes the opener of the other side's records.
    package func makeOpener() -> RecordOpener { RecordOpener(secret: receiving, suite: suite) }
}
