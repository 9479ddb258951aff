import PortolanCrypto
import PortolanValues

/// Recognises the hidden devices of this device's teams.
///
/// Whatever the network sends, one seal costs at most seven openings a secret.
package struct PresenceRecogniser: Sendable {
    /// A secret to try.
    package struct TeamSecret: Sendable {
        package let team: TeamID
        package let secret: SecretBytes
        /// 0 for the current one, 1 for the one before, and so on: members that have been away still use older ones.
        package let generation: Int

        package init(team: TeamID, secret: SecretBytes, generation: Int) {
            self.team = team
            self.secret = secret
            self.generation = generation
        }
    }

    /// A hidden device, as far as the seal tells.
    package struct Match: Hashable, Sendable {
        /// Put there by a member of the team, of any device, and possibly shown again by somebody else: unproven.
        package let fingerprint: Fingerprint
        package let access: PresenceAccess

        package init(fingerprint: Fingerprint, access: PresenceAccess) {
            self.fingerprint = fingerprint
            self.access = access
        }
    }

    /// Secrets beyond this many are not tried: sixteen teams, each with its current secret and fifteen before.
    package static let maximumSecrets = 256

    private let candidates: [(secret: TeamSecret, key: PresenceKey)]

    /// - Parameter secrets: in the order of trying; where several fit, the first counts.
    package init(_ secrets: [TeamSecret]) {
        candidates = secrets.prefix(Self.maximumSecrets).map { ($0, PresenceKey(teamSecret: $0.secret)) }
    }

    /// What one seal costs at most.
    package var openingsPerSeal: Int { candidates.count * PresenceSeal.slotCount }

    /// Who advertises the seal at the port, if it is a member of one of the teams.
    package func recognise(_ seal: PresenceSeal, port: UInt16) -> Match? {
        guard !candidates.isEmpty else { return nil }
        let slots = stride(from: 0, to: seal.slots.count, by: PresenceSeal.slotLength).map {
            Array(seal.slots[$0..<$0 + PresenceSeal.slotLength])
        }
        for (secret, key) in candidates {
            for slot in slots {
                guard let fingerprint = key.open(slot, nonce: seal.nonce, port: port) else { continue }
                return Match(
                    fingerprint: fingerprint,
                    access: PresenceAccess(
                        team: secret.team, generation: secret.generation, nonce: seal.nonce, secret: secret.secret))
            }
        }
        return nil
    }
}

/// What opens a session with a hidden device: as a member of which team, with which secret, and the nonce that it advertises.
package struct PresenceAccess: Hashable, Sendable {
    package let team: TeamID
    /// Which of the team's secrets: 0 for the current one, 1 for the one before, and so on.
    package let generation: Int
    package let nonce: [UInt8]
    package let secret: SecretBytes

    package init(team: TeamID, generation: Int, nonce: [UInt8], secret: SecretBytes) {
        self.team = team
        self.generation = generation
        self.nonce = nonce
        self.secret = secret
    }

    package func hash(into hasher: inout Hasher) {
        // The secret takes part in comparing alone: a hash is no place for it.
        hasher.combine(team)
        hasher.combine(generation)
        hasher.combine(nonce)
    }
}
