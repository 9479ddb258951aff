import Foundation
import PortolanCrypto

/// What this device keeps of one team.
struct TeamRecord: Sendable {
    /// Members that have been away for this many changes of the secret are still recognised.
    static let olderSecretsLimit = 8

    private(set) var heads: TeamHeads
    /// Secrets that the team had before, or that one side of a fork has, the latest first.
    private(set) var olderSecrets: [SecretBytes]
    let added: Date
    /// The key of this device.
    private(set) var device: PinnedKey

    init(_ heads: TeamHeads, device: PinnedKey, added: Date) {
        self.heads = heads
        self.device = device
        self.added = added
        olderSecrets = []
        keepOlder(heads.heads.compactMap(\.secret))
    }

    /// - Throws: why the rosters in the file are none: only for one that somebody made, or a disk that lies.
    init(_ document: TeamDocument) throws(RosterError) {
        heads = try TeamHeads.restored(document.heads)
        device = document.device
        added = document.added
        olderSecrets = document.olderSecrets
    }

    /// Whether this device has not been removed.
    var isMember: Bool { heads.team.member(device) != nil }

    var document: TeamDocument {
        TeamDocument(
            team: heads.team.id, added: added, device: device,
            heads: heads.updates,
            olderSecrets: olderSecrets)
    }

    /// Goes on to the rosters that follow. What recognised members until here is kept for those who do not have them yet.
    mutating func advance(to next: TeamHeads) {
        let former = [heads.secret] + heads.heads.map(\.secret)
        heads = next
        // A secret that was missing comes with its roster, which may be no head any more.
        let all = next.heads.map(\.secret) + former + next.remembered.map(\.secret)
        keepOlder(all.compactMap(\.self))
    }

    /// This device has come to the team again, maybe with another key.
    mutating func rejoin(as device: PinnedKey) { self.device = device }

    private mutating func keepOlder(_ latest: [SecretBytes]) {
        var kept: [SecretBytes] = []
        for secret in latest + olderSecrets where secret != heads.secret && !kept.contains(secret) {
            kept.append(secret)
        }
        olderSecrets = Array(kept.prefix(Self.olderSecretsLimit))
    }
}
