import Foundation
import PortolanCrypto
import PortolanValues

/// Peer that has exchanged content with this device: a name and its key, for checking later claims to the name.
///
/// A peer whose key two people confirmed by pairing is a contact (``confirmed``).
package struct KnownPeer: Hashable, Sendable {
    /// Local name, unique among peers: the name at the first meeting, with a number if another peer had it already, or
    /// one that was given on this device.
    package let name: DeviceName
    /// Name in the peer's last announcement. Another peer may announce the same name.
    package let announcedName: DeviceName
    /// True if the announced name belongs to another peer, which was known by it first.
    package let isNamesake: Bool
    package let key: PinnedKey
    /// Time at which this key was first met.
    package let since: Date
    /// Time of the last meeting, to the hour.
    package let lastSeen: Date
    /// Time at which a pairing first confirmed the key; `nil` without a pairing.
    package let confirmed: Date?

    package var fingerprint: Fingerprint { key.fingerprint }

    package var isContact: Bool { confirmed != nil }

    /// True if a name belongs to this peer: its local name, or its announced name unless that belongs to another peer.
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

/// A stored device key, used only for comparison.
///
/// No signature is verified with it, so reading thousands of them costs no curve arithmetic. A damaged one matches no
/// key.
public struct PinnedKey: Hashable, Sendable {
    /// The key, 32 bytes.
    public let bytes: [UInt8]
    public let fingerprint: Fingerprint

    package init(_ key: DevicePublicKey) {
        bytes = key.bytes
        fingerprint = key.fingerprint
    }

    /// Makes a key from unchecked bytes of a roster. `nil` unless there are 32 of them.
    package init?(bytes: [UInt8]) {
        self.init(bytes: bytes, fingerprint: Fingerprint(ofKeyBytes: bytes))
    }

    package init?(bytes: [UInt8], fingerprint: Fingerprint) {
        guard bytes.count == DevicePublicKey.length else { return nil }
        self.bytes = bytes
        self.fingerprint = fingerprint
    }

    /// Hashes the key alone, which is enough to distinguish values, and at once instead of byte by byte.
    public func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    /// True if the keys are equal.
    public func matches(_ key: DevicePublicKey) -> Bool { self == PinnedKey(key) }
}

/// Knowledge of this device about a name and the key that claims it.
package enum PeerVerdict: Hashable, Sendable {
    /// Neither the name nor the key was met before.
    case new
    /// The key was met before, under this name or another one.
    case known(since: Date)
    /// The name belongs to another key, and this key is new: a different device of the same name, a reinstalled device,
    /// or an impostor. Only a person can decide.
    case namesake(of: Fingerprint)
}

/// Knowledge of this device about a peer that has proved its key.
package struct PeerAssessment: Hashable, Sendable {
    package let verdict: PeerVerdict
    /// Local name; for an unknown peer, the name under which it would be stored.
    package let localName: DeviceName
}
