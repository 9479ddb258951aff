/// What a finished handshake leaves: one secret of 32 bytes per direction, known to both sides and nobody else.
public struct NoiseSecrets: Sendable {
    /// For what the initiator sends.
    public let initiatorToResponder: SecretBytes

    /// For what the responder sends.
    public let responderToInitiator: SecretBytes
}
