import Foundation
import PortolanCrypto
import PortolanValues

// MARK: - Notices to removed devices

extension TeamHeads {
    /// Keys of devices that were removed or have left, and have not joined again.
    package var removedKeys: Set<PinnedKey> {
        Set((heads + beneath).flatMap(\.removedKeys) + leavings.map(\.key)).filter { team.member($0) == nil }
    }

    /// The roster that tells a removed device of its removal, and the digest of that roster alone.
    ///
    /// The earliest remembered roster is taken, so that a removed device learns as little as possible of the team's
    /// later state; nil if that roster does not name `own`, because a notice from `own` would reveal its membership.
    package func notice(to key: PinnedKey, from own: PinnedKey) -> (signed: SignedRoster, digest: [UInt8])? {
        guard team.member(key) == nil else { return nil }
        let telling = (heads + beneath).filter { $0.removedKeys.contains(key) }
        guard let earliest = telling.min(by: { $0.roster.epoch < $1.roster.epoch }),
            earliest.roster.member(own) != nil
        else { return nil }
        return (earliest.signed, Self.digest(of: [earliest]))
    }
}

/// Removal of a device from a team, as far as that device was told.
public struct TeamRemoval: Hashable, Sendable {
    /// The admin that signed the earliest remembered roster with the removal; another admin may have removed the
    /// device. nil if this device does not know the name.
    public let signer: DeviceName?
    /// Time of that roster's signature, by the clock of its admin.
    public let signed: Date
    /// True if the removed device founded the team, and so can reclaim it.
    public let isFounder: Bool

    package init(signer: DeviceName?, signed: Date, isFounder: Bool) {
        self.signer = signer
        self.signed = signed
        self.isFounder = isFounder
    }
}

extension TeamHeads {
    /// Returns the removal of a device; nil if no remembered roster has it.
    package func removal(of key: PinnedKey) -> TeamRemoval? {
        let telling = (heads + beneath).filter { $0.removedKeys.contains(key) }
        guard let roster = telling.min(by: { $0.roster.epoch < $1.roster.epoch })?.roster else { return nil }
        return TeamRemoval(
            signer: roster.member(roster.signer)?.name,
            signed: Date(timeIntervalSince1970: TimeInterval(roster.issued)),
            isFounder: roster.founder == key)
    }
}

// MARK: - Reclaiming by the founder

extension TeamHeads {
    /// Makes the founder an admin again, by a roster based on those that do not remove it.
    ///
    /// Signers of rosters that remove the founder stay members but are no longer admins, so that the founder's roster,
    /// which is senior, rules out theirs. The secret is replaced.
    package mutating func reclaim(
        by key: DeviceKey, called name: DeviceName, now: Date, using generator: inout some RandomNumberGenerator
    ) throws(RosterChangeError) {
        let founder = PinnedKey(key.publicKey)
        guard heads[0].roster.founder == founder else { throw .notFounder }
        guard !maySign(founder) else { throw .isAdmin }
        let opposing = remembered.filter { $0.removedKeys.contains(founder) }
        let former = remembered.filter { !$0.removedKeys.contains(founder) }
        guard !former.isEmpty else { throw .nothingToReclaim }
        var draft = TeamHeads(former).draft
        try draft.reclaim(
            by: key, called: name, from: opposing.compactMap { $0.chain.first }, using: &generator)
        let head = try Self.signed(
            draft, with: .random(count: Self.secretLength, using: &generator), by: key, now: now)
        let next = TeamHeads(Self.inserting(head, into: remembered) ?? remembered, leavings: leavings)
        guard next.maySign(founder) else { throw .unsignable(.signerWasRemoved) }
        self = next
    }
}
