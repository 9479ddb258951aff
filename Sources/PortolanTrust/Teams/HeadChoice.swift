/// Which of the rosters that were received count, when some of them remove the admins who signed others.
///
/// The result follows from the set of rosters alone, whatever the order in which they came. A roster whose signer is removed by
/// one that stays does not stay. Where two remove each other's signers, the senior's stays.
struct HeadChoice {
    private let rosters: [TeamHeads.Head]
    /// `removes[a][b]`: by `a`, the signer of `b` may not sign.
    private let removes: [[Bool]]
    private let supersedes: [[Bool]]
    private var undecided: Set<Int>
    private var kept: Set<Int> = []

    /// - Parameter rosters: of one team, each once.
    init(among rosters: [TeamHeads.Head]) {
        // By seniority, so that the smaller index is the senior's.
        let rosters = rosters.sorted { $0.isSenior(to: $1) }
        self.rosters = rosters
        removes = rosters.map { one in rosters.map { one.removesSigner(with: $0.chain) } }
        supersedes = rosters.map { one in rosters.map { one.roster.supersedes($0.roster) } }
        undecided = Set(rosters.indices)
        while !undecided.isEmpty { decide() }
    }

    /// Those that stay and that no other one supersedes that stays.
    var heads: [TeamHeads.Head] {
        kept.sorted().filter { !isSuperseded($0) }.map { rosters[$0] }
    }

    /// Those that stay, but are superseded; the senior signers' first.
    var beneath: [TeamHeads.Head] { kept.sorted().filter(isSuperseded).map { rosters[$0] } }

    /// Those that do not stay; the senior signers' first.
    var dropped: [TeamHeads.Head] { rosters.indices.filter { !kept.contains($0) }.map { rosters[$0] } }

    private func isSuperseded(_ index: Int) -> Bool { kept.contains { supersedes[$0][index] } }

    /// Settles at least one more.
    private mutating func decide() {
        let dropped = undecided.filter { index in kept.contains { removes[$0][index] && isFinal($0) } }
        undecided.subtract(dropped)
        let free = undecided.filter { index in
            !undecided.contains { removes[$0][index] } && !isOpposed(index)
        }
        keep(free)
        guard dropped.isEmpty, free.isEmpty else { return }
        // Those left remove one another in a circle, or wait for such a circle.
        let unopposed = undecided.filter { !isOpposed($0) }
        let first = unopposed.filter { index in
            reached(backwards: true, from: index).isSubset(of: reached(backwards: false, from: index))
        }
        // Empty only if `unopposed` is: who cannot go on to reach another one is reached by nobody else.
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

    /// Whether one that stays, and that no other one supersedes that stays, removes the signer.
    private func isOpposed(_ index: Int) -> Bool { kept.contains { removes[$0][index] && !isSuperseded($0) } }

    /// Whether no later roster can come to stand in this one's place, except those that it forbids itself.
    private func isFinal(_ index: Int) -> Bool {
        !isSuperseded(index) && !undecided.contains { supersedes[$0][index] && !removes[index][$0] }
    }

    /// Whom one removes, and those whom they remove, and so on; or backwards.
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
    /// The shorter way to the founder is senior, then the smaller key; of one signer's rosters the later one comes first.
    fileprivate func isSenior(to other: Self) -> Bool {
        if chain.count != other.chain.count { return chain.count < other.chain.count }
        if roster.signer != other.roster.signer { return roster.signer.precedes(other.roster.signer) }
        if roster.epoch != other.roster.epoch { return roster.epoch > other.roster.epoch }
        return digest.lexicographicallyPrecedes(other.digest)
    }

    /// Whether, by this roster, a signer may not sign: it was removed, or is an admin only by the word of one who was.
    func removesSigner(with chain: [Vouchers.Link]) -> Bool {
        for link in chain {
            if removedKeys.contains(link.key) { return true }
            if admins.contains(link.key) { return false }
            if let seat = link.seat, removedSeats.contains(seat) { return true }
        }
        return false
    }
}
