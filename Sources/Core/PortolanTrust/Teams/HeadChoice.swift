/// Selection of the rosters that count, when some of them remove the admins who signed others.
///
/// The result depends on the set of rosters alone, not on their order. A roster whose signer is removed by a kept
/// roster is dropped. Of two that remove each other's signers, the senior's is kept.
struct HeadChoice {
    private let rosters: [TeamHeads.Head]
    /// `removes[a][b]`: roster `a` removes the signer of `b`.
    private let removes: [[Bool]]
    private let supersedes: [[Bool]]
    private var undecided: Set<Int>
    private var kept: Set<Int> = []

    /// - Parameter rosters: rosters of one team, each once.
    init(among rosters: [TeamHeads.Head]) {
        // Sorted by seniority, so that the smaller index is the senior's.
        let rosters = rosters.sorted { $0.isSenior(to: $1) }
        self.rosters = rosters
        removes = rosters.map { one in rosters.map { one.removesSigner(with: $0.chain) } }
        supersedes = rosters.map { one in rosters.map { one.roster.supersedes($0.roster) } }
        undecided = Set(rosters.indices)
        while !undecided.isEmpty { decide() }
    }

    /// Kept rosters that no other kept one supersedes.
    var heads: [TeamHeads.Head] {
        kept.sorted().filter { !isSuperseded($0) }.map { rosters[$0] }
    }

    /// Kept rosters that are superseded; the senior signers' first.
    var beneath: [TeamHeads.Head] { kept.sorted().filter(isSuperseded).map { rosters[$0] } }

    /// Dropped rosters; the senior signers' first.
    var dropped: [TeamHeads.Head] { rosters.indices.filter { !kept.contains($0) }.map { rosters[$0] } }

    private func isSuperseded(_ index: Int) -> Bool { kept.contains { supersedes[$0][index] } }

    /// Decides at least one more roster.
    private mutating func decide() {
        let dropped = undecided.filter { index in kept.contains { removes[$0][index] && isFinal($0) } }
        undecided.subtract(dropped)
        let free = undecided.filter { index in
            !undecided.contains { removes[$0][index] } && !isOpposed(index)
        }
        keep(free)
        guard dropped.isEmpty, free.isEmpty else { return }
        // The remaining rosters remove one another in a circle, or depend on such a circle.
        let unopposed = undecided.filter { !isOpposed($0) }
        let first = unopposed.filter { index in
            reached(backwards: true, from: index).isSubset(of: reached(backwards: false, from: index))
        }
        // `first` is empty only if `unopposed` is: rosters that oppose no other are opposed by no other.
        guard let senior = first.min() else {
            undecided = []
            return
        }
        keep([senior])
    }

    private mutating func keep(_ indices: Set<Int>) {
        kept.formUnion(indices)
        undecided.subtract(indices)
    }

    /// True if a kept roster that no other kept one supersedes removes the signer.
    private func isOpposed(_ index: Int) -> Bool { kept.contains { removes[$0][index] && !isSuperseded($0) } }

    /// True if no later roster can supersede this one, except those that it rules out itself.
    private func isFinal(_ index: Int) -> Bool {
        !isSuperseded(index) && !undecided.contains { supersedes[$0][index] && !removes[index][$0] }
    }

    /// Rosters whose signers are removed by a roster, by those rosters, and so on; or backwards.
    private func reached(backwards: Bool, from start: Int) -> Set<Int> {
        var reached: Set<Int> = []
        var open = [start]
        while let index = open.popLast() {
            for other in undecided
            where !isOpposed(other) && (backwards ? removes[other][index] : removes[index][other]) {
                if reached.insert(other).inserted { open.append(other) }
            }
        }
        return reached
    }
}

extension TeamHeads.Head {
    /// Orders by seniority: the shorter chain to the founder, then the smaller key; of one signer's rosters the later
    /// one comes first.
    fileprivate func isSenior(to other: Self) -> Bool {
        if chain.count != other.chain.count { return chain.count < other.chain.count }
        if roster.signer != other.roster.signer { return roster.signer.precedes(other.roster.signer) }
        if roster.epoch != other.roster.epoch { return roster.epoch > other.roster.epoch }
        return digest.lexicographicallyPrecedes(other.digest)
    }

    /// True if this roster forbids a signer: the signer was removed, or is an admin only by the voucher of one who was.
    ///
    /// A removed seat stays removed: an admin that was promoted again counts by its new seat alone.
    func removesSigner(with chain: [Vouchers.Link]) -> Bool {
        for link in chain {
            if removedKeys.contains(link.key) { return true }
            if !link.places.isEmpty, link.places.allSatisfy({ hasRemoved($0, of: link.key) }) { return true }
            if admins[link.key] != nil { return false }
        }
        return false
    }

    /// A right that was given on a removed member's seat is removed with it, unless it moved to another seat (8.6).
    private func hasRemoved(_ place: Vouchers.Place, of key: PinnedKey) -> Bool {
        removedSeats.contains(place.admin.seat)
            || removedSeats.contains(place.seat) && admins[key] != place.admin.seat
    }
}
