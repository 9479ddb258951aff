import PortolanCrypto
import PortolanValues

/// For whom a folder that is kept alike is: the statements of the highest rank that a device has taken.
///
/// ``includes(_:is:)`` is the one place that decides who may have anything of a folder. Of several statements of one
/// rank, all must agree.
package struct FolderAudience: Hashable, Sendable {
    /// Largest number of statements of one rank.
    package static let mostStatements = 4

    /// Ordered by their bytes.
    private let statements: [SignedFolderStatement.Verified]

    /// - Returns: nil without statements, and for stored ones that are damaged.
    package init?(_ stored: [SignedFolderStatement]) {
        statements = stored.compactMap { try? $0.verified(isStored: true) }
        guard !statements.isEmpty, statements.count == stored.count else { return nil }
    }

    package var maker: PinnedKey { statements[0].statement.maker }
    package var keepers: [PinnedKey] { statements[0].grant.keepers }
    package var version: UInt32 { statements[0].statement.version }
    /// Identifier of the folder.
    package var folder: [UInt8] { statements[0].statement.folder }
    package var stored: [SignedFolderStatement] { statements.map(\.signed) }
    /// Parts of the statements: one list for each.
    package var parts: [[FolderStatement.Part]] { statements.map(\.statement.parts) }

    /// Text for people, the same on all devices; safe to print.
    package var words: [String] {
        guard statements.count > 1 else { return parts[0].map(\.text) }
        return ["those in all of: " + parts.map { $0.map(\.text).joined(separator: ", ") }.joined(separator: "; ")]
    }

    /// True if a device may have the folder.
    ///
    /// A key in a statement gives nothing to a device that is not known here by itself: as a contact, or as a member of
    /// the team. The maker and the keepers count as named where contacts are named, and as in each group of the teams.
    ///
    /// - Parameters:
    ///   - standing: that of the device.
    ///   - is: true for the key of the device.
    package func includes(_ standing: Standing, is: (PinnedKey) -> Bool) -> Bool {
        statements.allSatisfy { one in
            let isOfMakers = `is`(one.statement.maker) || one.grant.keepers.contains(where: `is`)
            return one.statement.parts.contains { part in
                switch part {
                case .contact(let key, _): standing.isContact && (isOfMakers || `is`(key))
                case .team(let team, _, let group): standing.isMember(of: team, in: isOfMakers ? nil : group)
                }
            }
        }
    }

    /// True if this device itself may have the folder.
    ///
    /// - Parameter standing: its own.
    package func includes(own key: PinnedKey, _ standing: Standing) -> Bool {
        includes(Standing(isContact: true, memberships: standing.memberships)) { $0 == key }
    }

    /// True if a device has the folder as a contact, and loses it with its key.
    package func namesContact(_ key: PinnedKey) -> Bool {
        parts.joined().contains { part in
            guard case .contact(let named, _) = part else { return false }
            return named == key || maker == key
        }
    }

    /// True if all that may have the folder by the statements may see what has a restriction, those too that come to a
    /// team or group later.
    ///
    /// - Parameter standing: that of a key; nil if it is unknown.
    package func isWithin(_ restriction: Restriction, _ standing: (PinnedKey) -> Standing?) -> Bool {
        func maySee(_ key: PinnedKey) -> Bool { standing(key)?.maySee(restriction) ?? false }
        // A device of the audience is in each statement.
        return statements.contains { one in
            var namesContacts = false
            for part in one.statement.parts {
                switch part {
                case .contact(let key, _):
                    namesContacts = true
                    guard maySee(key) else { return false }
                case .team(let team, _, let group):
                    guard let audience = restriction.audience, audience.team == team else { return false }
                    let isForGroup = group.map { audience.groups.contains($0) } ?? false
                    guard restriction.visibility == .team || isForGroup else { return false }
                }
            }
            // The maker and the keepers count as contacts, and as in each group of their teams.
            let makers = [one.statement.maker] + one.grant.keepers
            return !one.statement.parts.isEmpty
                && makers.allSatisfy { key in
                    if maySee(key) { return true }
                    guard !namesContacts, let standing = standing(key) else { return false }
                    return !includes(standing) { $0 == key }
                }
        }
    }

    /// Keys that may belong to devices of the audience, teams excepted.
    package var keys: Set<PinnedKey> {
        var keys = Set([maker] + keepers)
        for case .contact(let key, _) in parts.joined() { keys.insert(key) }
        return keys
    }

    /// Takes a statement about this folder, if its signer may sign.
    ///
    /// - Parameter standing: that of the signer.
    /// - Returns: nil if nothing changes.
    package func taking(_ new: SignedFolderStatement.Verified, signer standing: Standing) -> FolderAudience? {
        guard new.statement.folder == folder, new.statement.maker == maker, new.isSignedByRight(standing),
            !statements.contains(where: { $0.signed.own.bytes == new.signed.own.bytes })
        else { return nil }
        let rank = statements[0].rank
        if rank.lexicographicallyPrecedes(new.rank) { return FolderAudience([new]) }
        guard rank == new.rank else { return nil }
        let all = (statements + [new]).sorted { $0.signed.own.bytes.lexicographicallyPrecedes($1.signed.own.bytes) }
        let kept = FolderAudience(Array(all.prefix(Self.mostStatements)))
        return kept == self ? nil : kept
    }

    private init(_ statements: [SignedFolderStatement.Verified]) { self.statements = statements }

    /// Takes the first statement about a folder.
    ///
    /// - Parameter teller: device that sent it. The identifier of a folder that is older than statements commits to
    ///   nobody, so that it must be its maker.
    package init?(first new: SignedFolderStatement.Verified, signer standing: Standing, teller: PinnedKey) {
        guard new.isSignedByRight(standing), new.statement.former == nil || teller == new.statement.maker else {
            return nil
        }
        statements = [new]
    }

    /// Signs the next statement, which replaces all.
    ///
    /// - Throws: ``FolderStatementError`` if it is larger than the limit.
    /// - Returns: nil if the device may not sign, by its standing in its own teams.
    package func signed(
        for parts: [FolderStatement.Part], keepers: [PinnedKey]?, by key: DeviceKey, _ standing: Standing
    ) throws(FolderStatementError) -> FolderAudience? {
        guard let highest = statements.map(\.statement.version).max(), highest < .max else { return nil }
        let last = statements[0]
        let isMaker = maker.matches(key.publicKey)
        var next = last.grant
        next.version = highest + 1
        next.signer = PinnedKey(key.publicKey)
        next.parts = FolderStatement.sorted(parts)
        if let keepers { next.keepers = FolderStatement.sorted(keepers) }
        let grant = last.signed.grant ?? last.signed.own
        next.before = sha256([Array(grant.bytes)])
        let signed = try SignedFolderStatement(next, by: key, after: isMaker ? nil : grant)
        guard let new = try? signed.verified(), new.isSignedByRight(standing) else { return nil }
        return FolderAudience([new])
    }
}

extension Standing {
    /// True for a member of a team, or of one of its groups.
    fileprivate func isMember(of team: TeamID, in group: GroupName?) -> Bool {
        guard let membership = membership(in: team) else { return false }
        return group.map { membership.groups.contains($0) } ?? true
    }
}
