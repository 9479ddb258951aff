import Foundation
import PortolanCrypto

/// The keys of the peers this device has exchanged something with, by name, in one file; the contacts are among them.
///
/// A name is pinned to a key when something was exchanged successfully, never when it was merely seen, so a peer that
/// floods the network with names fills nothing; and a peer that changes its own name stays one entry. A pin is never
/// replaced: another key for the name is refused until a person says `forget`. A file that cannot be read or understood
/// is an error for every question, because the other answer would be to trust everyone.
///
/// Every call reads the file anew; several processes may share it. The calls block for as long as the disk takes.
public struct KnownPeers: Sendable {
    /// The most names kept.
    public static let capacity = 10_000

    static let fileName = "known-peers.json"
    private static let lockName = "known-peers.lock"
    /// A known peer met again is written down at most this often, so that many small sends cost no disk flush each.
    private static let lastSeenGranularity: TimeInterval = 3600

    private let directoryPath: String

    public init(home: HomeDirectory) { directoryPath = home.data }

    /// The file, to be named in messages.
    public var path: String { directoryPath + "/" + Self.fileName }

    /// Whether a key may go by a name.
    public func verdict(name: DeviceName, key: DevicePublicKey) throws(StoreError) -> PeerVerdict {
        Self.verdict(name: name, key: key, among: try all())
    }

    /// Pins the key to the name, after something was exchanged successfully; or notes that it was met again.
    ///
    /// - Returns: what was known *before*. `.changed` means that nothing was written.
    @discardableResult
    public func remember(name: DeviceName, key: DevicePublicKey, now: Date) throws(StoreError) -> PeerVerdict {
        try change { peers throws(StoreError) in
            try meet(name: name, key: key, among: peers) { pin in
                let isFresh = abs(now.timeIntervalSince(pin.lastSeen)) < Self.lastSeenGranularity
                let hasItsName = pin.announcedName.comparisonKey == name.comparisonKey
                if isFresh, hasItsName { return nil }
                return pin.met(as: hasItsName ? pin.announcedName : name, at: now)
            } first: {
                KnownPeer(name: name, key: PinnedKey(key), since: now, lastSeen: now)
            }
        }
    }

    /// Makes a contact of the peer, after a pairing has confirmed its key.
    ///
    /// One that is a contact already stays one since the first time.
    ///
    /// - Returns: what was known *before*. `.changed` means that nothing was written: the name belongs to another key, and
    ///   only a person can say that this is to end.
    @discardableResult
    public func confirm(name: DeviceName, key: DevicePublicKey, now: Date) throws(StoreError) -> PeerVerdict {
        try change { peers throws(StoreError) in
            try meet(name: name, key: key, among: peers) { pin in
                pin.met(as: name, at: now).confirmed(at: now)
            } first: {
                KnownPeer(name: name, key: PinnedKey(key), since: now, lastSeen: now, confirmed: now)
            }
        }
    }

    /// Gives a peer another name on this device; what it calls itself keeps belonging to it as well.
    public func rename(_ name: DeviceName, to chosen: DeviceName) throws(StoreError) -> PeerRenaming {
        try change { peers in
            guard let index = peers.firstIndex(where: { $0.goes(by: name) }) else { return (.unknown, nil) }
            if let owner = peers.indices.first(where: { $0 != index && peers[$0].goes(by: chosen) }) {
                return (.taken(by: peers[owner]), nil)
            }
            var updated = peers
            updated[index] = peers[index].renamed(to: chosen)
            return (.renamed(updated[index]), updated)
        }
    }

    /// Forgets the key of whoever goes by a name, so that the next one to do so is new.
    ///
    /// - Returns: what was dropped, or `nil` if the name was not known.
    @discardableResult
    public func forget(_ name: DeviceName) throws(StoreError) -> KnownPeer? {
        try change { peers in
            guard let forgotten = peers.first(where: { $0.goes(by: name) }) else { return (nil, nil) }
            return (forgotten, peers.filter { $0.key != forgotten.key })
        }
    }

    /// The peers whose key a pairing has confirmed, in the order in which they were first met.
    public func contacts() throws(StoreError) -> [KnownPeer] {
        try all().filter(\.isContact)
    }

    /// Every pin, in the order in which they were made.
    public func all() throws(StoreError) -> [KnownPeer] {
        try Self.load(from: PrivateDirectory(path: directoryPath))
    }

    private static func verdict(name: DeviceName, key: DevicePublicKey, among peers: [KnownPeer]) -> PeerVerdict {
        if let pin = peers.first(where: { $0.goes(by: name) }) {
            return pin.key.matches(key) ? .known(since: pin.since) : .changed(knownFingerprint: pin.fingerprint)
        }
        let pinned = PinnedKey(key)
        guard let earliest = peers.filter({ $0.key == pinned }).map(\.since).min() else { return .new }
        return .known(since: earliest)
    }

    /// What was known of a peer before, and the list after: its entry updated, or its first one added.
    private func meet(
        name: DeviceName, key: DevicePublicKey, among peers: [KnownPeer], again update: (KnownPeer) -> KnownPeer?,
        first make: () -> KnownPeer
    ) throws(StoreError) -> (PeerVerdict, [KnownPeer]?) {
        let before = Self.verdict(name: name, key: key, among: peers)
        if case .changed = before { return (before, nil) }
        let pinned = PinnedKey(key)
        // The name first: a list that was written by hand may have several names for one key.
        if let index = peers.firstIndex(where: { $0.goes(by: name) }) ?? peers.firstIndex(where: { $0.key == pinned }) {
            guard let pin = update(peers[index]) else { return (before, nil) }
            var updated = peers
            updated[index] = pin
            return (before, updated)
        }
        guard peers.count < Self.capacity else {
            throw StoreError(
                .full(reason: "it holds \(peers.count) peers"), path: path,
                remedy: "Remove the ones you no longer meet from it.")
        }
        return (before, peers + [make()])
    }

    static func load(from directory: borrowing PrivateDirectory) throws(StoreError) -> [KnownPeer] {
        guard let contents = try directory.read(fileName, limit: KnownPeersDocument.sizeLimit) else { return [] }
        do throws(KnownPeersDocument.Defect) {
            return try KnownPeersDocument.parse(contents)
        } catch {
            throw StoreError(
                .damaged(reason: error.reason), path: directory.path(of: fileName),
                remedy: "Put back a copy of it, or move it away to start again knowing nobody.")
        }
    }

    /// Reads, decides and writes as one step among all processes.
    private func change<Result>(
        _ decide: ([KnownPeer]) throws(StoreError) -> (Result, [KnownPeer]?)
    ) throws(StoreError) -> Result {
        let directory = try PrivateDirectory(path: directoryPath)
        return try directory.withLock(Self.lockName) { directory throws(StoreError) in
            let (result, updated) = try decide(Self.load(from: directory))
            if let updated { try directory.replace(Self.fileName, with: KnownPeersDocument.text(of: updated)) }
            return result
        }
    }
}

/// What became of the wish to call a peer something else.
public enum PeerRenaming: Hashable, Sendable {
    case renamed(KnownPeer)
    /// Nobody goes by the old name.
    case unknown
    /// Somebody else goes by the new one.
    case taken(by: KnownPeer)
}

extension KnownPeer {
    fileprivate func met(as announced: DeviceName, at now: Date) -> KnownPeer {
        KnownPeer(
            name: name, announcedName: announced, key: key, since: since, lastSeen: now,
            confirmed: confirmed)
    }

    fileprivate func confirmed(at now: Date) -> KnownPeer {
        KnownPeer(
            name: name, announcedName: announcedName, key: key, since: since, lastSeen: lastSeen,
            confirmed: confirmed ?? now)
    }

    fileprivate func renamed(to chosen: DeviceName) -> KnownPeer {
        KnownPeer(
            name: chosen, announcedName: announcedName, key: key, since: since, lastSeen: lastSeen, confirmed: confirmed
        )
    }
}
