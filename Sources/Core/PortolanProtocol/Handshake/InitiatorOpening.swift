import PortolanCrypto

/// Messages of an initiator up to its first Noise message.
struct InitiatorOpening: ~Copyable, Sendable {
    private let opening: Opening
    private let party: IdentityExchange.Party
    private let randomness: HandshakeRandomness
    /// Cleartext bytes of both sides, without the lengths of frames.
    private var prologue: [UInt8]

    /// First bytes of the initiator, and its state after they are sent.
    enum Beginning: ~Copyable {
        /// The first Noise message is among the bytes.
        case withFirst([UInt8], IdentityExchange)
        /// The responder's half of the session's name and its share are needed for the first Noise message.
        case beforeCode([UInt8], InitiatorOpening)
    }

    /// Frame of the first Noise message with the preceding bytes, and the exchange that it begins.
    struct First: ~Copyable {
        let bytes: [UInt8]
        let exchange: IdentityExchange
    }

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

    /// Begins the handshake, with the first Noise message unless a code needs an answer before.
    consuming func start() -> Beginning {
        let psk: SecretBytes?
        switch opening {
        case .open: psk = nil
        case .team(let secret, _): psk = .handshakeKey(ofTeam: secret)
        case .code: return .beforeCode(prologue, self)
        }
        let first = writeFirst(psk: psk, behind: prologue)
        return .withFirst(first.bytes, first.exchange)
    }

    /// Writes this side's share and the first Noise message. The other side can test one guess with them.
    ///
    /// - Parameter answer: the responder's half of the session's name, and its share.
    consuming func tryCode(answer: [UInt8]) throws(HandshakeError) -> First {
        guard case .code(let code, let purpose) = opening else { preconditionFailure("No code to try") }
        let half = answer.prefix(OpeningCall.valueLength)
        let run = CodeExchange(
            role: .initiator, code: code.secret, purpose: purpose, halves: randomness.sessionHalf + half,
            scalar: randomness.scalar)
        let share = run.share
        let psk = try run.preSharedKey(with: Array(answer.dropFirst(half.count)))
        prologue += answer + share
        return writeFirst(psk: psk, behind: HandshakeFrame.encode(share))
    }

    private func writeFirst(psk: SecretBytes?, behind bytes: [UInt8]) -> First {
        var exchange = IdentityExchange(
            role: .initiator, party: party, prologue: prologue, psk: psk, ephemeral: randomness.ephemeral)
        let message = exchange.writeFirst()
        return First(bytes: bytes + HandshakeFrame.encode(message), exchange: exchange)
    }
}
