import PortolanCrypto

/// Messages that a responder receives up to the first Noise message, checked by its ``Door``.
struct ResponderOpening: ~Copyable, Sendable {
    private let door: Door
    private let party: IdentityExchange.Party
    private let randomness: HandshakeRandomness
    /// Cleartext bytes of both sides, without the lengths of frames.
    private var prologue: [UInt8] = []
    private var nonce: [UInt8] = []
    private var code: CodeExchange?
    /// Key derived from the code and both shares.
    private var psk: SecretBytes?
    private var use: PairingUse?

    /// Kind of opening, once the initiator has sent it.
    private(set) var kind = OpeningKind.open

    init(_ door: Door, _ party: IdentityExchange.Party, _ randomness: HandshakeRandomness) {
        self.door = door
        self.party = party
        self.randomness = randomness
    }

    /// - Returns: the pattern, which determines the next input.
    mutating func read(preface: [UInt8]) throws(HandshakeError) -> Preface.Pattern {
        prologue = preface
        let pattern: Preface.Pattern
        do {
            pattern = try Preface.pattern(in: preface)
        } catch {
            // A device that does not talk to everybody does not reveal that it is one.
            throw door.allowsOpen ? error : HandshakeError(error.kind)
        }
        if pattern == .xx, !door.allowsOpen { throw HandshakeError(.refused(.notOpen)) }
        return pattern
    }

    /// - Returns: the answer, if the call names a code.
    mutating func read(call bytes: [UInt8]) throws(HandshakeError) -> [UInt8]? {
        prologue += bytes
        switch try OpeningCall(bytes) {
        case .team(let nonce):
            // The nonce is checked later, so that an initiator without a secret sees no difference.
            kind = .team
            self.nonce = nonce
            return nil
        case .code(let purpose, let half):
            guard let gate = door.gates[purpose], let secret = gate.secret(for: purpose) else {
                throw HandshakeError(.refused(.noCode))
            }
            kind = .code(purpose)
            let run = CodeExchange(
                role: .responder, code: secret, purpose: purpose, halves: half + randomness.sessionHalf,
                scalar: randomness.scalar)
            let answer = randomness.sessionHalf + run.share
            code = consume run
            prologue += answer
            return answer
        }
    }

    /// Reads the initiator's share, from which the key of the first Noise message is derived.
    mutating func read(share: [UInt8]) throws(HandshakeError) {
        guard let run = code.take() else { preconditionFailure("A share is awaited by whoever sent one") }
        prologue += share
        psk = try run.preSharedKey(with: share)
    }

    /// - Returns: the handshake after its first message was accepted.
    mutating func read(first message: [UInt8]) throws(HandshakeError) -> IdentityExchange {
        switch kind {
        case .open:
            var exchange = makeExchange(psk: nil)
            try exchange.readFirst(message)
            return exchange
        case .team:
            return try findTeam(of: message)
        case .code(let purpose):
            guard let gate = door.gates[purpose], let psk else { preconditionFailure("The run has begun") }
            var exchange = makeExchange(psk: psk)
            use = try gate.judge { () throws(HandshakeError) in try exchange.readFirst(message) }
            return exchange
        }
    }

    /// Notes the handshake's success: a code has one use less.
    mutating func established() { use.take()?.take() }

    /// Finds the team whose secret was used for the first message. No curve arithmetic before one matches.
    private func findTeam(of message: [UInt8]) throws(HandshakeError) -> IdentityExchange {
        guard let teams = door.teams else { throw HandshakeError(.refused(.nonceUnknown)) }
        // The same work is done under an invalid nonce, so that the time does not reveal which nonces were valid.
        for secret in teams.currentSecrets() {
            var candidate = makeExchange(psk: .handshakeKey(ofTeam: secret))
            do {
                try candidate.readFirst(message)
            } catch {
                if error.kind == .forged { continue }
                throw error
            }
            let ephemeral = Array(message.prefix(NoisePublicKey.length))
            guard teams.admit(ephemeral, under: nonce) else { break }
            return candidate
        }
        throw HandshakeError(teams.isGood(nonce) ? .forged : .refused(.nonceUnknown))
    }

    private func makeExchange(psk: SecretBytes?) -> IdentityExchange {
        IdentityExchange(
            role: .responder, party: party, prologue: prologue, psk: psk, ephemeral: randomness.ephemeral)
    }
}
