/// Result of a handshake: one secret of 32 bytes per direction, known only to both sides.
public struct NoiseSecrets: Sendable {
    /// Secret for data from the initiator.
    public let initiatorToResponder: SecretBytes

    /// Secret for data from the responder.
    public let responderToInitiator: SecretBytes
}
