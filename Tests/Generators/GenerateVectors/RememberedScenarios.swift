import PortolanCrypto

/// Nine rosters, of which eight are kept: the most junior one is dropped.
func rememberedScenarios(_ cast: Cast) -> [Scenario] {
    let signer = cast.others[3]
    let member = cast.admin(signer, "signer", seat: 0x13, by: cast.ada)
    // The rosters have one key on several machines: none of them supersedes another.
    func byOne(_ counts: (Int) -> (UInt64, UInt64)) -> [HandRoster] {
        (0..<8).map { number in
            var roster = cast.first()
            roster.signer = signer
            roster.clock = [(cast.ada, counts(number).0), (signer, counts(number).1)]
            roster.members.append(member)
            return roster
        }
    }
    func forgetting(
        _ name: String, _ rosters: [HandRoster], removing members: [HandRoster.Member], _ forgotten: [UInt8],
        _ comment: String
    ) -> Scenario {
        var head = cast.first()
        head.clock = [(cast.ada, 40)]
        head.removals = members.map { .init(seat: $0.seat, key: $0.key, admin: $0.admin) }
        head.secret = fixedBytes(2)
        return headsScenario(
            "remembered-" + name, held: rosters, given: [(head, "superseded")], [head],
            remembered: [head] + rosters.filter { $0.bytes != forgotten }, comment)
    }
    let epochs = byOne { (UInt64(1 + $0), UInt64(20 - 2 * $0)) }
    let digests = byOne { (UInt64(1 + $0), UInt64(20 - $0)) }
    let last = digests.max { sha256([$0.bytes]).lexicographicallyPrecedes(sha256([$1.bytes])) }!

    // The later in the order of keys, the greater the epoch.
    let keys = sideBySide(cast, cast.others)
    let admins = Array(keys[0].members[1...8])
    // The first in the order of keys has the longer chain.
    let longer = cast.admin(cast.others[0], "admin 0", seat: 0x10, by: cast.others[1])
    let chains = sideBySide(cast, cast.others).map { roster in
        var roster = roster
        roster.members[1] = longer
        return roster
    }
    return [
        forgetting(
            "epoch", epochs, removing: [member], epochs[7].bytes,
            "Eight rosters of one removed signer: that of the smallest epoch is forgotten."),
        forgetting(
            "digest", digests, removing: [member], last.bytes,
            "The same with equal epochs: that of the greatest SHA-256 is forgotten."),
        forgetting(
            "key", keys, removing: admins, keys[7].bytes,
            "Eight rosters of eight removed signers: that of the greatest key is forgotten, though its epoch is the greatest."
        ),
        forgetting(
            "chain", chains, removing: [longer] + admins.dropFirst(), chains[0].bytes,
            "The same; that of the longest chain is forgotten, though its key is the smallest."),
    ]
}

/// Choice of the later of two rosters that differ in one seat.
func laterScenarios(_ cast: Cast) -> [Scenario] {
    func renaming(by signer: DeviceKey, _ clock: [(admin: DeviceKey, count: UInt64)], to name: String) -> HandRoster {
        var roster = cast.third()
        roster.signer = signer
        roster.clock = clock
        roster.members[3].name = name
        return roster
    }
    func scenario(_ name: String, _ one: HandRoster, _ other: HandRoster, _ epoch: UInt64, _ comment: String)
        -> Scenario
    {
        let later =
            one.epoch != other.epoch
            ? (one.epoch > other.epoch ? one : other)
            : sha256([other.bytes]).lexicographicallyPrecedes(sha256([one.bytes])) ? one : other
        return headsScenario(
            "later-" + name, held: [one], given: [(other, "forked")], heads: [one, other], members: later.view,
            secret: one.secret, epoch: epoch, comment)
    }
    let adaOnce = renaming(by: cast.ada, [(cast.ada, 8)], to: "north")
    let adaTwice = renaming(by: cast.ada, [(cast.ada, 9)], to: "north")
    let benOnce = renaming(by: cast.ben, [(cast.ada, 7), (cast.ben, 1)], to: "south")
    let benTwice = renaming(by: cast.ben, [(cast.ada, 7), (cast.ben, 2)], to: "south")
    return [
        scenario(
            "epoch", adaTwice, benOnce, 10,
            "Both rename one member: the name in the roster of the greater epoch stands."),
        scenario("epoch-of-the-other", adaOnce, benTwice, 10, "The same; the other one has the greater epoch."),
        scenario("digest", adaOnce, benOnce, 9, "The same with equal epochs: the greater SHA-256 decides."),
        scenario(
            "digest-of-the-other", adaOnce, renaming(by: cast.ben, benOnce.clock, to: "east"), 9,
            "The same with another name, which makes another SHA-256."),
    ]
}
