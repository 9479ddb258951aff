import PortolanCrypto
import PortolanValues

/// Recognises the hidden devices of this device's teams.
///
/// One seal costs at most seven decryptions for each secret.
package struct PresenceRecogniser: Sendable {
    /// A secret to try.
    package struct TeamSecret: Sendable {
        package let team: TeamID
        package let secret: SecretBytes
        /// Generation: 0 for the current secret, 1 for the one before, and so on; members that were absent still use
        /// older ones.
        package let generation: Int

        package init(team: TeamID, secret: SecretBytes, generation: Int) {
            self.team = team
            self.secret = secret
            self.generation = generation
        }
    }

    /// Hidden device that a seal names.
    package struct RecognisedDevice: Hashable, Sendable {
        /// Fingerprint that a member of the team sealed, for any device; the seal may be a copy: unproven.
        package let fingerprint: Fingerprint
        package let access: PresenceAccess

        package init(fingerprint: Fingerprint, access: PresenceAccess) {
            self.fingerprint = fingerprint
            self.access = access
        }
    }

    /// Largest number of secrets that are tried: sixteen teams, each with its current secret and fifteen before.
    package static let maximumSecrets = 256

    private let candidates: [(secret: TeamSecret, key: PresenceKey)]

    /// - Parameter secrets: in the order of the attempts; the first that fits counts.
    package init(_ secrets: [TeamSecret]) {
        candidates = secrets.prefix(Self.maximumSecrets).map { ($0, PresenceKey(teamSecret: $0.secret)) }
    }

    /// Returns the device that advertises the seal at the port, if it is a member of one of the teams.
    package func recognise(_ seal: PresenceSeal, port: UInt16) -> RecognisedDevice? {
        guard !candidates.isEmpty else { return nil }
        let slots = stride(from: 0, to: seal.slots.count, by: PresenceSeal.slotLength).map {
            Array(seal.slots[$0..<$0 + PresenceSeal.slotLength])
        }
        for (secret, key) in candidates {
            for slot in slots {
                guard let fingerprint = key.open(slot, nonce: seal.nonce, port: port) else { continue }
                return RecognisedDevice(
                    fingerprint: fingerprint,
                    access: PresenceAccess(
                        team: secret.team, generation: secret.generation, nonce: seal.nonce, secret: secret.secret))
            }
        }
        return nil
    }
}

/// Access to a hidden device: the team and its secret under which a session is opened, and the nonce that the device
/// advertises.
package struct PresenceAccess: Hashable, Sendable {
    package let team: TeamID
    /// Generation of the team's secret: 0 for the current one, 1 for the one before, and so on.
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
        // The secret is compared but not hashed, so that no hash of it remains.
        hasher.combine(team)
        hasher.combine(generation)
        hasher.combine(nonce)
    }
}
