import Foundation
import PortolanConcurrency
import PortolanCrypto
import PortolanTransport
import PortolanTrust
import PortolanValues

/// A peer whose key was confirmed by pairing: somebody has read a code aloud and somebody else has entered it.
public struct Contact: Sendable, Hashable {
    /// What this device calls it.
    public let name: DeviceName
    /// What it calls itself.
    public let announcedName: DeviceName
    public let fingerprint: Fingerprint
    /// When it was paired.
    public let since: Date
    /// When it was last met, to the hour.
    public let lastSeen: Date
    /// True if what it calls itself belongs to another device, which was known by it first.
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
