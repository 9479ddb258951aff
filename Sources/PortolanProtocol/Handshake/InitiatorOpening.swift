import PortolanCrypto

/// Messages of an initiator up to its first Noise message.
struct InitiatorOpening: ~Copyable, Sendable {
    private let opening: Opening
    private let party: IdentityExchange.Party
    private let randomness: HandshakeRandomness
    /// Cleartext bytes of both sides, without the lengths of frames.
    private var prologue: [UInt8]
    private var exchange: IdentityExchange?

    /// True if the peer was sent bytes that test a guess at the code.
    private(set) var hasTriedCode = false

    var kind: OpeningKind { opening.kind }

    init(_ opening: Opening, _ party: IdentityExchange.Party, _ randomness: HandshakeRandomness) {
        self.opening = opening
        self.party = party
        self.randomness = randomness
        prologue =
            switch opening {
            case .open: Preface.initiation
            case .team(_, let nonce): Preface.initiation(.xxPSK0) + OpeningCall.team(nonce: nonce).bytes
            case .code(_, let purpose):
                Preface.initiation(.xxPSK0) + OpeningCall.code(purpose, half: randomness.sessionHalf).bytes
            }
    }

    /// Returns the first bytes; with the first Noise message, unless a code needs an answer before.
    mutating func start() -> [UInt8] {
        let clear = prologue
        switch opening {
        case .open: return clear + HandshakeFrame.encode(writeFirst(psk: nil))
        case .team(let secret, _): return clear + HandshakeFrame.encode(writeFirst(psk: .handshakeKey(ofTeam: secret)))
        case .code: return clear
        }
    }

    /// This side's share and the first Noise message, which the other side can test a guess on.
    ///
    /// - Parameter answer: the responder's half of the session's name, and its share.
    mutating func tryCode(answer: [UInt8]) throws(HandshakeError) -> [UInt8] {
        guard case .code(let code, let purpose) = opening else { preconditionFailure("No code to try") }
        let half = answer.prefix(OpeningCall.valueLength)
        let run = CodeExchange(
            role: .initiator, code: code.secret, purpose: purpose, halves: randomness.sessionHalf + half,
            scalar: randomness.scalar)
        let share = run.share
        let psk = try run.preSharedKey(with: Array(answer.dropFirst(half.count)))
        prologue += answer + share
        hasTriedCode = true
        return HandshakeFrame.encode(share) + HandshakeFrame.encode(writeFirst(psk: psk))
    }

    /// Takes the handshake whose first message was written, once; `nil` before.
    mutating func takeExchange() -> IdentityExchange? { exchange.take() }

    private mutating func writeFirst(psk: SecretBytes?) -> [UInt8] {
        var exchange = IdentityExchange(
            role: .initiator, party: party, prologue: prologue, psk: psk, ephemeral: randomness.ephemeral)
        let message = exchange.writeFirst()
        self.exchange = consume exchange
        return message
    }
}
