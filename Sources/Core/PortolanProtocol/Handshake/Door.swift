/// Openings that a responder admits. An initiator with another one gets no answer at all.
package struct Door: Sendable {
    /// True if anyone may begin a handshake, and so learn this device's key and name.
    package var allowsOpen: Bool
    /// The nonces that are advertised to members, with the secrets of this device's teams.
    package var teams: AdvertisedNonces?
    /// The codes that this device waits with, at most one for each purpose.
    package var gates: [PairingPurpose: PairingGate]

    package init(allowsOpen: Bool, teams: AdvertisedNonces? = nil, gate: PairingGate? = nil) {
        self.allowsOpen = allowsOpen
        self.teams = teams
        gates = gate.map { [$0.purpose: $0] } ?? [:]
    }

    /// Admits no opening.
    package static let closed = Door(allowsOpen: false)

    /// For everyone, and only openly.
    package static let open = Door(allowsOpen: true)
}
