import PortolanCrypto
import PortolanTrust

/// Handshake of a connection: two sides agree on keys and prove their identities (HANDSHAKE.md, "Handshake").
///
/// It does no I/O and has no clock: bytes go in, actions come out, and the caller keeps the deadline. It buffers at
/// most one frame.
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
/// The initiator learns the responder's identity before it sends its own. The responder learns the initiator's identity
/// only from the last message, so that its `.established` comes without a `.decide`; it can still close. A responder
/// does not answer an initiator that its ``Door`` does not admit.
package struct SessionHandshake: ~Copyable, Sendable {
    package enum Action: Sendable {
        /// Send these bytes unchanged.
        case send([UInt8])
        /// The responder has proved this key. It is sent no bytes until `accept()`.
        case decide(RemoteIdentity)
        /// Both sides are identified; `OpeningKind` is the way the session was opened. `unread` has bytes that already
        /// came after the handshake: the beginning of the records.
        case established(SessionKeys, RemoteIdentity, OpeningKind, unread: [UInt8])
    }

    /// Stage of the handshake, with the values of this side at that stage. Each step consumes it and stores the next
    /// one, so that a failure leaves no values behind and releases a reserved use of a code.
    private enum State: ~Copyable, Sendable {
        /// Initiator: `start()` was not called yet.
        case initiating(InitiatorOpening)
        /// Initiator: waits for the responder's half of the session's name and its share.
        case awaitingAnswer(InitiatorOpening)
        /// Initiator: waits for message 2.
        case awaitingSecond(IdentityExchange, OpeningKind)
        /// Initiator: the bytes began like an unencrypted refusal rather than a frame; waits for the rest of it.
        case awaitingRefusal
        /// Initiator: message 2 was good, and message 3 waits for `accept()`.
        case deciding(IdentityExchange, OpeningKind, RemoteIdentity, RecordSuite)
        /// Responder: `start()` was not called yet.
        case responding(ResponderOpening)
        /// Responder: no complete preface has come yet.
        case awaitingPreface(ResponderOpening)
        /// Responder: accepted the preface; waits for the announced call.
        case awaitingCall(ResponderOpening)
        /// Responder: the call named a code; waits for the initiator's share.
        case awaitingShare(ResponderOpening)
        /// Responder: waits for message 1.
        case awaitingFirst(ResponderOpening)
        /// Responder: waits for message 3.
        case awaitingThird(ResponderOpening, IdentityExchange)
        /// The handshake has succeeded.
        case established
        /// The handshake has failed.
        case failed(HandshakeError)
    }

    private var state: State
    private var input = HandshakeInput()

    /// True if a code is spent unless the handshake succeeds: the peer could test one guess on the bytes it was sent.
    /// The code must not be used again then, for any end of the connection.
    package private(set) var hasTriedCode = false

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
        state = .initiating(
            InitiatorOpening(opening, IdentityExchange.Party(identity, suites, noiseKey), randomness))
    }

    /// The side that was connected to.
    package init(
        door: Door, identity: DeviceIdentity, suites: [RecordSuite] = RecordSuite.hardware,
        noiseKey: NoiseKeyPair, randomness: HandshakeRandomness = .fresh()
    ) {
        state = .responding(ResponderOpening(door, IdentityExchange.Party(identity, suites, noiseKey), randomness))
    }

    /// Makes either side of an open handshake.
    package init(
        role: NoiseRole, identity: DeviceIdentity, suites: [RecordSuite] = RecordSuite.hardware,
        noiseKey: NoiseKeyPair
    ) {
        switch role {
        case .initiator: self.init(opening: .open, identity: identity, suites: suites, noiseKey: noiseKey)
        case .responder: self.init(door: .open, identity: identity, suites: suites, noiseKey: noiseKey)
        }
    }

    /// Begins: the initiator sends first, the responder waits. Called once.
    package mutating func start() -> [Action] {
        switch takeState() {
        case .initiating(let initiator):
            let kind = initiator.kind
            switch initiator.start() {
            case .withFirst(let bytes, let exchange):
                state = .awaitingSecond(exchange, kind)
                return [.send(bytes)]
            case .beforeCode(let bytes, let initiator):
                state = .awaitingAnswer(initiator)
                return [.send(bytes)]
            }
        case .responding(let responder):
            state = .awaitingPreface(responder)
            return []
        default: preconditionFailure("A handshake begins once")
        }
    }

    /// Handles received bytes, in pieces of any size.
    ///
    /// - Throws: the error that ended the handshake; the same error again for bytes after it.
    package mutating func receive(_ bytes: some Collection<UInt8>) throws(HandshakeError) -> [Action] {
        do {
            return try advance(Array(bytes)[...])
        } catch {
            throw fail(error)
        }
    }

    /// Accepts the responder after `.decide`, and sends it this side's identity.
    package mutating func accept() throws(HandshakeError) -> [Action] {
        switch takeState() {
        case .failed(let error): throw fail(error)
        case .deciding(var exchange, let kind, let peer, let suite):
            let message: [UInt8]
            do {
                message = try exchange.writeChoice(suite)
            } catch {
                throw fail(error)
            }
            state = .established
            return [
                .send(HandshakeFrame.encode(message)),
                .established(exchange.keys(sealing: suite), peer, kind, unread: []),
            ]
        default: preconditionFailure("Nothing is to be decided")
        }
    }

    /// Returns the error for a connection that ended before the handshake did.
    package func endOfInput() -> HandshakeError {
        switch state {
        case .failed(let error): error
        case .awaitingSecond(_, .team) where input.isEmpty: HandshakeError(.notAdmitted)
        case .awaitingSecond where hasTriedCode: HandshakeError(.wrongCode)
        default: HandshakeError(.cut)
        }
    }

    private mutating func fail(_ error: HandshakeError) -> HandshakeError {
        state = .failed(error)
        return error
    }

    /// Takes the state out for a step, which puts the next one in or throws.
    private mutating func takeState() -> State {
        var taken = State.failed(HandshakeError(.cut))
        swap(&taken, &state)
        return taken
    }
}

// MARK: - Bytes to pieces

extension SessionHandshake {
    /// Message that is expected from the other side.
    private enum Awaited {
        /// Twelve bytes that begin with the protocol's name: a preface, or a refusal in the clear.
        case preface
        case call
        case frame(HandshakeFrame)
        /// The other side waits for this one.
        case nothing
        case records
    }

    private func awaited() throws(HandshakeError) -> Awaited {
        switch state {
        case .initiating: preconditionFailure("Bytes before start()")
        case .responding: preconditionFailure("Bytes before start()")
        case .awaitingAnswer: .frame(.answer)
        case .awaitingSecond: .frame(.second)
        case .awaitingRefusal: .preface
        case .deciding: .nothing
        case .awaitingPreface: .preface
        case .awaitingCall: .call
        case .awaitingShare: .frame(.share)
        case .awaitingFirst: .frame(.first)
        case .awaitingThird: .frame(.third)
        case .established: .records
        case .failed(let error): throw error
        }
    }

    private mutating func advance(_ bytes: ArraySlice<UInt8>) throws(HandshakeError) -> [Action] {
        var bytes = bytes
        var actions: [Action] = []
        if case .records = try awaited() { preconditionFailure("Bytes after the handshake are records") }
        while let piece = try takePiece(from: &bytes) { actions += try take(piece, before: bytes) }
        return actions
    }

    /// Takes the expected piece from the input; nil until all of it has come.
    private mutating func takePiece(from bytes: inout ArraySlice<UInt8>) throws(HandshakeError) -> [UInt8]? {
        switch try awaited() {
        case .preface: return try takePreface(from: &bytes)
        case .call: return input.take(OpeningCall.length, from: &bytes)
        case .frame(let frame): return try take(frame, from: &bytes)
        case .nothing:
            if bytes.isEmpty { return nil }
            throw .violation(.unexpected, "The responder spoke before it was answered.")
        case .records: return nil
        }
    }

    private mutating func takePreface(from bytes: inout ArraySlice<UInt8>) throws(HandshakeError) -> [UInt8]? {
        if let piece = input.take(Preface.length, from: &bytes) { return piece }
        // A peer of another protocol is detected at the first byte that differs, and not only after twelve.
        guard Preface.magic.starts(with: input.partial.prefix(8)) else { throw HandshakeError(.notPortolan) }
        return nil
    }

    private mutating func take(
        _ frame: HandshakeFrame, from bytes: inout ArraySlice<UInt8>
    ) throws(HandshakeError) -> [UInt8]? {
        if input.frameLength == nil {
            guard let announced = input.take(2, from: &bytes) else { return nil }
            let length = Int(announced[0]) << 8 | Int(announced[1])
            if length > Limits.handshakeFrame {
                try refuse(frame, tooLong: announced, length)
                return try takePiece(from: &bytes)
            }
            guard length == frame.length ?? length else {
                throw .violation(.malformed, "A part of the pairing has \(length) bytes, which none has.")
            }
            input.frameLength = length
        }
        guard let length = input.frameLength, let content = input.take(length, from: &bytes) else { return nil }
        input.frameLength = nil
        return content
    }

    /// Fails, unless the bytes may begin a refusal in the clear.
    private mutating func refuse(
        _ frame: HandshakeFrame, tooLong bytes: [UInt8], _ length: Int
    ) throws(HandshakeError) {
        guard frame.isOfResponder else {
            throw .violation(
                .limit, "A handshake message of \(length) bytes; at most \(Limits.handshakeFrame) are allowed.")
        }
        // The other side has sent valid messages before, so it is a peer without the code.
        if hasTriedCode { throw HandshakeError(.wrongCode) }
        // Otherwise no bytes have come that only a Portolan peer would send. The two cases cannot be confused.
        guard bytes == Array(Preface.magic.prefix(2)) else { throw HandshakeError(.notPortolan) }
        input.putBack(bytes)
        state = .awaitingRefusal
    }
}

// MARK: - Pieces to identities

extension SessionHandshake {
    /// - Parameter rest: bytes that came after the piece.
    private mutating func take(
        _ piece: [UInt8], before rest: ArraySlice<UInt8>
    ) throws(HandshakeError) -> [Action] {
        switch takeState() {
        case .awaitingAnswer(let initiator):
            let kind = initiator.kind
            let first = try initiator.tryCode(answer: piece)
            hasTriedCode = true
            let bytes = first.bytes
            state = .awaitingSecond(first.exchange, kind)
            return [.send(bytes)]
        case .awaitingSecond(var exchange, let kind):
            let (peer, suite) = try readOffer(piece, &exchange)
            state = .deciding(exchange, kind, peer, suite)
            return [.decide(peer)]
        case .awaitingRefusal:
            guard let versions = Preface.versions(inRefusal: piece) else { throw HandshakeError(.notPortolan) }
            throw HandshakeError(.versionRefused(versions))
        case .awaitingPreface(var responder):
            switch try responder.read(preface: piece) {
            case .xx: state = .awaitingFirst(responder)
            case .xxPSK0: state = .awaitingCall(responder)
            }
            return []
        case .awaitingCall(var responder):
            guard let answer = try responder.read(call: piece) else {
                state = .awaitingFirst(responder)
                return []
            }
            state = .awaitingShare(responder)
            return [.send(HandshakeFrame.encode(answer))]
        case .awaitingShare(var responder):
            try responder.read(share: piece)
            state = .awaitingFirst(responder)
            return []
        case .awaitingFirst(var responder):
            var exchange = try responder.read(first: piece)
            let offer = try exchange.writeOffer()
            state = .awaitingThird(responder, exchange)
            return [.send(HandshakeFrame.encode(offer))]
        case .awaitingThird(var responder, var exchange):
            let (peer, suite) = try exchange.readChoice(piece)
            responder.established()
            state = .established
            return [.established(exchange.keys(sealing: suite), peer, responder.kind, unread: Array(rest))]
        default: preconditionFailure("No piece is awaited")
        }
    }

    private func readOffer(
        _ message: [UInt8], _ exchange: inout IdentityExchange
    ) throws(HandshakeError) -> (RemoteIdentity, RecordSuite) {
        do {
            return try exchange.readOffer(message)
        } catch {
            throw error.kind == .forged && hasTriedCode ? HandshakeError(.wrongCode) : error
        }
    }
}
