import Foundation
import PortolanCrypto

/// A name and the key that was behind it when something was exchanged: what a later claim to the name is held against.
public struct KnownPeer: Hashable, Sendable {
    public let name: DeviceName
    public let key: PinnedKey
    /// When this key was first met under this name.
    public let since: Date
    /// When it was last met, to the hour.
    public let lastSeen: Date

    public var fingerprint: Fingerprint { key.fingerprint }

    package init(name: DeviceName, key: PinnedKey, since: Date, lastSeen: Date) {
        self.name = name
        self.key = key
        self.since = since
        self.lastSeen = lastSeen
    }
}

/// A device key as it was written down: good for recognising the key, and for nothing else.
///
/// Nothing is verified with it, so reading thousands of them costs no curve arithmetic. One that was damaged on disk
/// matches no key at all.
public struct PinnedKey: Hashable, Sendable {
    /// 32 bytes.
    public let bytes: [UInt8]
    public let fingerprint: Fingerprint

    package init(_ key: DevicePublicKey) {
        bytes = key.bytes
        fingerprint = key.fingerprint
    }

    /// A key as a roster has it: 32 bytes that nobody has checked. `nil` for any other length.
    package init?(bytes: [UInt8]) {
        self.init(bytes: bytes, fingerprint: Fingerprint(ofKeyBytes: bytes))
    }

    package init?(bytes: [UInt8], fingerprint: Fingerprint) {
        guard bytes.count == DevicePublicKey.length else { return nil }
        self.bytes = bytes
        self.fingerprint = fingerprint
    }

    /// Whether this is that key.
    public func matches(_ key: DevicePublicKey) -> Bool { self == PinnedKey(key) }
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
