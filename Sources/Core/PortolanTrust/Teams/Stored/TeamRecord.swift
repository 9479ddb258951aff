import Foundation
import PortolanCrypto

/// Stored state of one team.
struct TeamRecord: Sendable {
    /// Largest number of older secrets: members that missed this many changes of the secret are still recognised.
    static let olderSecretsLimit = 8

    private(set) var heads: TeamHeads
    /// Former secrets of the team, or secrets of one side of a fork, the latest first.
    private(set) var olderSecrets: [SecretBytes]
    let added: Date
    /// Key of this device in the team.
    private(set) var device: PinnedKey

    init(_ heads: TeamHeads, device: PinnedKey, added: Date) {
        self.heads = heads
        self.device = device
        self.added = added
        olderSecrets = []
        keepOlder(heads.heads.compactMap(\.secret))
    }

    /// - Throws: ``RosterError`` if the rosters in the file are invalid: only for a forged file, or a faulty disk.
    init(_ document: TeamDocument) throws(RosterError) {
        heads = try TeamHeads.restored(document.heads, leavings: document.leavings)
        device = document.device
        added = document.added
        olderSecrets = document.olderSecrets
    }

    /// True if this device has not been removed.
    var isMember: Bool { heads.team.member(device) != nil }

    var document: TeamDocument {
        TeamDocument(
            team: heads.team.id, added: added, device: device,
            heads: heads.updates, leavings: heads.leavings.map(\.bytes),
            olderSecrets: olderSecrets)
    }

    /// Advances to the following rosters. The former secrets are kept to recognise members that do not have the new
    /// ones yet.
    mutating func advance(to next: TeamHeads) {
        let former = [heads.secret] + heads.heads.map(\.secret)
        heads = next
        // A missing secret arrives with its roster, which may no longer be a head.
        let all = next.heads.map(\.secret) + former + next.remembered.map(\.secret)
        keepOlder(all.compactMap(\.self))
    }

    /// Records that this device joined the team again, maybe with another key.
    mutating func rejoin(as device: PinnedKey) { self.device = device }

    private mutating func keepOlder(_ latest: [SecretBytes]) {
        var kept: [SecretBytes] = []
        for secret in latest + olderSecrets where secret != heads.secret && !kept.contains(secret) {
            kept.append(secret)
        }
        olderSecrets = Array(kept.prefix(Self.olderSecretsLimit))
    }
}
