/// Who made whom an admin, as one roster tells it; used to find out why its signer may sign.
struct Vouchers {
    private let roster: Roster
    private let given: [PinnedKey: [RosterAdmin]]

    /// One admin on the way from a signer to the founder.
    struct Link: Hashable, Sendable {
        let key: PinnedKey
        /// The admin's seat that the word for it is about; `nil` for a founder whose own the roster does not have any more.
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

    /// The shortest way from the signer to the founder, each the issuer of the one before.
    ///
    /// The signer's own word is the one for the seat that the roster gives it. Those on the way may have left the team since.
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
