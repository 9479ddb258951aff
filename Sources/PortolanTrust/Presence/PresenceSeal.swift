import PortolanCrypto

/// What a hidden device advertises instead of its name and fingerprint: members of its teams recognise it, for everybody
/// else it is random bytes.
///
/// It has always the same size and as many slots, so that nobody can count teams. Nothing of it proves anything: it can be
/// copied and shown again by whoever has seen it.
package struct PresenceSeal: Hashable, Sendable {
    /// How many bytes the nonce has.
    package static let nonceLength = 16
    /// How many slots there are, and so how many teams one seal can be for.
    package static let slotCount = 7
    /// How many bytes a slot has: a sealed fingerprint.
    package static let slotLength = Fingerprint.length + ChaChaPoly.tagLength

    /// Fresh random bytes (TXT `n`), which also go into the handshake.
    package let nonce: [UInt8]
    /// The slots, one after the other (TXT `t`).
    package let slots: [UInt8]

    /// Seals a device's fingerprint for its teams, in slots chosen by chance; the others are filled with random bytes.
    ///
    /// - Parameters:
    ///   - port: the port that is advertised with it; under another one it does not open.
    ///   - secrets: the teams' current secrets, at most ``slotCount``, none twice.
    ///   - generator: where the randomness comes from; in a program the system's, in a test a known one.
    package init(
        of fingerprint: Fingerprint, port: UInt16, for secrets: some Collection<SecretBytes>,
        using generator: inout some RandomNumberGenerator
    ) {
        let nonce = Self.randomBytes(Self.nonceLength, &generator)
        self.init(of: fingerprint, port: port, for: secrets, nonce: nonce, using: &generator)
    }

    private init(
        of fingerprint: Fingerprint, port: UInt16, for secrets: some Collection<SecretBytes>, nonce: [UInt8],
        using generator: inout some RandomNumberGenerator
    ) {
        precondition(secrets.count <= Self.slotCount, "a seal is for at most seven teams")
        var slots = secrets.map { PresenceKey(teamSecret: $0).seal(fingerprint, nonce: nonce, port: port) }
        while slots.count < Self.slotCount { slots.append(Self.randomBytes(Self.slotLength, &generator)) }
        slots.shuffle(using: &generator)
        self.nonce = nonce
        self.slots = Array(slots.joined())
    }

    /// Seals a fingerprint for any number of teams: one seal for every seven, at least one, all with the same nonce.
    package static func seals(
        of fingerprint: Fingerprint, port: UInt16, for secrets: [SecretBytes],
        using generator: inout some RandomNumberGenerator
    ) -> [PresenceSeal] {
        let nonce = randomBytes(nonceLength, &generator)
        return stride(from: 0, to: max(1, secrets.count), by: slotCount).map { start in
            PresenceSeal(
                of: fingerprint, port: port, for: secrets[start..<min(start + slotCount, secrets.count)],
                nonce: nonce, using: &generator)
        }
    }

    /// What somebody advertised; nil unless both have the length they must have.
    package init?(nonce: [UInt8], slots: [UInt8]) {
        guard nonce.count == Self.nonceLength, slots.count == Self.slotCount * Self.slotLength else { return nil }
        self.nonce = nonce
        self.slots = slots
    }

    private static func randomBytes(_ count: Int, _ generator: inout some RandomNumberGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}

/// A team's key for presence: seals a fingerprint into a slot and opens it.
struct PresenceKey: Sendable {
    private let key: SecretBytes

    init(teamSecret: SecretBytes) { key = teamSecret.derived(for: "portolan/1 team presence") }

    func seal(_ fingerprint: Fingerprint, nonce: [UInt8], port: UInt16) -> [UInt8] {
        ChaChaPoly.encrypt(
            fingerprint.bytes, key: key, nonce: Array(nonce.prefix(ChaChaPoly.nonceLength)),
            associatedData: Self.binding(nonce, port))
    }

    /// nil if the slot was not sealed with this key, this nonce and this port.
    func open(_ slot: [UInt8], nonce: [UInt8], port: UInt16) -> Fingerprint? {
        ChaChaPoly.open(
            slot, key: key, nonce: Array(nonce.prefix(ChaChaPoly.nonceLength)),
            associatedData: Self.binding(nonce, port)
        ).flatMap { Fingerprint(bytes: $0) }
    }

    private static func binding(_ nonce: [UInt8], _ port: UInt16) -> [UInt8] {
        nonce + [UInt8(port >> 8), UInt8(port & 0xFF)]
    }
}
