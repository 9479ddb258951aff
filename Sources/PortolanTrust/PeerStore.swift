import Foundation
import PortolanCrypto

/// Everything that one device knows of others, in memory: peers and contacts, teams, and the folders that it receives into. One for
/// each node, and the one place that turns a key into a ``Standing``.
///
/// Each part reads its files when they are needed first, and again when another process or this one has changed them; writing takes
/// a lock among all processes and replaces a file whole. A file that cannot be read or understood is an error for every question:
/// who cannot be looked up is not trusted, and is not taken for a stranger either.
///
/// The calls may block. Most look at the files' stamps alone, some microseconds; a team that has changed takes milliseconds.
package final class PeerStore: Sendable {
    package let peers: KnownPeers
    package let teams: TeamStore
    package let inboxes: KnownInboxes
    private let own: PinnedKey

    /// Reads nothing yet.
    ///
    /// - Parameter own: the key of this device: only teams that it is in count.
    package init(home: HomeDirectory, own: DevicePublicKey) {
        peers = KnownPeers(home: home)
        teams = TeamStore(home: home, own: own)
        inboxes = KnownInboxes(home: home)
        self.own = PinnedKey(own)
    }

    /// What the holder of a key is entitled to at a moment.
    ///
    /// - Parameters:
    ///   - key: proved by the peer in a handshake.
    ///   - now: ask again for each offer and each request; what it gives is not for keeping.
    /// - Throws: when what this device keeps cannot be read. Nothing may then be sent or shown to the peer.
    package func standing(of key: DevicePublicKey, now: Date) throws(StoreError) -> Standing {
        let contacts = try peers.contactKeys()
        return standing(of: PinnedKey(key), contacts, try teams.files.records(), now: now)
    }

    /// What a peer would be entitled to if it had the key that it advertises.
    ///
    /// For showing people who is there, and for deciding not to connect. It entitles nobody to anything.
    package func presumedStanding(of fingerprint: Fingerprint, now: Date) throws(StoreError) -> Standing {
        let contacts = try peers.contactKeys()
        let records = try teams.files.records()
        guard let key = records.lazy.compactMap({ $0.keys[fingerprint] }).first ?? contacts[fingerprint] else {
            return .anyone
        }
        return standing(of: key, contacts, records, now: now)
    }

    private func standing(
        of key: PinnedKey, _ contacts: [Fingerprint: PinnedKey], _ records: [IndexedRecord], now: Date
    ) -> Standing {
        var memberships: [Standing.Membership] = []
        for team in records.lazy.map(\.record.heads.team)
        where team.validity(now: now) == .valid && team.member(own) != nil {
            guard let member = team.member(key) else { continue }
            memberships.append(
                Standing.Membership(
                    team: team.id, teamName: team.name, groups: member.groups, isAdmin: member.isAdmin))
        }
        return Standing(isContact: contacts[key.fingerprint] == key, memberships: memberships)
    }
}
