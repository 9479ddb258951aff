import PortolanCrypto
import PortolanTrust

/// The first moments of a connection: two strangers agree on keys and prove who they are (PORTOLAN.md, "Handshake").
///
/// It does no I/O and knows no time: bytes go in, actions come out, and the deadline is the caller's. It holds one frame
/// at most, whatever the peer sends.
///
/// ```swift
/// var handshake = SessionHandshake(role: .initiator, identity: identity, noiseKey: noiseKey)
/// for action in handshake.start() { … }
/// // for each piece that arrives:
/// do {
///     for action in try handshake.receive(bytes) {
///         switch action {
///         case .send(let bytes): …
///         case .decide(let peer): …                    // initiator only: later `try handshake.accept()`, or close
///         case .established(let keys, let peer, let unread): …   // records begin with `unread`
///         }
///     }
/// } catch { send(error.reply); close }
/// // when the connection ends:
/// throw handshake.endOfInput()
/// ```
///
/// The initiator learns who the responder is before it says who it is itself. The responder learns the initiator only
/// from the last message, so that its `.established` comes without a `.decide`; it can still close.
package struct SessionHandshake: ~Copyable, Sendable {
    package enum Action: Sendable {
        /// Send these bytes as they are.
        case send([UInt8])
        /// The responder has proved this key. Nothing is said to it until `accept()`.
        case decide(RemoteIdentity)
        /// Both know each other. `unread` is what already came behind the handshake: the first bytes of records.
        case established(SessionKeys, RemoteIdentity, unread: [UInt8])
    }

    private enum State {
        /// `start()` was not called yet.
        case idle
        /// Responder: nothing has come yet.
        case awaitingPreface
        /// Initiator: all is sent up to message 1. Responder: the preface was good. The first two bytes of a frame come.
        case awaitingLength
        /// The length was good; as many bytes come.
        case awaitingMessage(length: Int)
        /// Initiator: the bytes began like a refusal in the clear and no frame; the rest of it comes.
        case awaitingRefusal
        /// Initiator: message 2 was good, and message 3 waits for `accept()`.
        case deciding(RemoteIdentity, RecordSuite)
        /// It is over, well.
        case established
        /// It is over.
        case failed(HandshakeError)
    }

    private let role: NoiseRole
    private let identity: DeviceIdentity
    private let suites: [RecordSuite]
    private let noiseKey: NoiseKeyPair
    private var noise: NoiseHandshake?
    private var state = State.idle
    private var partial: [UInt8] = []
    private var hasReadFirstMessage = false

    /// - Parameters:
    ///   - role: who opened the connection.
    ///   - identity: who we are.
    ///   - suites: what this side can seal with, best first; `chacha20poly1305` is always among them.
    ///   - noiseKey: this process's Noise key pair.
    package init(
        role: NoiseRole, identity: DeviceIdentity, suites: [RecordSuite] = RecordSuite.hardware,
        noiseKey: NoiseKeyPair
    ) {
        self.init(role: role, identity: identity, suites: suites, noiseKey: noiseKey, ephemeral: .generate())
    }

    /// With an ephemeral key that is known, for reproducing a handshake. One is never used twice.
    package init(
        role: NoiseRole, identity: DeviceIdentity, suites: [RecordSuite], noiseKey: NoiseKeyPair,
        ephemeral: NoiseKeyPair
    ) {
        precondition(suites.contains(.chacha20poly1305), "Every peer can do ChaCha20-Poly1305")
        self.role = role
        self.identity = identity
        self.suites = suites
        self.noiseKey = noiseKey
        noise = NoiseHandshake(
            pattern: .xx, role: role, prologue: Preface.initiation, staticKey: noiseKey, ephemeral: ephemeral)
    }

    /// Begins: the initiator speaks first, the responder waits. Called once.
    package mutating func start() -> [Action] {
        guard case .idle = state else { preconditionFailure("A handshake begins once") }
        switch role {
        case .initiator:
            state = .awaitingLength
            do {
                return [.send(Preface.initiation + frame(try write([])))]
            } catch {
                preconditionFailure("The first message depends on nobody else: \(error)")
            }
        case .responder:
            state = .awaitingPreface
            return []
        }
    }

    /// Takes the next bytes that arrived, however they were cut.
    ///
    /// - Throws: the error that ended the handshake, and the same again if more bytes are brought after it.
    package mutating func receive(_ bytes: some Collection<UInt8>) throws(HandshakeError) -> [Action] {
        if case .failed(let error) = state { throw error }
        do {
            return try advance(Array(bytes)[...])
        } catch {
            state = .failed(error)
            throw error
        }
    }

    /// The decision after `.decide`: go on, and tell the responder who we are.
    package mutating func accept() throws(HandshakeError) -> [Action] {
        if case .failed(let error) = state { throw error }
        guard case .deciding(let peer, let suite) = state else { preconditionFailure("Nothing is to be decided") }
        do {
            let message = frame(try write(signedIdentity(naming: [suite])))
            return [.send(message), finish(peer, suite, unread: [])]
        } catch {
            state = .failed(error)
            throw error
        }
    }

    /// The connection ended before the handshake did.
    package func endOfInput() -> HandshakeError {
        switch state {
        case .failed(let error): return error
        case .awaitingPreface where !partial.isEmpty && !Preface.magic.starts(with: partial.prefix(8)):
            return HandshakeError(.notPortolan)
        case .awaitingRefusal: return HandshakeError(.notPortolan)
        default: return HandshakeError(.cut)
        }
    }
}

// MARK: - Bytes to messages

extension SessionHandshake {
    private mutating func advance(_ input: ArraySlice<UInt8>) throws(HandshakeError) -> [Action] {
        var input = input
        var actions: [Action] = []
        while true {
            switch state {
            case .idle: preconditionFailure("Bytes before start()")
            case .established: preconditionFailure("Bytes after the handshake are records")
            case .failed(let error): throw error
            case .deciding:
                if input.isEmpty { return actions }
                throw HandshakeError(
                    .violation(ProtocolViolation(.unexpected, "The responder spoke before it was answered.")))
            case .awaitingPreface:
                // Whoever is no Portolan is told from the first byte that differs, not after twelve.
                guard let preface = take(Preface.length, from: &input) else {
                    if !Preface.magic.starts(with: partial.prefix(8)) { throw HandshakeError(.notPortolan) }
                    return actions
                }
                try Preface.check(preface)
                state = .awaitingLength
            case .awaitingLength:
                guard let bytes = take(2, from: &input) else { return actions }
                let length = Int(bytes[0]) << 8 | Int(bytes[1])
                if role == .initiator, bytes == Array(Preface.magic.prefix(2)) {
                    // As a length this would be far above the limit, so that the two cannot be mistaken for each other.
                    partial = bytes
                    state = .awaitingRefusal
                } else if length > Limits.handshakeFrame {
                    // An initiator has heard nothing yet that only a Portolan peer would say.
                    throw HandshakeError(role == .initiator ? .notPortolan : .violation(tooLong(length)))
                } else {
                    state = .awaitingMessage(length: length)
                }
            case .awaitingRefusal:
                guard let bytes = take(Preface.length, from: &input) else { return actions }
                guard let versions = Preface.versions(inRefusal: bytes) else { throw HandshakeError(.notPortolan) }
                throw HandshakeError(.versionRefused(versions))
            case .awaitingMessage(let length):
                guard let message = take(length, from: &input) else { return actions }
                actions += try read(message, &input)
                if case .established = state { return actions }
            }
        }
    }

    /// The next `count` bytes, once they are all there.
    private mutating func take(_ count: Int, from input: inout ArraySlice<UInt8>) -> [UInt8]? {
        let missing = input.prefix(count - partial.count)
        partial += missing
        input = input.dropFirst(missing.count)
        guard partial.count == count else { return nil }
        defer { partial = [] }
        return partial
    }

    private func tooLong(_ length: Int) -> ProtocolViolation {
        ProtocolViolation(
            .limit, "A handshake message of \(length) bytes; at most \(Limits.handshakeFrame) are allowed.")
    }

    private func frame(_ message: [UInt8]) -> [UInt8] {
        [UInt8(message.count >> 8), UInt8(message.count & 0xFF)] + message
    }
}

// MARK: - Messages to identities

extension SessionHandshake {
    private mutating func read(
        _ message: [UInt8], _ input: inout ArraySlice<UInt8>
    ) throws(HandshakeError) -> [Action] {
        switch role {
        case .responder where !hasReadFirstMessage:
            hasReadFirstMessage = true
            let payload = try readNoise(message)
            guard payload.isEmpty else {
                throw HandshakeError(
                    .violation(ProtocolViolation(.malformed, "The first handshake message carries something.")))
            }
            state = .awaitingLength
            return [.send(frame(try write(signedIdentity(naming: suites))))]
        case .responder:
            let (peer, named) = try readIdentity(message)
            guard named.count == 1, let suite = suites.first(where: { UInt32($0.rawValue) == named[0] }) else {
                throw HandshakeError(
                    .violation(ProtocolViolation(.unexpected, "The initiator chose a suite that was not offered.")))
            }
            defer { input = [] }
            return [finish(peer, suite, unread: Array(input))]
        case .initiator:
            let (peer, offered) = try readIdentity(message)
            guard offered.contains(UInt32(RecordSuite.chacha20poly1305.rawValue)) else {
                throw HandshakeError(
                    .violation(ProtocolViolation(.malformed, "The responder does not offer what every peer can do.")))
            }
            // The responder's order decides among what both can do, and both can do one of them for certain.
            let both = offered.compactMap { number in suites.first { UInt32($0.rawValue) == number } }
            let suite = both.first ?? .chacha20poly1305
            state = .deciding(peer, suite)
            return [.decide(peer)]
        }
    }

    /// Reads message 2 or 3 and checks everything about the identity in it.
    private mutating func readIdentity(_ message: [UInt8]) throws(HandshakeError) -> (RemoteIdentity, [UInt32]) {
        let hashBefore = currentHash
        let payload = try readNoise(message)
        let shown: HandshakeIdentity
        do {
            shown = try HandshakeIdentity(decoding: payload)
        } catch {
            throw HandshakeError(.violation(error))
        }
        guard let noiseStatic = noise?.remoteStatic, shown.isProved(hash: hashBefore, noiseStatic: noiseStatic) else {
            throw HandshakeError(.unproven)
        }
        guard shown.deviceKey != identity.publicKey else { throw HandshakeError(.ownKey) }
        return (RemoteIdentity(deviceKey: shown.deviceKey, name: shown.name), shown.suites)
    }

    /// Our identity, signed for the message that is written next.
    private func signedIdentity(naming suites: [RecordSuite]) -> [UInt8] {
        HandshakeIdentity(identity, suites: suites, hash: currentHash, noiseStatic: noiseKey.publicKey).encode()
    }

    private mutating func finish(_ peer: RemoteIdentity, _ suite: RecordSuite, unread: [UInt8]) -> Action {
        state = .established
        let hash = currentHash
        guard let complete = noise.take() else { preconditionFailure("A handshake ends once") }
        let keys = SessionKeys(secrets: complete.split(), role: role, suite: suite, handshakeHash: hash)
        return .established(keys, peer, unread: unread)
    }

    private var currentHash: [UInt8] {
        switch noise {
        case .some(let noise): noise.handshakeHash
        case .none: preconditionFailure("It has ended")
        }
    }

    private mutating func write(_ payload: [UInt8]) throws(HandshakeError) -> [UInt8] {
        do {
            guard let message = try noise?.writeMessage(payload: payload) else { preconditionFailure("It has ended") }
            return message
        } catch {
            throw HandshakeError(.forged)
        }
    }

    private mutating func readNoise(_ message: [UInt8]) throws(HandshakeError) -> [UInt8] {
        do {
            guard let payload = try noise?.readMessage(message) else { preconditionFailure("It has ended") }
            return payload
        } catch {
            throw HandshakeError(.forged)
        }
    }
}
