import PortolanCrypto

/// Keys that a handshake yields, known to both sides only.
package struct SessionKeys: Sendable {
    /// Cipher suite of the records.
    package let suite: RecordSuite
    /// Names this session and no other, 32 bytes; the same on both sides. Not secret.
    package let handshakeHash: [UInt8]

    /// The keys of the lanes that carry payload of this side.
    package let sendingLanes: LaneKeys
    /// The keys of the lanes that carry payload of the other side.
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

    /// Makes the sealer of this side's records. To be made once: two sealers would use every nonce twice.
    package func makeSealer() -> RecordSealer { RecordSealer(secret: sending, suite: suite) }

    /// Makes the opener of the other side's records.
    package func makeOpener() -> RecordOpener { RecordOpener(secret: receiving, suite: suite) }
}
