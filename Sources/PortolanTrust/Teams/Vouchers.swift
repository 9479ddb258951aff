/// Who made whom an admin, as one roster tells it; used to find out whether its signer may sign.
struct Vouchers {
    private let team: TeamID
    private let given: [PinnedKey: [RosterAdmin]]
    private let removedKeys: Set<PinnedKey>
    private let removedSeats: Set<Seat>

    /// - Parameter removed: what is known here of who was removed; `nil` when nothing is known yet.
    init(_ roster: Roster, removed: RosterDraft? = nil) {
        team = roster.id
        let present = roster.members.compactMap { member in member.admin.map { (member.key, [$0]) } }
        let former = roster.removals.compactMap { removal in
            removal.key.flatMap { key in removal.admin.map { (key, [$0]) } }
        }
        given = Dictionary(present + former, uniquingKeysWith: +)
        removedKeys = removed?.removedKeys ?? []
        removedSeats = removed?.removedAdminSeats ?? []
    }

    /// Follows the words of admins from a signer to somebody who is known to be one.
    ///
    /// The way leads through nobody who is known to have been removed, and over no word that was taken back.
    func requirePath(from signer: PinnedKey, isKnown: (PinnedKey) -> Bool) throws(RosterError) {
        var followed: Set<PinnedKey> = [signer]
        var open = [signer]
        var wasRemoved = false
        var checks = 0
        while let key = open.popLast() {
            if removedKeys.contains(key) {
                wasRemoved = true
                continue
            }
            if isKnown(key) { return }
            for admin in given[key] ?? [] where !removedSeats.contains(admin.seat) && !followed.contains(admin.issuer) {
                checks += 1
                guard checks <= RosterLimits.vouchers else { throw .signerIsUnknown }
                guard admin.isValid(for: key, of: team) else { continue }
                followed.insert(admin.issuer)
                open.append(admin.issuer)
            }
        }
        throw wasRemoved ? .signerWasRemoved : .signerIsUnknown
    }
}
