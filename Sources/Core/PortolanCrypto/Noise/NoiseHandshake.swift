/// Side of a handshake.
public enum NoiseRole: Sendable {
    /// Sends the first message.
    case initiator
    /// Waits for the first message.
    case responder
}

/// A Noise handshake with X25519, ChaChaPoly and SHA-256: the HandshakeState object of the specification (section 5.3).
///
/// The type does no input or output: messages are bytes, and their framing is left to the caller. The sides take turns
/// until ``isComplete``; then ``split()`` ends the handshake and gives the secrets. An error is final. Between reading
/// message 2 and writing message 3 the initiator knows ``remoteStatic`` but has not revealed itself: that is the moment
/// to decide whether to go on.
///
/// Not copyable, so that no message is encrypted twice under one nonce.
public struct NoiseHandshake: ~Copyable, Sendable {
    /// The longest message Noise allows, in bytes (section 3).
    public static let maximumMessageLength = 65535

    private let role: NoiseRole
    private let messages: [[NoisePattern.Token]]
    private let staticKey: NoiseKeyPair
    private let ephemeral: NoiseKeyPair
    private let psk: SecretBytes?
    private var symmetric: SymmetricState
    private var remoteEphemeral: NoisePublicKey?
    private var done = 0
    private var hasFailed = false

    /// The peer's static key, once a message has brought it. The key means nothing until a signature binds it to a
    /// device.
    public private(set) var remoteStatic: NoisePublicKey?

    /// Begins a handshake.
    ///
    /// - Parameters:
    ///   - pattern: Tokens of each message.
    ///   - role: This side.
    ///   - prologue: Data that both sides exchanged before; if theirs differ, the handshake fails.
    ///   - staticKey: This side's static key.
    ///   - psk: Pre-shared key of both sides, 32 random bytes, for patterns that need one and only for those.
    public init(
        pattern: NoisePattern, role: NoiseRole, prologue: some Collection<UInt8>, staticKey: NoiseKeyPair,
        psk: SecretBytes? = nil
    ) {
        self.init(
            pattern: pattern, role: role, prologue: prologue, staticKey: staticKey, psk: psk, ephemeral: .generate())
    }

    /// Begins a handshake with a known ephemeral key, to reproduce one. An ephemeral key must not be used twice.
    package init(
        pattern: NoisePattern, role: NoiseRole, prologue: some Collection<UInt8>, staticKey: NoiseKeyPair,
        psk: SecretBytes? = nil, ephemeral: NoiseKeyPair
    ) {
        precondition(pattern.needsPSK == (psk != nil), "a pre-shared key goes with the patterns that name one")
        precondition(psk.map { $0.count == ChaChaPoly.keyLength } ?? true, "a pre-shared key has 32 bytes")
        self.role = role
        self.messages = pattern.messages
        self.staticKey = staticKey
        self.ephemeral = ephemeral
        self.psk = psk
        symmetric = SymmetricState(protocolName: pattern.protocolName)
        symmetric.mixHash(Array(prologue))
    }

    /// Hash over all messages so far, 32 bytes; after the last message it identifies this session.
    public var handshakeHash: [UInt8] { symmetric.hash }

    /// True when all messages have been exchanged.
    public var isComplete: Bool { done == messages.count }

    /// True if the next message is this side's to write.
    public var isOurTurn: Bool { !isComplete && done.isMultiple(of: 2) == (role == .initiator) }

    /// Writes this side's next message.
    ///
    /// - Parameter payload: Sent with the message, protected as far as the pattern allows at this point (section 7.7).
    /// - Precondition: The next message is this side's.
    /// - Throws: ``NoiseError``; the handshake has failed then.
    public mutating func writeMessage(payload: [UInt8]) throws(NoiseError) -> [UInt8] {
        precondition(isOurTurn, "it is the peer's turn to write, or the handshake is complete")
        return try orFail { (handshake) throws(NoiseError) in try handshake.write(payload) }
    }

    /// Reads the peer's next message and returns its payload.
    ///
    /// - Precondition: The next message is the peer's.
    /// - Throws: ``NoiseError``; the handshake has failed then.
    public mutating func readMessage(_ message: some Collection<UInt8>) throws(NoiseError) -> [UInt8] {
        precondition(!isOurTurn && !isComplete, "it is this side's turn to write, or the handshake is complete")
        let message = Array(message)
        return try orFail { (handshake) throws(NoiseError) in try handshake.read(message) }
    }

    /// Ends the handshake and returns the secrets for both directions.
    ///
    /// - Precondition: ``isComplete``.
    public consuming func split() -> NoiseSecrets {
        precondition(isComplete && !hasFailed, "only a complete handshake gives secrets")
        return symmetric.split()
    }
}

extension NoiseHandshake {
    /// WriteMessage(payload, message_buffer)
    private mutating func write(_ payload: [UInt8]) throws(NoiseError) -> [UInt8] {
        var message: [UInt8] = []
        for token in messages[done] {
            switch token {
            case .e:
                message += ephemeral.publicKey.bytes
                mixEphemeral(ephemeral.publicKey)
            case .s:
                message += symmetric.encryptAndHash(staticKey.publicKey.bytes)
            case .ee, .es, .se, .psk:
                try mix(token)
            }
        }
        let length = message.count + payload.count + symmetric.overhead
        guard length <= Self.maximumMessageLength else { throw .messageTooLong(length) }
        return message + symmetric.encryptAndHash(payload)
    }

    /// ReadMessage(message, payload_buffer)
    private mutating func read(_ message: [UInt8]) throws(NoiseError) -> [UInt8] {
        guard message.count <= Self.maximumMessageLength else { throw .messageTooLong(message.count) }
        var rest = message[...]
        func take(_ count: Int) throws(NoiseError) -> [UInt8] {
            guard rest.count >= count else { throw .messageTruncated }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        for token in messages[done] {
            switch token {
            case .e:
                let key = NoisePublicKey(bytes: try take(NoisePublicKey.length))
                remoteEphemeral = key
                mixEphemeral(key)
            case .s:
                let encrypted = try take(NoisePublicKey.length + symmetric.overhead)
                remoteStatic = NoisePublicKey(bytes: try symmetric.decryptAndHash(encrypted))
            case .ee, .es, .se, .psk:
                try mix(token)
            }
        }
        return try symmetric.decryptAndHash(Array(rest))
    }

    /// Mixes an ephemeral key into the hash, and into the key as well if the pattern has a pre-shared one (section
    /// 9.2).
    private mutating func mixEphemeral(_ key: NoisePublicKey) {
        symmetric.mixHash(key.bytes)
        if psk != nil { symmetric.mixKey(SecretBytes(copying: key.bytes, keeping: .wiped)) }
    }

    private mutating func mix(_ token: NoisePattern.Token) throws(NoiseError) {
        switch (token, role) {
        case (.ee, _): symmetric.mixKey(try sharedSecret(ephemeral, remoteEphemeral))
        case (.es, .initiator): symmetric.mixKey(try sharedSecret(ephemeral, remoteStatic))
        case (.es, .responder): symmetric.mixKey(try sharedSecret(staticKey, remoteEphemeral))
        case (.se, .initiator): symmetric.mixKey(try sharedSecret(staticKey, remoteEphemeral))
        case (.se, .responder): symmetric.mixKey(try sharedSecret(ephemeral, remoteStatic))
        case (.psk, _):
            guard let psk else { preconditionFailure("checked when the handshake began") }
            symmetric.mixKeyAndHash(psk)
        case (.e, _), (.s, _): preconditionFailure("\(token) sends a key, it mixes no secret")
        }
    }

    private func sharedSecret(_ own: NoiseKeyPair, _ peer: NoisePublicKey?) throws(NoiseError) -> SecretBytes {
        guard let peer else { preconditionFailure("the pattern names a key before it was sent") }
        return try own.sharedSecret(with: peer)
    }

    /// Runs one step; an error in it ends the handshake.
    private mutating func orFail(
        _ step: (inout NoiseHandshake) throws(NoiseError) -> [UInt8]
    ) throws(NoiseError) -> [UInt8] {
        guard !hasFailed else { throw .alreadyFailed }
        hasFailed = true
        let result = try step(&self)
        hasFailed = false
        done += 1
        return result
    }
}
