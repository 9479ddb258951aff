/// Peer whose key was confirmed by pairing: one person read a code aloud, and another entered it.
public struct Contact: Sendable, Hashable {
    /// Name on this device.
    public let name: DeviceName
    /// Name that the contact announces.
    public let announcedName: DeviceName
    public let fingerprint: Fingerprint
    /// Time of the pairing.
    public let since: Date
    /// Time of the last session, to the hour.
    public let lastSeen: Date
    /// True if the announced name belongs to another device that was known earlier.
    package internal(set) var isNamesake = false
}

extension Contact {
    init?(_ peer: KnownPeer) {
        guard let confirmed = peer.confirmed else { return nil }
        self.init(
            name: peer.name, announcedName: peer.announcedName, fingerprint: peer.fingerprint, since: confirmed,
            lastSeen: peer.lastSeen, isNamesake: peer.isNamesake)
    }
}
