import PortolanCrypto

/// Opening of a session by the initiator: the secret that it shares with the responder beforehand.
package enum Opening: Sendable {
    /// No secret; for devices that accept everyone.
    case open
    /// A team's secret, for devices that only members may find. `nonce` is the nonce that the responder advertises.
    case team(secret: SecretBytes, nonce: [UInt8])
    /// Code that one person read to another. The code allows one attempt, see ``SessionHandshake/hasTriedCode``.
    case code(PairingCode, PairingPurpose)

    package var kind: OpeningKind {
        switch self {
        case .open: .open
        case .team: .team
        case .code(_, let purpose): .code(purpose)
        }
    }
}

/// Kind of opening of a session, for both sides.
package enum OpeningKind: Hashable, Sendable {
    case open, team
    case code(PairingPurpose)
}

/// Purpose of a code, and its number on the wire.
package enum PairingPurpose: UInt8, Hashable, Sendable, CaseIterable {
    /// Both sides become contacts.
    case pairing = 2
    /// The initiator asks to become a member of a team of the responder.
    case joining = 3
}

/// Bytes after the preface for the pattern XXpsk0, which name the shared secret of the initiator.
enum OpeningCall: Hashable {
    /// The secret is one of the responder's team secrets, under this nonce of the responder.
    case team(nonce: [UInt8])
    /// The secret is derived from the code and both halves of the session's name.
    case code(PairingPurpose, half: [UInt8])

    static let length = 1 + valueLength
    /// Nonces, and each side's half of a session's name, have this many bytes.
    static let valueLength = 16
    private static let team: UInt8 = 1

    var bytes: [UInt8] {
        switch self {
        case .team(let nonce): [Self.team] + nonce
        case .code(let purpose, let half): [purpose.rawValue] + half
        }
    }

    /// - Parameter bytes: ``length`` bytes.
    init(_ bytes: [UInt8]) throws(HandshakeError) {
        let value = Array(bytes.dropFirst())
        if bytes[0] == Self.team {
            self = .team(nonce: value)
        } else if let purpose = PairingPurpose(rawValue: bytes[0]) {
            self = .code(purpose, half: value)
        } else {
            throw .violation(.malformed, "A handshake for purpose \(bytes[0]), which is not known here.")
        }
    }
}

extension SecretBytes {
    /// Derives the key under which members and devices of a team open handshakes.
    static func handshakeKey(ofTeam secret: SecretBytes) -> SecretBytes {
        secret.derived(for: "portolan/1 team handshake")
    }
}
