import Foundation
import PortolanCrypto

/// A name and the key that was behind it when something was exchanged: what a later claim to the name is held against.
public struct KnownPeer: Hashable, Sendable {
    public let name: DeviceName
    public let key: DevicePublicKey
    /// When this key was first met under this name.
    public let since: Date
    /// When it was last met, to the hour.
    public let lastSeen: Date

    public var fingerprint: Fingerprint { key.fingerprint }

    package init(name: DeviceName, key: DevicePublicKey, since: Date, lastSeen: Date) {
        self.name = name
        self.key = key
        self.since = since
        self.lastSeen = lastSeen
    }
}

/// What this device remembers about a name and the key that claims it.
public enum PeerVerdict: Hashable, Sendable {
    /// Neither the name nor the key was met before.
    case new
    /// The key was met before, under this name or, if the name is new, under another one.
    case known(since: Date)
    /// The name belongs to another key: an impostor, or a device that was set up anew. Only a person can tell.
    case changed(knownFingerprint: Fingerprint)
}
