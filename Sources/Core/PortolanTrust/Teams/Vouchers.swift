/// Index of the vouchers of a roster, used to find the chain that allows its signer to sign.
struct Vouchers {
    private let roster: Roster
    private let given: [PinnedKey: [Place]]

    /// An admin in the chain from a signer to the founder.
    struct Link: Hashable, Sendable {
        let key: PinnedKey
        /// The signer's place; of another admin all places that the roster has, former ones included. Empty for a
        /// founder whose place the roster no longer has.
        let places: [Place]
    }

    /// An admin right, and the member's seat on which it was given.
    struct Place: Hashable, Sendable {
        let seat: Seat
        let admin: RosterAdmin
    }

    init(_ roster: Roster) {
        self.roster = roster
        let present = roster.members.compactMap { member in
            member.admin.map { (member.key, [Place(seat: member.seat, admin: $0)]) }
        }
        let former = roster.removals.compactMap { removal in
            removal.key.flatMap { key in removal.admin.map { (key, [Place(seat: removal.seat, admin: $0)]) } }
        }
        given = Dictionary(present + former, uniquingKeysWith: +)
    }

    /// Returns the shortest chain from the signer to the founder; each link is the issuer of the one before.
    ///
    /// The signer's voucher is the one for its seat in the roster. Admins in the chain may have left the team since.
    func chain() throws(RosterError) -> [Link] {
        let removed = Set(roster.removals.map(\.seat)).union(roster.removals.compactMap(\.admin?.seat))
        guard let signer = roster.member(roster.signer), let own = signer.admin else { throw .signerIsNoAdmin }
        guard !removed.contains(own.seat) else { throw .signerWasRemoved }
        let start = Place(seat: signer.seat, admin: own)
        if roster.signer == roster.founder { return [Link(key: roster.signer, places: [start])] }
        var followed: Set<PinnedKey> = [roster.signer]
        var open: [(key: PinnedKey, places: [Place], way: [Link])] = [(roster.signer, [start], [])]
        var checks = 0
        while !open.isEmpty {
            let (key, places, way) = open.removeFirst()
            for word in places.map(\.admin) where !followed.contains(word.issuer) {
                checks += 1
                guard checks <= RosterLimits.vouchers else { throw .signerIsUnknown }
                guard word.isValid(for: key, of: roster.id) else { continue }
                followed.insert(word.issuer)
                let way = way + [Link(key: key, places: places)]
                let next = given[word.issuer] ?? []
                if word.issuer == roster.founder {
                    return way + [Link(key: word.issuer, places: next)]
                }
                open.append((word.issuer, next, way))
            }
        }
        throw .signerIsUnknown
    }
}
