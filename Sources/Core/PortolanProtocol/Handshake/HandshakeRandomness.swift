import PortolanCrypto

/// Random values of a handshake. Used for a single handshake.
package struct HandshakeRandomness: Sendable {
    let ephemeral: NoiseKeyPair
    /// This side's half of the name of a session that begins with a code.
    let sessionHalf: [UInt8]
    /// Scalar of this side's share; nil to draw it.
    let scalar: SecretBytes?

    package static func fresh() -> HandshakeRandomness {
        HandshakeRandomness(
            ephemeral: .generate(), sessionHalf: (0..<OpeningCall.valueLength).map { _ in .random(in: .min ... .max) },
            scalar: nil)
    }

    /// Fixed values, for reproducing a handshake.
    package init(ephemeral: NoiseKeyPair, sessionHalf: [UInt8], scalar: SecretBytes?) {
        precondition(sessionHalf.count == OpeningCall.valueLength, "half a name has \(OpeningCall.valueLength) bytes")
        self.ephemeral = ephemeral
        self.sessionHalf = sessionHalf
        self.scalar = scalar
    }
}
