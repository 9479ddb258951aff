import PortolanCrypto
import PortolanTrust
import PortolanValues

/// The Noise messages of one handshake and the identities in them.
struct IdentityExchange: ~Copyable, Sendable {
    /// This side, in every handshake of a process.
    struct Party: Sendable {
        let identity: DeviceIdentity
        /// Suites that this side supports, best first.
        let suites: [RecordSuite]
        let noiseKey: NoiseKeyPair

        init(_ identity: DeviceIdentity, _ suites: [RecordSuite], _ noiseKey: NoiseKeyPair) {
            precondition(suites.contains(.chacha20poly1305), "Every peer can do ChaCha20-Poly1305")
            self.identity = identity
            self.suites = suites
            self.noiseKey = noiseKey
        }
    }

    private let party: Party
    private let role: NoiseRole
    private let hidesLengths: Bool
    private var noise: NoiseHandshake

    /// - Parameters:
    ///   - prologue: cleartext bytes of both sides.
    ///   - psk: key that both sides already share; nil for none.
    init(role: NoiseRole, party: Party, prologue: [UInt8], psk: SecretBytes?, ephemeral: NoiseKeyPair) {
        self.party = party
        self.role = role
        hidesLengths = psk != nil
        noise = NoiseHandshake(
            pattern: psk == nil ? .xx : .xxPSK0, role: role, prologue: prologue, staticKey: party.noiseKey, psk: psk,
            ephemeral: ephemeral)
    }

    mutating func writeFirst() -> [UInt8] {
        return certain(try write([]), "The first message depends on nobody else")
    }

    mutating func readFirst(_ message: [UInt8]) throws(HandshakeError) {
        guard try read(message).isEmpty else {
            throw .violation(.malformed, "The first handshake message carries something.")
        }
    }

    /// Writes the responder's message: its identity and its suites.
    mutating func writeOffer() throws(HandshakeError) -> [UInt8] {
        try write(signedIdentity(naming: party.suites))
    }

    /// Reads the responder's message and chooses a suite.
    mutating func readOffer(_ message: [UInt8]) throws(HandshakeError) -> (RemoteIdentity, RecordSuite) {
        let (peer, offered) = try readIdentity(message)
        guard offered.contains(UInt32(RecordSuite.chacha20poly1305.rawValue)) else {
            throw .violation(.malformed, "The responder does not offer what every peer can do.")
        }
        // The responder's order decides among the common suites; there is at least one.
        let both = offered.compactMap { number in party.suites.first { UInt32($0.rawValue) == number } }
        return (peer, both.first ?? .chacha20poly1305)
    }

    /// Writes the initiator's message: its identity and its chosen suite.
    mutating func writeChoice(_ suite: RecordSuite) throws(HandshakeError) -> [UInt8] {
        try write(signedIdentity(naming: [suite]))
    }

    /// Reads the initiator's message.
    mutating func readChoice(_ message: [UInt8]) throws(HandshakeError) -> (RemoteIdentity, RecordSuite) {
        let (peer, named) = try readIdentity(message)
        guard named.count == 1, let suite = party.suites.first(where: { UInt32($0.rawValue) == named[0] }) else {
            throw .violation(.unexpected, "The initiator chose a suite that was not offered.")
        }
        return (peer, suite)
    }

    /// Ends the handshake after its last message.
    consuming func keys(sealing suite: RecordSuite) -> SessionKeys {
        let (role, hash) = (role, noise.handshakeHash)
        return SessionKeys(secrets: noise.split(), role: role, suite: suite, handshakeHash: hash)
    }
}

extension IdentityExchange {
    /// Reads message 2 or 3, and checks the identity in it.
    private mutating func readIdentity(_ message: [UInt8]) throws(HandshakeError) -> (RemoteIdentity, [UInt32]) {
        let hashBefore = noise.handshakeHash
        let payload = try read(message)
        let shown = try translating(HandshakeIdentity(decoding: payload)) { (error: ProtocolViolation) in
            HandshakeError(.violation(error))
        }
        guard let noiseStatic = noise.remoteStatic, shown.isProved(hash: hashBefore, noiseStatic: noiseStatic) else {
            throw HandshakeError(.unproven)
        }
        guard shown.deviceKey != party.identity.publicKey else { throw HandshakeError(.ownKey) }
        return (RemoteIdentity(deviceKey: shown.deviceKey, name: shown.name), shown.suites)
    }

    /// This side's identity, signed for the message that is written next.
    private func signedIdentity(naming suites: [RecordSuite]) -> [UInt8] {
        let identity = HandshakeIdentity(
            party.identity, suites: suites, hash: noise.handshakeHash, noiseStatic: party.noiseKey.publicKey)
        return identity.encode(padded: hidesLengths)
    }

    private mutating func write(_ payload: [UInt8]) throws(HandshakeError) -> [UInt8] {
        return try translating(noise.writeMessage(payload: payload)) { (_: any Error) in HandshakeError(.forged) }
    }

    private mutating func read(_ message: [UInt8]) throws(HandshakeError) -> [UInt8] {
        return try translating(noise.readMessage(message)) { (_: any Error) in HandshakeError(.forged) }
    }
}
