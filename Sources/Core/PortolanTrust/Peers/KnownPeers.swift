import Foundation
import PortolanCrypto
import PortolanValues
import Synchronization

/// Keys of the peers with which this device has exchanged content, by name, in one file; contacts included.
///
/// A name is pinned to a key by a successful exchange, never by a mere announcement, so a peer that floods the network
/// with names does not fill the file; a peer that changes its own name stays one entry. A pin is never replaced:
/// another key that announces the name is stored under a name with a number, `debian (2)`, and the plain name keeps
/// meaning the first key until a person says `forget`. Callers ``assess(name:key:)`` a peer before they remember a
/// namesake. After a failed read every question throws, because an empty list would trust everyone.
///
/// The list is in memory; several processes may share the file, see ``CachedFile`` for the detection of changes. The
/// calls block until the disk answers.
package final class KnownPeers: Sendable {
    /// Largest number of peers.
    package static let capacity = 10_000

    static let fileName = "known-peers.json"
    private static let lockName = "known-peers.lock"
    /// Shortest time between two writes for meetings with a known peer, so that many small sends do not cost a disk
    /// flush each.
    private static let lastSeenGranularity: TimeInterval = 3600

    private let directoryPath: String
    private let cached = Mutex(CachedFile<Contents>())

    /// Contents of the file, with an index of the contacts for standings.
    private struct Contents: Sendable {
        let peers: [KnownPeer]
        let contacts: [Fingerprint: PinnedKey]

        init(_ peers: [KnownPeer]) {
            self.peers = peers
            contacts = Dictionary(
                peers.lazy.filter(\.isContact).map { ($0.fingerprint, $0.key) }, uniquingKeysWith: { first, _ in first }
            )
        }
    }

    package init(home: HomeDirectory) { directoryPath = home.data }

    /// Path of the file, for messages.
    package var path: String { directoryPath + "/" + Self.fileName }

    /// Assesses a key that announces a name: earlier meetings, another owner of the name, and the local name.
    package func assess(name: DeviceName, key: DevicePublicKey) throws(StoreError) -> PeerAssessment {
        let peers = try all()
        let key = PinnedKey(key)
        let pin = Self.index(of: key, announcing: name, among: peers).map { peers[$0] }
        return PeerAssessment(
            verdict: Self.verdict(name: name, key: key, among: peers),
            localName: pin?.name ?? Self.freeName(for: name, among: peers))
    }

    /// Pins the key to the name after a successful exchange, or records another meeting.
    ///
    /// A namesake is stored under a name with a number.
    /// - Returns: the knowledge *before* this call.
    @discardableResult
    package func remember(name: DeviceName, key: DevicePublicKey, now: Date) throws(StoreError) -> PeerVerdict {
        try meet(name: name, key: key, now: now) { pin, met in
            let isFresh = abs(now.timeIntervalSince(pin.lastSeen)) < Self.lastSeenGranularity
            return isFresh && pin.announcedName.comparisonKey == name.comparisonKey ? pin : met
        } first: {
            $0
        }
    }

    /// Makes a contact of the peer, after a pairing has confirmed its key. A namesake is stored under a name with a
    /// number.
    ///
    /// A contact keeps the date of its first confirmation.
    ///
    /// - Returns: the knowledge *before* this call.
    @discardableResult
    package func confirm(name: DeviceName, key: DevicePublicKey, now: Date) throws(StoreError) -> PeerVerdict {
        try meet(name: name, key: key, now: now) { _, met in
            met.confirmed(at: now)
        } first: {
            $0.confirmed(at: now)
        }
    }

    /// Gives a peer another local name; its announced name keeps belonging to it as well.
    package func rename(_ name: DeviceName, to chosen: DeviceName) throws(StoreError) -> PeerRenameResult {
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

    /// Forgets the key of a name, so that the next peer of that name is new.
    ///
    /// - Returns: the forgotten peer, or `nil` if the name is not known.
    @discardableResult
    package func forget(_ name: DeviceName) throws(StoreError) -> KnownPeer? {
        try change { peers in
            guard let forgotten = peers.first(where: { $0.goes(by: name) }) else { return (nil, nil) }
            return (forgotten, peers.filter { $0.key != forgotten.key })
        }
    }

    /// Returns the peers whose key a pairing has confirmed, in the order of their first meeting.
    package func contacts() throws(StoreError) -> [KnownPeer] {
        try all().filter(\.isContact)
    }

    /// Returns the keys of the contacts, by their fingerprints.
    func contactKeys() throws(StoreError) -> [Fingerprint: PinnedKey] {
        try contents().contacts
    }

    /// Returns all peers, in the order of their first meeting.
    package func all() throws(StoreError) -> [KnownPeer] {
        try contents().peers
    }

    private func contents() throws(StoreError) -> Contents {
        if let known = cached.withLock({ $0.value(ifUnchangedAt: path) }) { return known }
        guard let directory = try PrivateDirectory(existing: directoryPath) else { return Contents([]) }
        return try contents(of: directory)
    }

    private func contents(of directory: borrowing PrivateDirectory) throws(StoreError) -> Contents {
        try cached.withLock { cached throws(StoreError) in
            try cached.value(of: Self.fileName, in: directory, read: Self.load)
        }
    }

    private static func verdict(name: DeviceName, key: PinnedKey, among peers: [KnownPeer]) -> PeerVerdict {
        if let earliest = peers.filter({ $0.key == key }).map(\.since).min() { return .known(since: earliest) }
        guard let owner = peers.first(where: { $0.goes(by: name) }) else { return .new }
        return .namesake(of: owner.fingerprint)
    }

    /// Returns the entry of a key: that with the name first, because a list that was edited by hand may have several
    /// names for one key.
    private static func index(
        of key: PinnedKey, announcing name: DeviceName, among peers: [KnownPeer]
    ) -> Int? {
        peers.firstIndex { $0.key == key && $0.goes(by: name) } ?? peers.firstIndex { $0.key == key }
    }

    private static func freeName(for name: DeviceName, among peers: [KnownPeer]) -> DeviceName {
        // Usually no other peer has the name.
        guard peers.contains(where: { $0.goes(by: name) }) else { return name }
        return name.free(among: peers.reduce(into: []) { $0.formUnion($1.ownNames) })
    }

    /// Records a meeting with a key that announced a name.
    ///
    /// - Parameters:
    ///   - again: makes the new entry from the existing one, and from a copy of it with the present name and date.
    ///   - first: makes the entry of a new peer from its default.
    private func meet(
        name: DeviceName, key: DevicePublicKey, now: Date, again: (KnownPeer, KnownPeer) -> KnownPeer,
        first: (KnownPeer) -> KnownPeer
    ) throws(StoreError) -> PeerVerdict {
        try change { peers throws(StoreError) in
            let key = PinnedKey(key)
            let before = Self.verdict(name: name, key: key, among: peers)
            let isAnothers = peers.contains { $0.key != key && $0.goes(by: name) }
            if let index = Self.index(of: key, announcing: name, among: peers) {
                let updated = again(peers[index], peers[index].met(as: name, isAnothers: isAnothers, at: now))
                guard updated != peers[index] else { return (before, nil) }
                var all = peers
                all[index] = updated
                return (before, all)
            }
            guard peers.count < Self.capacity else {
                throw StoreError(
                    .full(reason: "it holds \(peers.count) peers"), path: path,
                    remedy: "Remove the ones you no longer meet from it.")
            }
            let peer = KnownPeer(
                name: Self.freeName(for: name, among: peers), announcedName: name, isNamesake: isAnothers, key: key,
                since: now, lastSeen: now)
            return (before, peers + [first(peer)])
        }
    }

    private static func load(from directory: borrowing PrivateDirectory) throws(StoreError) -> Contents {
        guard let contents = try directory.read(fileName, limit: KnownPeersDocument.sizeLimit) else {
            return Contents([])
        }
        let path = directory.path(of: fileName)
        return try translating(Contents(KnownPeersDocument.parse(contents))) { (error: StoreDefect) in
            StoreError(
                .damaged(reason: error.reason), path: path,
                remedy: "Put back a copy of it, or move it away to start again knowing nobody.")
        }
    }

    /// Reads, decides and writes as one step among all processes.
    ///
    /// - Parameter decide: returns the result, and the new list if it changes. Called twice if it does.
    private func change<Result>(
        _ decide: ([KnownPeer]) throws(StoreError) -> (Result, [KnownPeer]?)
    ) throws(StoreError) -> Result {
        // The list mostly stays the same: a check without the lock comes first.
        if case (let result, nil) = try decide(all()) { return result }
        let directory = try PrivateDirectory(path: directoryPath)
        return try directory.withLock(Self.lockName) { directory throws(StoreError) in
            let (result, updated) = try decide(contents(of: directory).peers)
            if let updated { try directory.replace(Self.fileName, with: KnownPeersDocument.text(of: updated)) }
            return result
        }
    }
}

/// Result of renaming a peer.
package enum PeerRenameResult: Hashable, Sendable {
    case renamed(KnownPeer)
    /// No peer has the old name.
    case unknown
    /// Another peer has the new name.
    case taken(by: KnownPeer)
}

extension KnownPeer {
    /// - Parameter isAnothers: true if the name belongs to another peer.
    fileprivate func met(as announced: DeviceName, isAnothers: Bool, at now: Date) -> KnownPeer {
        // A namesake stays one: after the other peer is forgotten, the name is for the next peer that announces it.
        let isSame = announced.comparisonKey == announcedName.comparisonKey
        return KnownPeer(
            name: name, announcedName: announced, isNamesake: isAnothers || isSame && isNamesake, key: key,
            since: since, lastSeen: now, confirmed: confirmed)
    }

    fileprivate func confirmed(at now: Date) -> KnownPeer {
        KnownPeer(
            name: name, announcedName: announcedName, isNamesake: isNamesake, key: key, since: since,
            lastSeen: lastSeen, confirmed: confirmed ?? now)
    }

    fileprivate func renamed(to chosen: DeviceName) -> KnownPeer {
        KnownPeer(
            name: chosen, announcedName: announcedName, isNamesake: isNamesake, key: key, since: since,
            lastSeen: lastSeen, confirmed: confirmed)
    }
}
