import Foundation
import PortolanCrypto

/// The keys of the peers this device has exchanged something with, by name, in one file.
///
/// A name is pinned to a key when something was exchanged successfully, never when it was merely seen, so a peer that
/// floods the network with names fills nothing. A pin is never replaced: another key for the name is refused until a
/// person says `forget`. A file that cannot be read or understood is an error for every question, because the other
/// answer would be to trust everyone.
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
            let before = Self.verdict(name: name, key: key, among: peers)
            if case .changed = before { return (before, nil) }
            if let index = peers.firstIndex(where: { $0.name.comparisonKey == name.comparisonKey }) {
                let pin = peers[index]
                guard now.timeIntervalSince(pin.lastSeen) >= Self.lastSeenGranularity else { return (before, nil) }
                var updated = peers
                updated[index] = KnownPeer(name: pin.name, key: pin.key, since: pin.since, lastSeen: now)
                return (before, updated)
            }
            guard peers.count < Self.capacity else {
                throw StoreError(
                    .full(reason: "it holds \(peers.count) peers"), path: path,
                    remedy: "Remove the ones you no longer meet from it.")
            }
            return (before, peers + [KnownPeer(name: name, key: PinnedKey(key), since: now, lastSeen: now)])
        }
    }

    /// Drops the pin of a name, so that whoever goes by it next is new.
    ///
    /// - Returns: what was dropped, or `nil` if the name was not known.
    @discardableResult
    public func forget(_ name: DeviceName) throws(StoreError) -> KnownPeer? {
        try change { peers throws(StoreError) in
            guard let index = peers.firstIndex(where: { $0.name.comparisonKey == name.comparisonKey }) else {
                return (nil, nil)
            }
            var remaining = peers
            return (remaining.remove(at: index), remaining)
        }
    }

    /// Every pin, in the order in which they were made.
    public func all() throws(StoreError) -> [KnownPeer] {
        try Self.load(from: PrivateDirectory(path: directoryPath))
    }

    private static func verdict(name: DeviceName, key: DevicePublicKey, among peers: [KnownPeer]) -> PeerVerdict {
        if let pin = peers.first(where: { $0.name.comparisonKey == name.comparisonKey }) {
            return pin.key.matches(key) ? .known(since: pin.since) : .changed(knownFingerprint: pin.fingerprint)
        }
        let pinned = PinnedKey(key)
        guard let earliest = peers.filter({ $0.key == pinned }).map(\.since).min() else { return .new }
        return .known(since: earliest)
    }

    private static func load(from directory: borrowing PrivateDirectory) throws(StoreError) -> [KnownPeer] {
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
