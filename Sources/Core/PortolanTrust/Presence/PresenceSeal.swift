import PortolanCrypto

/// Advertisement of a hidden device in place of its name and fingerprint: members of its teams recognise it; for others
/// it is random bytes.
///
/// Size and number of slots are constant, so that teams cannot be counted. A seal proves nothing: every observer can
/// copy and advertise it again.
package struct PresenceSeal: Hashable, Sendable {
    /// Length of the nonce, in bytes.
    package static let nonceLength = 16
    /// Number of slots, and so the largest number of teams for one seal.
    package static let slotCount = 7
    /// Length of a slot, in bytes: a sealed fingerprint.
    package static let slotLength = Fingerprint.length + ChaChaPoly.tagLength

    /// Fresh random bytes (TXT `n`), which also go into the handshake.
    package let nonce: [UInt8]
    /// Concatenated slots (TXT `t`).
    package let slots: [UInt8]

    /// Seals a device's fingerprint for its teams, in random slots; the others are filled with random bytes.
    ///
    /// - Parameters:
    ///   - port: the advertised port; with another port the seal does not open.
    ///   - secrets: the teams' current secrets, at most ``slotCount``, none twice.
    ///   - generator: source of randomness: the system's in a program, a known one in a test.
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

    /// Makes a seal from an advertisement; nil unless both parts have the right length.
    package init?(nonce: [UInt8], slots: [UInt8]) {
        guard nonce.count == Self.nonceLength, slots.count == Self.slotCount * Self.slotLength else { return nil }
        self.nonce = nonce
        self.slots = slots
    }

    private static func randomBytes(_ count: Int, _ generator: inout some RandomNumberGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}

/// Key of a team for presence: seals a fingerprint into a slot and opens it.
struct PresenceKey: Sendable {
    private let key: SecretBytes

    init(teamSecret: SecretBytes) { key = teamSecret.derived(for: "portolan/1 team presence") }

    func seal(_ fingerprint: Fingerprint, nonce: [UInt8], port: UInt16) -> [UInt8] {
        ChaChaPoly.encrypt(
            fingerprint.bytes, key: key, nonce: Array(nonce.prefix(ChaChaPoly.nonceLength)),
            associatedData: Self.binding(nonce, port))
    }

    /// Opens a slot; nil if it was not sealed with this key, this nonce and this port.
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
