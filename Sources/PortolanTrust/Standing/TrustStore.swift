import Foundation
import PortolanCrypto
import Synchronization

/// Who a peer is to this device: the one place that turns a key into a ``Standing``.
///
/// It keeps what it has read of the contacts and teams, and looks at the files before each answer, so that a change by any
/// process counts from the next question on. A file that cannot be read or understood is an error for every question: who
/// cannot be looked up is not trusted, and is not taken for a stranger either.
///
/// A look is a few system calls, some microseconds; a team that has changed is read, which takes milliseconds.
public final class TrustStore: Sendable {
    private let dataPath: String
    private let teamFiles: TeamFiles
    private let own: PinnedKey
    private let cache = Mutex(Cache())

    /// - Parameter own: the key of this device: only teams that it is in count.
    public init(home: HomeDirectory, own: DevicePublicKey) {
        dataPath = home.data
        teamFiles = TeamFiles(home: home)
        self.own = PinnedKey(own)
    }

    /// What the holder of a key is entitled to at a moment.
    ///
    /// - Parameters:
    ///   - key: proved by the peer in a handshake.
    ///   - now: ask again for each offer and each request; what it gives is not for keeping.
    /// - Throws: when what this device keeps cannot be read. Nothing may then be sent or shown to the peer.
    public func standing(of key: DevicePublicKey, now: Date) throws(StoreError) -> Standing {
        standing(of: PinnedKey(key), in: try snapshot(), now: now)
    }

    /// What a peer would be entitled to if it had the key that it advertises.
    ///
    /// For showing people who is there, and for deciding not to connect. It entitles nobody to anything.
    package func presumedStanding(of fingerprint: Fingerprint, now: Date) throws(StoreError) -> Standing {
        let snapshot = try snapshot()
        guard let key = snapshot.key(with: fingerprint) else { return .anyone }
        return standing(of: key, in: snapshot, now: now)
    }

    /// The teams of this device, by name, as ``TeamStore/all()`` gives them.
    package func teams() throws(StoreError) -> [StoredTeam] {
        try snapshot(withDefault: true).stored
    }

    private func standing(of key: PinnedKey, in snapshot: Snapshot, now: Date) -> Standing {
        var memberships: [Standing.Membership] = []
        for team in snapshot.teams where team.validity(now: now) == .valid && team.member(own) != nil {
            guard let member = team.member(key) else { continue }
            memberships.append(
                Standing.Membership(
                    team: team.id, teamName: team.name, groups: member.groups, isAdmin: member.isAdmin))
        }
        return Standing(isContact: snapshot.contacts[key.fingerprint] == key, memberships: memberships)
    }
}

extension TrustStore {
    /// What is kept of each file, see ``CachedFile``.
    private struct Cache {
        var contacts = CachedFile<[Fingerprint: PinnedKey]>()
        var identifiers = CachedFile<[TeamID]>()
        var chosen = CachedFile<TeamID?>()
        var records: [TeamID: CachedFile<IndexedRecord?>] = [:]
    }

    private struct IndexedRecord: Sendable {
        let record: TeamRecord
        let keys: [Fingerprint: PinnedKey]

        init(_ record: TeamRecord) {
            self.record = record
            keys = Dictionary(
                record.heads.team.members.map { ($0.key.fingerprint, $0.key) }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// What all files say at one moment.
    private struct Snapshot {
        let contacts: [Fingerprint: PinnedKey]
        let records: [IndexedRecord]
        let stored: [StoredTeam]

        var teams: some Sequence<Team> { records.lazy.map(\.record.heads.team) }

        func key(with fingerprint: Fingerprint) -> PinnedKey? {
            for record in records {
                if let key = record.keys[fingerprint] { return key }
            }
            return contacts[fingerprint]
        }
    }

    private func snapshot(withDefault: Bool = false) throws(StoreError) -> Snapshot {
        // The files are looked at inside the lock, so that an answer never goes back to before another one.
        try cache.withLock { cache throws(StoreError) in
            let contacts = try contacts(&cache)
            guard let directory = try teamFiles.open() else {
                return Snapshot(contacts: contacts, records: [], stored: [])
            }
            let identifiers = try cache.identifiers.value(for: directory.stamp()) { () throws(StoreError) in
                try teamFiles.identifiers(in: directory)
            }
            if cache.records.count > identifiers.count {
                cache.records = cache.records.filter { identifiers.contains($0.key) }
            }
            var records: [IndexedRecord] = []
            for id in identifiers {
                let stamp = try directory.stamp(of: TeamFiles.fileName(id))
                let record = try cache.records[id, default: CachedFile()].value(for: stamp) { () throws(StoreError) in
                    try teamFiles.record(id, in: directory).map(IndexedRecord.init)
                }
                if let record { records.append(record) }
            }
            guard withDefault else { return Snapshot(contacts: contacts, records: records, stored: []) }
            let chosen = try cache.chosen.value(for: directory.stamp(of: TeamFiles.defaultName)) {
                () throws(StoreError) in
                try teamFiles.readDefault(in: directory)
            }
            return Snapshot(
                contacts: contacts, records: records,
                stored: TeamFiles.stored(records.map(\.record), device: own, chosen: chosen))
        }
    }

    private func contacts(_ cache: inout Cache) throws(StoreError) -> [Fingerprint: PinnedKey] {
        guard let directory = try PrivateDirectory(existing: dataPath) else { return [:] }
        return try cache.contacts.value(for: directory.stamp(of: KnownPeers.fileName)) { () throws(StoreError) in
            try Dictionary(
                KnownPeers.load(from: directory).lazy.filter(\.isContact).map { ($0.fingerprint, $0.key) },
                uniquingKeysWith: { first, _ in first })
        }
    }
}
