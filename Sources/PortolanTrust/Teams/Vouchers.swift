/// Index of the vouchers of a roster, used to find the chain that allows its signer to sign.
struct Vouchers {
    private let roster: Roster
    private let given: [PinnedKey: [RosterAdmin]]

    /// An admin in the chain from a signer to the founder.
    struct Link: Hashable, Sendable {
        let key: PinnedKey
        /// Seat of the admin's voucher; `nil` for a founder whose seat the roster no longer has.
        let seat: Seat?
    }

    init(_ roster: Roster) {
        self.roster = roster
        let present = roster.members.compactMap { member in member.admin.map { (member.key, [$0]) } }
        let former = roster.removals.compactMap { removal in
            removal.key.flatMap { key in removal.admin.map { (key, [$0]) } }
        }
        given = Dictionary(present + former, uniquingKeysWith: +)
    }

    /// Returns the shortest chain from the signer to the founder; each link is the issuer of the one before.
    ///
    /// The signer's voucher is the one for its seat in the roster. Admins in the chain may have left the team since.
    func chain() throws(RosterError) -> [Link] {
        let removed = Set(roster.removals.map(\.seat)).union(roster.removals.compactMap(\.admin?.seat))
        guard let own = roster.member(roster.signer)?.admin else { throw .signerIsNoAdmin }
        guard !removed.contains(own.seat) else { throw .signerWasRemoved }
        if roster.signer == roster.founder { return [Link(key: roster.signer, seat: own.seat)] }
        var followed: Set<PinnedKey> = [roster.signer]
        var open: [(key: PinnedKey, words: [RosterAdmin], way: [Link])] = [(roster.signer, [own], [])]
        var checks = 0
        while !open.isEmpty {
            let (key, words, way) = open.removeFirst()
            for word in words where !followed.contains(word.issuer) {
                checks += 1
                guard checks <= RosterLimits.vouchers else { throw .signerIsUnknown }
                guard word.isValid(for: key, of: roster.id) else { continue }
                followed.insert(word.issuer)
                let way = way + [Link(key: key, seat: word.seat)]
                let next = given[word.issuer] ?? []
                if word.issuer == roster.founder {
                    return way + [Link(key: word.issuer, seat: next.first?.seat)]
                }
                open.append((word.issuer, next, way))
            }
        }
        throw .signerIsUnknown
    }
}
