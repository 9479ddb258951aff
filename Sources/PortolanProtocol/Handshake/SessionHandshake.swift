import PortolanCrypto
import PortolanTrust

/// The first moments of a connection: two sides agree on keys and prove who they are (PORTOLAN.md, "Handshake").
///
/// It does no I/O and knows no time: bytes go in, actions come out, and the deadline is the caller's. It holds one frame
/// at most, whatever the peer sends.
///
/// ```swift
/// var handshake = SessionHandshake(opening: .open, identity: identity, noiseKey: noiseKey)
/// for action in handshake.start() { … }
/// // for each piece that arrives:
/// do {
///     for action in try handshake.receive(bytes) {
///         switch action {
///         case .send(let bytes): …
///         case .decide(let peer): …                    // initiator only: later `try handshake.accept()`, or close
///         case .established(let keys, let peer, let opening, let unread): …   // records begin with `unread`
///         }
///     }
/// } catch { send(error.reply); close }
/// // when the connection ends:
/// throw handshake.endOfInput()
/// ```
///
/// The initiator learns who the responder is before it says who it is itself. The responder learns the initiator only
/// from the last message, so that its `.established` comes without a `.decide`; it can still close. A responder says nothing
/// to whoever comes otherwise than its ``Door`` allows.
package struct SessionHandshake: ~Copyable, Sendable {
    package enum Action: Sendable {
        /// Send these bytes as they are.
        case send([UInt8])
        /// The responder has proved this key. Nothing is said to it until `accept()`.
        case decide(RemoteIdentity)
        /// Both know each other, and how the session was opened. `unread` is what already came behind the handshake: the
        /// first bytes of records.
        case established(SessionKeys, RemoteIdentity, OpeningKind, unread: [UInt8])
    }

    /// What comes in frames.
    private enum Frame {
        /// The responder's half of the session's name and its CPace share.
        case answer
        /// The initiator's CPace share.
        case share
        /// The Noise messages.
        case first, second, third

        /// How long it is, where that is known before it comes.
        var length: Int? {
            switch self {
            case .answer: CodeExchange.answerLength
            case .share: CodeExchange.shareLength
            case .first, .second, .third: nil
            }
        }
    }

    private enum State {
        /// `start()` was not called yet.
        case idle
        /// Responder: nothing has come yet.
        case awaitingPreface
        /// Responder: the preface was good, and what it announced comes.
        case awaitingCall
        /// The first two bytes of a frame come.
        case awaitingLength(Frame)
        /// The length was good; as many bytes come.
        case awaitingFrame(Frame, length: Int)
        /// Initiator: the bytes began like a refusal in the clear and no frame; the rest of it comes.
        case awaitingRefusal
        /// Initiator: message 2 was good, and message 3 waits for `accept()`.
        case deciding(RemoteIdentity, RecordSuite)
        /// It is over, well.
        case established
        /// It is over.
        case failed(HandshakeError)
    }

    private enum Side {
        case initiator(Opening)
        case responder(Door)
    }

    private let side: Side
    private let party: IdentityExchange.Party
    private let randomness: HandshakeRandomness
    private var state = State.idle
    private var input = HandshakeInput()
    /// The opening that the initiator asked for.
    private var kind = OpeningKind.open
    private var nonce: [UInt8] = []
    /// Everything that both sides have said before the first Noise message, without the lengths of frames.
    private var prologue: [UInt8] = []
    private var code: CodeExchange?
    private var exchange: IdentityExchange?
    private var use: PairingUse?

    /// Whether a code is spent if the handshake does not succeed: whoever is at the other end could try one guess on what it
    /// was sent. From then on the code is not to be used again, whatever ended the connection.
    package private(set) var hasTriedCode = false

    /// The side that opened the connection.
    ///
    /// - Parameters:
    ///   - identity: who we are.
    ///   - suites: what this side can seal with, best first; `chacha20poly1305` is always among them.
    ///   - noiseKey: this process's Noise key pair.
    package init(
        opening: Opening, identity: DeviceIdentity, suites: [RecordSuite] = RecordSuite.hardware,
        noiseKey: NoiseKeyPair, randomness: HandshakeRandomness = .fresh()
    ) {
        if case .team(_, let nonce) = opening {
            precondition(nonce.count == AdvertisedNonces.length, "nonces that are no such are not connected to")
        }
        self.init(.initiator(opening), IdentityExchange.Party(identity, suites, noiseKey), randomness)
    }

    /// The side that was connected to.
    package init(
        door: Door, identity: DeviceIdentity, suites: [RecordSuite] = RecordSuite.hardware,
        noiseKey: NoiseKeyPair, randomness: HandshakeRandomness = .fresh()
    ) {
        self.init(.responder(door), IdentityExchange.Party(identity, suites, noiseKey), randomness)
    }

    /// Either side of an open handshake.
    package init(
        role: NoiseRole, identity: DeviceIdentity, suites: [RecordSuite] = RecordSuite.hardware,
        noiseKey: NoiseKeyPair
    ) {
        switch role {
        case .initiator: self.init(opening: .open, identity: identity, suites: suites, noiseKey: noiseKey)
        case .responder: self.init(door: .open, identity: identity, suites: suites, noiseKey: noiseKey)
        }
    }

    private init(_ side: Side, _ party: IdentityExchange.Party, _ randomness: HandshakeRandomness) {
        precondition(party.suites.contains(.chacha20poly1305), "Every peer can do ChaCha20-Poly1305")
        self.side = side
        self.party = party
        self.randomness = randomness
    }

    /// Begins: the initiator speaks first, the responder waits. Called once.
    package mutating func start() -> [Action] {
        guard case .idle = state else { preconditionFailure("A handshake begins once") }
        switch side {
        case .initiator(let opening): return [.send(begin(opening))]
        case .responder: state = .awaitingPreface
        }
        return []
    }

    /// Takes the next bytes that arrived, however they were cut.
    ///
    /// - Throws: the error that ended the handshake, and the same again if more bytes are brought after it.
    package mutating func receive(_ bytes: some Collection<UInt8>) throws(HandshakeError) -> [Action] {
        if case .failed(let error) = state { throw error }
        do {
            return try advance(Array(bytes)[...])
        } catch {
            throw fail(error)
        }
    }

    /// The decision after `.decide`: go on, and tell the responder who we are.
    package mutating func accept() throws(HandshakeError) -> [Action] {
        if case .failed(let error) = state { throw error }
        guard case .deciding(let peer, let suite) = state else { preconditionFailure("Nothing is to be decided") }
        do {
            let message = frame(try messages { exchange throws(HandshakeError) in try exchange.writeChoice(suite) })
            return [.send(message), finish(peer, suite, unread: [])]
        } catch {
            throw fail(error)
        }
    }

    /// The connection ended before the handshake did.
    package func endOfInput() -> HandshakeError {
        switch state {
        case .failed(let error): error
        case .awaitingPreface where !input.partial.isEmpty && !Preface.magic.starts(with: input.partial.prefix(8)):
            HandshakeError(.notPortolan)
        case .awaitingRefusal: HandshakeError(.notPortolan)
        case .awaitingLength(.second) where kind == .team && input.partial.isEmpty: HandshakeError(.notAdmitted)
        case .awaitingLength(.second) where hasTriedCode: HandshakeError(.wrongCode)
        case .awaitingFrame(.second, _) where hasTriedCode: HandshakeError(.wrongCode)
        default: HandshakeError(.cut)
        }
    }

    private mutating func fail(_ error: HandshakeError) -> HandshakeError {
        state = .failed(error)
        use = nil
        return error
    }
}

// MARK: - Bytes to frames

extension SessionHandshake {
    private mutating func advance(_ bytes: ArraySlice<UInt8>) throws(HandshakeError) -> [Action] {
        var bytes = bytes
        var actions: [Action] = []
        while true {
            switch state {
            case .idle: preconditionFailure("Bytes before start()")
            case .established: preconditionFailure("Bytes after the handshake are records")
            case .failed(let error): throw error
            case .deciding:
                if bytes.isEmpty { return actions }
                throw HandshakeError(
                    .violation(ProtocolViolation(.unexpected, "The responder spoke before it was answered.")))
            case .awaitingPreface:
                // Whoever is no Portolan is told from the first byte that differs, not after twelve.
                guard let preface = input.take(Preface.length, from: &bytes) else {
                    if !Preface.magic.starts(with: input.partial.prefix(8)) { throw HandshakeError(.notPortolan) }
                    return actions
                }
                try read(preface: preface)
            case .awaitingCall:
                guard let call = input.take(OpeningCall.length, from: &bytes) else { return actions }
                actions += try read(call: call)
            case .awaitingLength(let frame):
                guard let length = input.take(2, from: &bytes) else { return actions }
                try read(length: length, of: frame)
            case .awaitingRefusal:
                guard let refusal = input.take(Preface.length, from: &bytes) else { return actions }
                guard let versions = Preface.versions(inRefusal: refusal) else { throw HandshakeError(.notPortolan) }
                throw HandshakeError(.versionRefused(versions))
            case .awaitingFrame(let frame, let length):
                guard let content = input.take(length, from: &bytes) else { return actions }
                actions += try read(frame, content, before: Array(bytes))
                if case .established = state { return actions }
            }
        }
    }

    private mutating func read(length bytes: [UInt8], of frame: Frame) throws(HandshakeError) {
        let length = Int(bytes[0]) << 8 | Int(bytes[1])
        switch (side, frame) {
        case (.initiator, .second) where hasTriedCode:
            // Before, the other side has spoken as a peer does; whatever it is, it does not have the code.
            if length > Limits.handshakeFrame { throw HandshakeError(.wrongCode) }
        case (.initiator, _) where bytes == Array(Preface.magic.prefix(2)):
            // As a length this would be far above the limit, so that the two cannot be mistaken for each other.
            input.putBack(bytes)
            state = .awaitingRefusal
            return
        case (.initiator, _) where length > Limits.handshakeFrame:
            // Nothing was heard yet that only a Portolan peer would say.
            throw HandshakeError(.notPortolan)
        default: break
        }
        guard length <= Limits.handshakeFrame else {
            throw HandshakeError(
                .violation(
                    ProtocolViolation(
                        .limit,
                        "A handshake message of \(length) bytes; at most \(Limits.handshakeFrame) are allowed.")))
        }
        guard length == frame.length ?? length else {
            throw HandshakeError(
                .violation(ProtocolViolation(.malformed, "A part of the pairing has \(length) bytes, which none has.")))
        }
        state = .awaitingFrame(frame, length: length)
    }

    private func frame(_ message: [UInt8]) -> [UInt8] {
        [UInt8(message.count >> 8), UInt8(message.count & 0xFF)] + message
    }
}

// MARK: - The opening

extension SessionHandshake {
    private mutating func begin(_ opening: Opening) -> [UInt8] {
        kind = opening.kind
        switch opening {
        case .open:
            prologue = Preface.initiation
            return prologue + sendFirst(psk: nil)
        case .team(let secret, let nonce):
            prologue = Preface.initiation(.xxPSK0) + OpeningCall.team(nonce: nonce).bytes
            return prologue + sendFirst(psk: Self.preSharedKey(from: secret))
        case .code(_, let purpose):
            prologue =
                Preface.initiation(.xxPSK0) + OpeningCall.code(purpose, half: randomness.sessionHalf).bytes
            state = .awaitingLength(.answer)
            return prologue
        }
    }

    /// The initiator's first Noise message, in its frame.
    private mutating func sendFirst(psk: SecretBytes?) -> [UInt8] {
        var exchange = makeExchange(.initiator, psk: psk)
        let message = exchange.writeFirst()
        self.exchange = consume exchange
        state = .awaitingLength(.second)
        return frame(message)
    }

    private func makeExchange(_ role: NoiseRole, psk: SecretBytes?) -> IdentityExchange {
        IdentityExchange(role: role, party: party, prologue: prologue, psk: psk, ephemeral: randomness.ephemeral)
    }

    private static func preSharedKey(from teamSecret: SecretBytes) -> SecretBytes {
        teamSecret.derived(for: "portolan/1 team handshake")
    }

    private mutating func read(preface: [UInt8]) throws(HandshakeError) {
        guard case .responder(let door) = side else { preconditionFailure("An initiator awaits no preface") }
        let pattern: Preface.Pattern
        do {
            pattern = try Preface.pattern(in: preface)
        } catch {
            // A device that does not talk to everyone does not say that it is one, either.
            throw door.allowsOpen ? error : HandshakeError(error.kind)
        }
        prologue = preface
        switch pattern {
        case .xx:
            guard door.allowsOpen else { throw HandshakeError(.refused(.notOpen)) }
            state = .awaitingLength(.first)
        case .xxPSK0:
            state = .awaitingCall
        }
    }

    private mutating func read(call bytes: [UInt8]) throws(HandshakeError) -> [Action] {
        guard case .responder(let door) = side else { preconditionFailure("An initiator awaits no call") }
        prologue += bytes
        switch try OpeningCall(bytes) {
        case .team(let nonce):
            // Whether the nonce is good is looked at later: who does not have a secret sees no difference.
            kind = .team
            self.nonce = nonce
            state = .awaitingLength(.first)
            return []
        case .code(let purpose, let half):
            guard let gate = door.gate, let secret = gate.secret(for: purpose) else {
                throw HandshakeError(.refused(.noCode))
            }
            kind = .code(purpose)
            let code = CodeExchange(
                role: .responder, code: secret, purpose: purpose, halves: half + randomness.sessionHalf,
                scalar: randomness.scalar)
            let answer = randomness.sessionHalf + code.share
            self.code = consume code
            prologue += answer
            state = .awaitingLength(.share)
            return [.send(frame(answer))]
        }
    }
}

// MARK: - Frames to identities

extension SessionHandshake {
    /// - Parameter rest: what came behind the frame.
    private mutating func read(
        _ frame: Frame, _ content: [UInt8], before rest: [UInt8]
    ) throws(HandshakeError) -> [Action] {
        switch frame {
        case .answer: return [.send(try tryCode(answer: content))]
        case .share:
            guard let code = code.take() else { preconditionFailure("A share is awaited by whoever sent one") }
            prologue += content
            exchange = makeExchange(.responder, psk: try code.preSharedKey(with: content))
            state = .awaitingLength(.first)
            return []
        case .first:
            try readFirst(content)
            state = .awaitingLength(.third)
            return [.send(self.frame(try messages { exchange throws(HandshakeError) in try exchange.writeOffer() }))]
        case .second:
            do {
                let (peer, suite) = try messages { exchange throws(HandshakeError) in try exchange.readOffer(content) }
                state = .deciding(peer, suite)
                return [.decide(peer)]
            } catch {
                throw error.kind == .forged && hasTriedCode ? HandshakeError(.wrongCode) : error
            }
        case .third:
            let (peer, suite) = try messages { exchange throws(HandshakeError) in try exchange.readChoice(content) }
            use.take()?.take()
            return [finish(peer, suite, unread: rest)]
        }
    }

    /// The initiator's share and its first Noise message, which the other side can test a guess on.
    private mutating func tryCode(answer: [UInt8]) throws(HandshakeError) -> [UInt8] {
        guard case .initiator(.code(let code, let purpose)) = side else { preconditionFailure("No code to try") }
        let half = answer.prefix(OpeningCall.valueLength)
        let run = CodeExchange(
            role: .initiator, code: code.secret, purpose: purpose, halves: randomness.sessionHalf + half,
            scalar: randomness.scalar)
        let share = run.share
        let psk = try run.preSharedKey(with: Array(answer.dropFirst(half.count)))
        prologue += answer + share
        hasTriedCode = true
        return frame(share) + sendFirst(psk: psk)
    }

    private mutating func readFirst(_ message: [UInt8]) throws(HandshakeError) {
        guard case .responder(let door) = side else { preconditionFailure("An initiator awaits no first message") }
        switch kind {
        case .open:
            var exchange = makeExchange(.responder, psk: nil)
            try exchange.readFirst(message)
            self.exchange = consume exchange
        case .team:
            try readFirst(message, from: door.teams)
        case .code:
            guard let gate = door.gate else { preconditionFailure("It was there when the run began") }
            use = try gate.judge { () throws(HandshakeError) in
                try messages { exchange throws(HandshakeError) in try exchange.readFirst(message) }
            }
        }
    }

    /// Finds the team whose secret the first message was made with. No curve arithmetic before one fits.
    private mutating func readFirst(_ message: [UInt8], from teams: AdvertisedNonces?) throws(HandshakeError) {
        guard let teams else { throw HandshakeError(.refused(.nonceUnknown)) }
        let secrets = teams.secrets(for: nonce)
        if secrets.isEmpty { throw HandshakeError(.refused(.nonceUnknown)) }
        for secret in secrets {
            var candidate = makeExchange(.responder, psk: Self.preSharedKey(from: secret))
            do {
                try candidate.readFirst(message)
            } catch {
                if error.kind == .forged { continue }
                throw error
            }
            guard teams.admit(Array(message.prefix(NoisePublicKey.length)), under: nonce) else { break }
            exchange = consume candidate
            return
        }
        throw HandshakeError(.forged)
    }

    private mutating func finish(_ peer: RemoteIdentity, _ suite: RecordSuite, unread: [UInt8]) -> Action {
        state = .established
        guard let complete = exchange.take() else { preconditionFailure("A handshake ends once") }
        return .established(complete.keys(sealing: suite), peer, kind, unread: unread)
    }

    /// The messages that the handshake consists of, once it is known what they are sealed with.
    private mutating func messages<Result>(
        _ body: (inout IdentityExchange) throws(HandshakeError) -> Result
    ) throws(HandshakeError) -> Result {
        guard var exchange = exchange.take() else { preconditionFailure("No messages before the opening") }
        do {
            let result = try body(&exchange)
            self.exchange = consume exchange
            return result
        } catch {
            throw error
        }
    }
}
