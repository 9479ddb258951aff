import Foundation
import PortolanCrypto

/// Knowledge of one device about others, in memory: peers and contacts, teams, and inbox folders. Each node has one
/// store, and only it turns a key into a ``Standing``.
///
/// Each part reads its files on first use, and again after a change by this or another process. Writing takes a lock of
/// all processes and replaces the file as a whole. After a failed read every question throws: a peer that cannot be
/// looked up is neither trusted nor taken for a stranger.
///
/// The calls may block. Most compare only the stamps of the files, which takes some microseconds; a team that has
/// changed takes milliseconds.
package final class PeerStore: Sendable {
    package let peers: KnownPeers
    package let teams: TeamStore
    package let inboxes: KnownInboxes
    private let own: PinnedKey

    /// Makes a store; files are read on first use.
    ///
    /// - Parameter own: the key of this device; other teams do not count.
    package init(home: HomeDirectory, own: DevicePublicKey) {
        peers = KnownPeers(home: home)
        teams = TeamStore(home: home, own: own)
        inboxes = KnownInboxes(home: home)
        self.own = PinnedKey(own)
    }

    /// Computes the rights of the holder of a key at a moment.
    ///
    /// - Parameters:
    ///   - key: proved by the peer in a handshake.
    ///   - now: the present time. Ask again for each offer and each request; do not keep the result.
    /// - Throws: ``StoreError`` if a file cannot be read. Nothing may then be sent or shown to the peer.
    package func standing(of key: DevicePublicKey, now: Date) throws(StoreError) -> Standing {
        let contacts = try peers.contactKeys()
        return standing(of: PinnedKey(key), contacts, try teams.files.records(), now: now)
    }

    /// Computes the rights that a peer would have with the key that it advertises.
    ///
    /// For lists of peers, and for the decision not to connect. The result grants no access.
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
