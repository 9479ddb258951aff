import Foundation
import PortolanCrypto
import PortolanValues
import TestSupport
import Testing

@testable import PortolanTrust

/// Concurrent changes of a team by two admins, none of which is lost.
@Suite(.aside) struct RosterForkTests {
    @Test func mergeHasAdditionsAndRemovalsOfBothSides() throws {
        var workshop = try Workshop()
        var base = try workshop.foundByThree()
        let (leaving, moving, one, two) = (
            workshop.somebody(), workshop.somebody(), workshop.somebody(), workshop.somebody()
        )
        let (design, sales) = (try GroupName("design"), try GroupName("sales"))
        try workshop.change(&base, .add(leaving, name: DeviceName("leaving"), groups: []))
        try workshop.change(&base, .add(moving, name: DeviceName("moving"), groups: [design]))
        var left = try workshop.changed(base, .add(one, name: DeviceName("one"), groups: []))
        try workshop.change(&left, .removeFromGroup(moving, design))
        try workshop.change(&left, .promote(moving))
        var right = try workshop.changed(base, .remove(leaving), by: workshop.second)
        try workshop.change(&right, .add(two, name: DeviceName("two"), groups: [sales]), by: workshop.second)
        try workshop.change(&right, .addToGroup(moving, sales), by: workshop.second)

        var here = left
        #expect(try here.adopt(right.update, now: Workshop.now) == .forked)
        var there = right
        #expect(try there.adopt(left.update, now: Workshop.now) == .forked)
        #expect(here.team == there.team && here.team.headCount == 2 && here.secret == there.secret)

        // An admin that has both rosters merges them; the others replace theirs by the result.
        var settled = here
        try workshop.change(&settled, .settle, by: workshop.third)
        #expect(try there.adopt(settled.update, now: Workshop.now) == .superseded)
        #expect(there.team.digest == settled.team.digest)
        for team in [here.team, settled.team] {
            #expect(team.member(leaving) == nil)
            #expect(team.member(one) != nil && team.member(two)?.groups == [sales])
            #expect(team.member(moving)?.groups == [sales] && team.member(moving)?.isAdmin == true)
        }
        #expect(try settled.adopt(left.update, now: Workshop.now) == .ignored)
        #expect(try settled.adopt(right.update, now: Workshop.now) == .ignored)
    }

    @Test func keyAddedByBothSidesIsOneMember() throws {
        var workshop = try Workshop()
        let base = try workshop.foundByThree()
        let key = workshop.somebody()
        let groups = try ["design", "sales", "Design"].map { text throws in try GroupName(text) }
        let left = try workshop.changed(base, .add(key, name: DeviceName("eve"), groups: [groups[0]]))
        var right = try workshop.changed(
            base, .add(key, name: DeviceName("eve"), groups: [groups[1], groups[2]]), by: workshop.second)
        try workshop.change(&right, .promote(key), by: workshop.second)
        var both = left
        try both.meet(right)
        #expect(both.team.members.filter { $0.key == key }.count == 1)
        #expect(both.team.member(key)?.groups == [groups[0], groups[1]] && both.team.member(key)?.isAdmin == true)
        try workshop.change(&both, .settle)
        #expect(both.team.member(key)?.groups == [groups[0], groups[1]] && both.team.member(key)?.isAdmin == true)
        // A single removal is enough from here on, also against holders of earlier rosters.
        try workshop.change(&both, .remove(key))
        #expect(try both.adopt(left.update, now: Workshop.now) == .ignored)
        #expect(!both.has(key))
    }

    @Test func removalPrevailsOverChangesOfTheMember() throws {
        var workshop = try Workshop()
        var base = try workshop.foundByThree()
        let key = workshop.somebody()
        try workshop.change(&base, .add(key, name: DeviceName("eve"), groups: []))
        let left = try workshop.changed(base, .remove(key))
        var right = try workshop.changed(base, .promote(key), by: workshop.second)
        try workshop.change(&right, .addToGroup(key, GroupName("design")), by: workshop.second)
        try workshop.change(&right, .rename(key, DeviceName("eva")), by: workshop.second)
        var both = right
        try both.meet(left)
        #expect(!both.has(key))
        try workshop.change(&both, .settle, by: workshop.third)
        #expect(!both.has(key))
    }

    @Test func removedMembersCannotHaveTheSecretOfAFork() throws {
        var workshop = try Workshop()
        var base = try workshop.foundByThree()
        let (one, two) = (workshop.somebody(), workshop.somebody())
        try workshop.change(&base, .add(one, name: DeviceName("one"), groups: []))
        try workshop.change(&base, .add(two, name: DeviceName("two"), groups: []))
        let left = try workshop.changed(base, .remove(one))
        let right = try workshop.changed(base, .remove(two), by: workshop.second)
        var both = left
        try both.meet(right)
        let known = [base.secret, left.secret, right.secret]
        #expect(!known.contains(both.secret))
        let parts = try [right, left].map { try #require($0.secret) }
        #expect(both.secret == .combined(parts, label: "portolan/1 merged secret"))
        var settled = both
        try workshop.change(&settled, .settle)
        #expect(!(known + [both.secret]).contains(settled.secret))
        // Without a removal the secret stays the same: there is nobody to keep out.
        var renewed = try workshop.changed(base, .renew)
        try renewed.meet(workshop.changed(base, .renew, by: workshop.second))
        #expect(renewed.team.headCount == 2 && renewed.secret == base.secret)
        try workshop.change(&renewed, .settle)
        #expect(renewed.secret == base.secret)
    }

    @Test func adminKeyOnTwoMachinesLosesNoChange() throws {
        var workshop = try Workshop()
        let base = try workshop.found()
        let (one, two) = (workshop.somebody(), workshop.somebody())
        var here = try workshop.changed(base, .add(one, name: DeviceName("one"), groups: []))
        let there = try workshop.changed(base, .add(two, name: DeviceName("two"), groups: []))
        #expect(try here.adopt(there.update, now: Workshop.now) == .forked)
        #expect(here.has(one) && here.has(two))
    }

    @Test func adminWithTheSmallestKeySettlesFirst() throws {
        var workshop = try Workshop()
        let base = try workshop.foundByThree()
        var both = try workshop.changed(base, .renew)
        try both.meet(workshop.changed(base, .renew, by: workshop.second))
        let signers = [workshop.founder, workshop.second].sorted { $0.pinned.precedes($1.pinned) }
        #expect(both.upkeep(by: signers[0].publicKey, now: Workshop.now) == .settle)
        for other in [signers[1], workshop.third] {
            #expect(both.upkeep(by: other.publicKey, now: Workshop.now + 3599) == nil)
            #expect(both.upkeep(by: other.publicKey, now: Workshop.now + 3600) == .settle)
        }
    }

    @Test func numberOfHeadsIsLimitedToEight() throws {
        var workshop = try Workshop()
        var base = try workshop.found()
        var admins: [DeviceKey] = []
        for number in 0..<9 {
            let key = try DeviceKey(seed: [UInt8](repeating: UInt8(100 + number), count: 32))
            admins.append(key)
            try workshop.change(&base, .add(key.pinned, name: DeviceName("admin \(number)"), groups: []))
            try workshop.change(&base, .promote(key.pinned))
        }
        var all = try workshop.changed(base, .renew, by: admins[0])
        for admin in admins[1..<8] { try all.meet(workshop.changed(base, .renew, by: admin)) }
        #expect(all.team.headCount == 8)
        let ninth = try workshop.changed(base, .renew, by: admins[8])
        #expect(
            refusal { () throws(RosterError) in _ = try all.adopt(ninth.update, now: Workshop.now) } == .tooManyHeads)
        #expect(all.team.headCount == 8)
        try workshop.change(&all, .settle, by: admins[3])
        #expect(try all.adopt(ninth.update, now: Workshop.now) == .forked)
    }

    @Test("merging is commutative, associative and idempotent", arguments: 1...12 as ClosedRange<UInt64>)
    func mergingIsCommutative(seed: UInt64) throws {
        var history = try History(seed: seed)
        try history.run(steps: 40)
        let merges = history.rosters.map { RosterMerge($0.roster, digest: $0.digest) }
        func together(_ one: RosterMerge, _ other: RosterMerge) -> RosterMerge {
            var one = one
            one.merge(other)
            return one
        }
        for _ in 0..<20 {
            let (a, b, c) = (
                merges.randomElement(using: &history.workshop.random)!,
                merges.randomElement(using: &history.workshop.random)!,
                merges.randomElement(using: &history.workshop.random)!
            )
            #expect(together(a, b) == together(b, a))
            #expect(together(together(a, b), c) == together(a, together(b, c)))
            #expect(together(a, a) == a && together(together(a, b), b) == together(a, b))
        }
        var orders = Set<[RosterMember]>()
        for _ in 0..<4 {
            let shuffled = merges.shuffled(using: &history.workshop.random)
            let draft = RosterDraft(shuffled.dropFirst().reduce(shuffled[0], together))
            var copy = draft
            orders.insert(
                copy.roster(by: history.workshop.founder.pinned, now: Workshop.now, secretCommitment: []).members)
        }
        #expect(orders.count == 1)
    }

    @Test("devices that meet often enough agree, and nothing is lost", arguments: 1...12 as ClosedRange<UInt64>)
    func agreement(seed: UInt64) throws {
        var history = try History(seed: seed)
        try history.run(steps: 60)
        try history.settle()
        let teams = history.devices.map(\.team)
        for team in teams {
            #expect(team.digest == teams[0].digest && team.headCount == 1)
            #expect(Set(team.members.map(\.key)) == history.expected)
        }
    }
}

/// Three admins, each with a device, who add and remove members and exchange rosters at random.
private struct History {
    var workshop: Workshop
    let admins: [DeviceKey]
    var devices: [TeamHeads]
    private(set) var rosters: [TeamHeads.Head]
    private var added: Set<PinnedKey> = []
    private var removed: Set<PinnedKey> = []

    /// Expected members at the end.
    var expected: Set<PinnedKey> { added.subtracting(removed).union(admins.map(\.pinned)) }

    init(seed: UInt64) throws {
        workshop = try Workshop(seed: seed)
        admins = [workshop.founder, workshop.second, workshop.third]
        let base = try workshop.foundByThree()
        devices = [base, base, base]
        rosters = base.heads
    }

    mutating func run(steps: Int) throws {
        for _ in 0..<steps {
            let place = Int.random(in: 0..<3, using: &workshop.random)
            if Int.random(in: 0..<3, using: &workshop.random) == 0 {
                try devices[place].meet(devices[(place + 1) % 3])
            } else {
                try change(at: place)
                rosters += devices[place].heads
            }
        }
    }

    private mutating func change(at place: Int) throws {
        let others = devices[place].team.members.map(\.key).filter { key in !admins.contains { $0.pinned == key } }
        let group = try GroupName(["design", "Design", "sales"].randomElement(using: &workshop.random)!)
        let existing = others.randomElement(using: &workshop.random)
        let choice = Int.random(in: 0..<8, using: &workshop.random)
        let change: RosterChange
        switch (choice, existing) {
        case (0...2, _), (_, nil):
            let key = workshop.somebody()
            added.insert(key)
            change = .add(key, name: try DeviceName("device \(added.count)"), groups: [group])
        case (3, let key?):
            removed.insert(key)
            change = .remove(key)
        case (4, let key?) where devices[place].team.member(key)?.groups.contains(group) == true:
            change = .removeFromGroup(key, group)
        case (4, let key?): change = .addToGroup(key, group)
        case (5, let key?) where devices[place].team.member(key)?.isAdmin == false: change = .promote(key)
        case (6, let key?):
            change = .rename(
                key, try DeviceName("renamed \(UInt32.random(in: 0...9_999_999, using: &workshop.random))"))
        default: change = .settle
        }
        try workshop.change(&devices[place], change, by: admins[place])
    }

    /// Lets all devices exchange rosters, and settles forks where a device should.
    mutating func settle() throws {
        for round in 0..<6 {
            for (one, other) in [(0, 1), (1, 2), (2, 0), (0, 2), (2, 1), (1, 0)] {
                try devices[one].meet(devices[other])
            }
            let now = Workshop.now + Double(round)
            for place in 0..<3 where devices[place].upkeep(by: admins[place].publicKey, now: now) == .settle {
                try workshop.change(&devices[place], .settle, by: admins[place], now: Workshop.now)
            }
        }
    }
}
