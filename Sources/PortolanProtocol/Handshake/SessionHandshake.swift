import PortolanCrypto
import PortolanTrust

/// Handshake of a connection: two sides agree on keys and prove their identities (PORTOLAN.md, "Handshake").
///
/// It does no I/O and knows no time: bytes go in, actions come out, and the deadline is the caller's. It holds one
/// frame at most.
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
/// The initiator learns the responder's identity before it sends its own. The responder learns the initiator only from
/// the last message, so that its `.established` comes without a `.decide`; it can still close. A responder does not
/// answer an initiator that its ``Door`` does not admit.
package struct SessionHandshake: ~Copyable, Sendable {
    package enum Action: Sendable {
        /// Send these bytes as they are.
        case send([UInt8])
        /// The responder has proved this key. No bytes are sent to it until `accept()`.
        case decide(RemoteIdentity)
        /// Both know each other, and how the session was opened. `unread` has the bytes that already came behind the
        /// handshake: the first bytes of records.
        case established(SessionKeys, RemoteIdentity, OpeningKind, unread: [UInt8])
    }

    private enum State {
        /// `start()` was not called yet.
        case idle
        /// Responder: nothing has come yet.
        case awaitingPreface
        /// Responder: the preface was good, and the announced call comes.
        case awaitingCall
        /// The first two bytes of a frame come.
        case awaitingLength(HandshakeFrame)
        /// The length was good; as many bytes come.
        case awaitingFrame(HandshakeFrame, length: Int)
        /// Initiator: the bytes began like a refusal in the clear and no frame; the rest of it comes.
        case awaitingRefusal
        /// Initiator: message 2 was good, and message 3 waits for `accept()`.
        case deciding(RemoteIdentity, RecordSuite)
        /// The handshake has succeeded.
        case established
        /// The handshake has failed.
        case failed(HandshakeError)
    }

    // Exactly one of the two is set, and does not change.
    private var initiator: InitiatorOpening?
    private var responder: ResponderOpening?
    private var exchange: IdentityExchange?
    private var state = State.idle
    private var input = HandshakeInput()

    /// True if a code is spent unless the handshake succeeds: the peer could test one guess on the bytes it was sent.
    /// The code must not be used again then, for any end of the connection.
    package var hasTriedCode: Bool {
        switch initiator {
        case .some(let initiator): initiator.hasTriedCode
        case .none: false
        }
    }

    /// The side that opened the connection.
    ///
    /// - Parameters:
    ///   - identity: this device.
    ///   - suites: this side's cipher suites, best first; `chacha20poly1305` is always among them.
    ///   - noiseKey: this process's Noise key pair.
    package init(
        opening: Opening, identity: DeviceIdentity, suites: [RecordSuite] = RecordSuite.hardware,
        noiseKey: NoiseKeyPair, randomness: HandshakeRandomness = .fresh()
    ) {
        if case .team(_, let nonce) = opening {
            precondition(nonce.count == AdvertisedNonces.length, "nonces that are no such are not connected to")
        }
        initiator = InitiatorOpening(opening, IdentityExchange.Party(identity, suites, noiseKey), randomness)
    }

    /// The side that was connected to.
    package init(
        door: Door, identity: DeviceIdentity, suites: [RecordSuite] = RecordSuite.hardware,
        noiseKey: NoiseKeyPair, randomness: HandshakeRandomness = .fresh()
    ) {
        responder = ResponderOpening(door, IdentityExchange.Party(identity, suites, noiseKey), randomness)
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

    /// Begins: the initiator speaks first, the responder waits. Called once.
    package mutating func start() -> [Action] {
        guard case .idle = state else { preconditionFailure("A handshake begins once") }
        guard let beginning = initiator?.start() else {
            state = .awaitingPreface
            return []
        }
        exchange = initiator?.takeExchange()
        state = .awaitingLength(exchange == nil ? .answer : .second)
        return [.send(beginning)]
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

    /// Accepts the responder after `.decide`, and sends it this side's identity.
    package mutating func accept() throws(HandshakeError) -> [Action] {
        if case .failed(let error) = state { throw error }
        guard case .deciding(let peer, let suite) = state else { preconditionFailure("Nothing is to be decided") }
        do {
            guard let message = try exchange?.writeChoice(suite) else { preconditionFailure("There was a message 2") }
            return [.send(HandshakeFrame.encode(message)), finish(peer, suite, unread: [])]
        } catch {
            throw fail(error)
        }
    }

    /// Returns the error for a connection that ended before the handshake did.
    package func endOfInput() -> HandshakeError {
        switch state {
        case .failed(let error): error
        case .awaitingLength(.second) where kind == .team && input.partial.isEmpty: HandshakeError(.notAdmitted)
        case .awaitingLength(.second) where hasTriedCode: HandshakeError(.wrongCode)
        case .awaitingFrame(.second, _) where hasTriedCode: HandshakeError(.wrongCode)
        default: HandshakeError(.cut)
        }
    }

    private mutating func fail(_ error: HandshakeError) -> HandshakeError {
        state = .failed(error)
        // A use of a code that was set aside is free again.
        responder = nil
        return error
    }

    private var kind: OpeningKind {
        switch initiator {
        case .some(let initiator): return initiator.kind
        case .none: break
        }
        switch responder {
        case .some(let responder): return responder.kind
        case .none: preconditionFailure("It is the one or the other")
        }
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
                // A peer of another protocol is detected at the first byte that differs, and not only after twelve.
                guard let preface = input.take(Preface.length, from: &bytes) else {
                    if !Preface.magic.starts(with: input.partial.prefix(8)) { throw HandshakeError(.notPortolan) }
                    return actions
                }
                switch try responder?.read(preface: preface) {
                case .xxPSK0: state = .awaitingCall
                case .xx, nil: state = .awaitingLength(.first)
                }
            case .awaitingCall:
                guard let call = input.take(OpeningCall.length, from: &bytes) else { return actions }
                if let answer = try responder?.read(call: call) {
                    actions.append(.send(HandshakeFrame.encode(answer)))
                    state = .awaitingLength(.share)
                } else {
                    state = .awaitingLength(.first)
                }
            case .awaitingLength(let frame):
                guard let length = input.take(2, from: &bytes) else { return actions }
                try read(length: length, of: frame)
            case .awaitingRefusal:
                guard let refusal = input.take(Preface.length, from: &bytes) else {
                    if !Preface.magic.starts(with: input.partial.prefix(8)) { throw HandshakeError(.notPortolan) }
                    return actions
                }
                guard let versions = Preface.versions(inRefusal: refusal) else { throw HandshakeError(.notPortolan) }
                throw HandshakeError(.versionRefused(versions))
            case .awaitingFrame(let frame, let length):
                guard let content = input.take(length, from: &bytes) else { return actions }
                actions += try read(frame, content, before: bytes)
                if case .established = state { return actions }
            }
        }
    }

    private mutating func read(length bytes: [UInt8], of frame: HandshakeFrame) throws(HandshakeError) {
        let length = Int(bytes[0]) << 8 | Int(bytes[1])
        if length > Limits.handshakeFrame {
            try refuse(tooLong: bytes, length)
        } else if length == frame.length ?? length {
            state = .awaitingFrame(frame, length: length)
        } else {
            throw HandshakeError(
                .violation(ProtocolViolation(.malformed, "A part of the pairing has \(length) bytes, which none has.")))
        }
    }

    private mutating func refuse(tooLong bytes: [UInt8], _ length: Int) throws(HandshakeError) {
        guard initiator != nil else {
            throw HandshakeError(
                .violation(
                    ProtocolViolation(
                        .limit,
                        "A handshake message of \(length) bytes; at most \(Limits.handshakeFrame) are allowed.")))
        }
        // The other side has sent valid messages before, so it is a peer without the code.
        if hasTriedCode { throw HandshakeError(.wrongCode) }
        // Otherwise nothing was heard yet that only a Portolan peer would say. The two cannot be mistaken for each
        // other.
        guard bytes == Array(Preface.magic.prefix(2)) else { throw HandshakeError(.notPortolan) }
        input.putBack(bytes)
        state = .awaitingRefusal
    }
}

// MARK: - Frames to identities

extension SessionHandshake {
    /// - Parameter rest: bytes that came behind the frame.
    private mutating func read(
        _ frame: HandshakeFrame, _ content: [UInt8], before rest: ArraySlice<UInt8>
    ) throws(HandshakeError) -> [Action] {
        switch frame {
        case .answer:
            guard let said = try initiator?.tryCode(answer: content) else { preconditionFailure("An initiator's") }
            exchange = initiator?.takeExchange()
            state = .awaitingLength(.second)
            return [.send(said)]
        case .share:
            try responder?.read(share: content)
            state = .awaitingLength(.first)
            return []
        case .first:
            exchange = try responder?.read(first: content)
            guard let offer = try exchange?.writeOffer() else { preconditionFailure("A responder's") }
            state = .awaitingLength(.third)
            return [.send(HandshakeFrame.encode(offer))]
        case .second:
            let (peer, suite) = try readOffer(content)
            state = .deciding(peer, suite)
            return [.decide(peer)]
        case .third:
            guard let (peer, suite) = try exchange?.readChoice(content) else { preconditionFailure("A responder's") }
            responder?.established()
            return [finish(peer, suite, unread: Array(rest))]
        }
    }

    private mutating func readOffer(_ message: [UInt8]) throws(HandshakeError) -> (RemoteIdentity, RecordSuite) {
        do {
            guard let offer = try exchange?.readOffer(message) else { preconditionFailure("An initiator's") }
            return offer
        } catch {
            throw error.kind == .forged && hasTriedCode ? HandshakeError(.wrongCode) : error
        }
    }

    private mutating func finish(_ peer: RemoteIdentity, _ suite: RecordSuite, unread: [UInt8]) -> Action {
        state = .established
        guard let complete = exchange.take() else { preconditionFailure("A handshake ends once") }
        return .established(complete.keys(sealing: suite), peer, kind, unread: unread)
    }
}
