import Foundation
import PortolanCrypto
import PortolanValues

// MARK: - Telling those who were removed

extension TeamHeads {
    /// Keys of devices that were removed and have not come back.
    package var removedKeys: Set<PinnedKey> {
        Set((heads + beneath).flatMap(\.removedKeys)).filter { team.member($0) == nil }
    }

    /// The roster that tells a removed device of its removal, and the digest of that roster alone.
    ///
    /// It is the earliest one that is remembered, because a removed device is to learn no more than it must of what became of the
    /// team; nil if that roster does not name `own`, whose membership the removed device would learn from it.
    package func notice(to key: PinnedKey, from own: PinnedKey) -> (signed: SignedRoster, digest: [UInt8])? {
        guard team.member(key) == nil else { return nil }
        let telling = (heads + beneath).filter { $0.removedKeys.contains(key) }
        guard let earliest = telling.min(by: { $0.roster.epoch < $1.roster.epoch }),
            earliest.roster.member(own) != nil
        else { return nil }
        return (earliest.signed, Self.digest(of: [earliest]))
    }
}

/// A device's removal from a team, as far as that device was told.
public struct TeamRemoval: Hashable, Sendable {
    /// The admin that signed the earliest roster which is remembered of those that tell of it; another admin may have removed
    /// the device. nil if this device does not know the name.
    public let signer: DeviceName?
    /// When that roster was signed, by that admin's clock.
    public let signed: Date
    /// Whether the removed device founded the team, and so can take it back.
    public let isFounder: Bool

    package init(signer: DeviceName?, signed: Date, isFounder: Bool) {
        self.signer = signer
        self.signed = signed
        self.isFounder = isFounder
    }
}

extension TeamHeads {
    /// The removal of a device; nil if no roster that is remembered has it.
    package func removal(of key: PinnedKey) -> TeamRemoval? {
        let telling = (heads + beneath).filter { $0.removedKeys.contains(key) }
        guard let roster = telling.min(by: { $0.roster.epoch < $1.roster.epoch })?.roster else { return nil }
        return TeamRemoval(
            signer: roster.member(roster.signer)?.name,
            signed: Date(timeIntervalSince1970: TimeInterval(roster.issued)),
            isFounder: roster.founder == key)
    }
}

// MARK: - The founder's way back

extension TeamHeads {
    /// Makes the founder an admin again, by a roster made from those that do not remove it.
    ///
    /// Signers of rosters that remove the founder stay members and are admins no more, so that the founder's roster, which is senior,
    /// rules out theirs. The secret becomes another one.
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
        let next = TeamHeads(Self.inserting(head, into: remembered) ?? remembered)
        guard next.maySign(founder) else { throw .unsignable(.signerWasRemoved) }
        self = next
    }
}
