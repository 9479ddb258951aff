import PortolanCrypto

/// What a responder lets in. Whoever comes otherwise hears nothing at all.
package struct Door: Sendable {
    /// Whether anyone may begin a handshake, and so learn this device's key and name.
    package var allowsOpen: Bool
    /// The nonces that are advertised to members, with the secrets of this device's teams.
    package var teams: AdvertisedNonces?
    /// The code that this device waits with.
    package var gate: PairingGate?

    package init(allowsOpen: Bool, teams: AdvertisedNonces? = nil, gate: PairingGate? = nil) {
        self.allowsOpen = allowsOpen
        self.teams = teams
        self.gate = gate
    }

    /// For everyone, and only openly.
    package static let open = Door(allowsOpen: true)
}
