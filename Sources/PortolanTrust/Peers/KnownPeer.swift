import Foundation
import PortolanCrypto
import PortolanValues

/// A name and the key that was behind it when something was exchanged: what a later claim to the name is held against.
///
/// A peer whose key two people confirmed by pairing is a contact (``confirmed``).
package struct KnownPeer: Hashable, Sendable {
    /// Name on this device, which no other peer has: the one it had when it was first met, with a number if another peer had that
    /// name already, or the one that was given to it on this device.
    package let name: DeviceName
    /// Name that the peer announced last. Another peer may announce the same.
    package let announcedName: DeviceName
    /// Whether the announced name belongs to another peer, which was known by it first.
    package let isNamesake: Bool
    package let key: PinnedKey
    /// When this key was first met.
    package let since: Date
    /// When it was last met, to the hour.
    package let lastSeen: Date
    /// When a pairing first confirmed the key; `nil` for one that was only met.
    package let confirmed: Date?

    package var fingerprint: Fingerprint { key.fingerprint }

    package var isContact: Bool { confirmed != nil }

    /// Whether a name belongs to this peer: the one it goes by here, or the one it calls itself, unless that is another's.
    ///
    /// No name belongs to two peers.
    package func goes(by name: DeviceName) -> Bool {
        let wanted = name.comparisonKey
        return self.name.comparisonKey == wanted || !isNamesake && announcedName.comparisonKey == wanted
    }

    /// Comparison keys of the names that belong to this peer.
    var ownNames: Set<String> {
        isNamesake ? [name.comparisonKey] : [name.comparisonKey, announcedName.comparisonKey]
    }

    /// - Parameter announcedName: `nil` if it is the same as `name`.
    package init(
        name: DeviceName, announcedName: DeviceName? = nil, isNamesake: Bool = false, key: PinnedKey, since: Date,
        lastSeen: Date, confirmed: Date? = nil
    ) {
        self.name = name
        self.announcedName = announcedName ?? name
        self.isNamesake = isNamesake
        self.key = key
        self.since = since
        self.lastSeen = lastSeen
        self.confirmed = confirmed
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

    /// Hashes the key alone, which is nearly all that tells two of them apart, and at once instead of byte by byte.
    public func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    /// Whether this is that key.
    public func matches(_ key: DevicePublicKey) -> Bool { self == PinnedKey(key) }
}

/// Knowledge of this device about a name and the key that claims it.
package enum PeerVerdict: Hashable, Sendable {
    /// Neither the name nor the key was met before.
    case new
    /// The key was met before, under this name or another one.
    case known(since: Date)
    /// The name belongs to another key, and this key is new: a device of the same name, one that was set up anew, or an impostor.
    /// Only a person can tell.
    case namesake(of: Fingerprint)
}

/// Knowledge of this device about a peer that has proved its key.
package struct PeerAssessment: Hashable, Sendable {
    package let verdict: PeerVerdict
    /// Name on this device; for a peer that is not known yet, the one it would be kept under.
    package let localName: DeviceName
}
