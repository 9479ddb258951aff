import Foundation
import PortolanCrypto
import PortolanValues
import TestSupport
import Testing

@testable import PortolanTrust

/// Admins that remove admins; every device reaches the same team for any order of rosters.
@Suite(.aside) struct RosterOrderTests {
    /// Results on devices that start with `base` and get the rosters in every order.
    private func outcomes(_ base: TeamHeads, _ rosters: [TeamHeads.Update]) throws -> [TeamHeads] {
        try permutations(rosters).map { order in
            var heads = base
            for update in order { _ = try heads.adopt(update, now: Workshop.now) }
            return heads
        }
    }

    private func permutations<Element>(_ list: [Element]) -> [[Element]] {
        guard let last = list.last else { return [[]] }
        return permutations(list.dropLast()).flatMap { order in
            (0...order.count).map { Array(order.prefix($0)) + [last] + order.dropFirst($0) }
        }
    }

    /// The one outcome of all orders, also after the team was stored and read again.
    private func outcome(_ base: TeamHeads, _ rosters: [TeamHeads.Update]) throws -> TeamHeads {
        let all = try outcomes(base, rosters)
        for heads in all {
            #expect(heads.team == all[0].team && heads.secret == all[0].secret)
            let restored = try TeamHeads.restored(heads.updates)
            #expect(restored.team == heads.team && restored.updates.map(\.signed) == heads.updates.map(\.signed))
        }
        return all[0]
    }

    @Test func concurrentChangesByARemovedAdminAreDropped() throws {
        var workshop = try Workshop()
        let base = try workshop.foundByThree()
        let (mine, theirs) = (workshop.somebody(), workshop.somebody())
        var removing = try workshop.changed(base, .remove(workshop.second.pinned))
        try workshop.change(&removing, .add(mine, name: DeviceName("mine"), groups: []))
        let beside = try workshop.changed(
            base, .add(theirs, name: DeviceName("theirs"), groups: []), by: workshop.second)
        let result = try outcome(base, [removing.update, beside.update])
        #expect(result.team.digest == removing.team.digest && result.team.headCount == 1)
        #expect(result.has(mine) && !result.has(theirs) && !result.has(workshop.second.pinned))
        var there = beside
        #expect(try there.adopt(removing.update, now: Workshop.now) == .superseded)
        var here = removing
        #expect(try here.adopt(beside.update, now: Workshop.now) == .setAside)
        #expect(here.secret == removing.secret)
    }

    @Test func aJuniorAdminRemovesASenior() throws {
        var workshop = try Workshop()
        let base = try workshop.foundByThree()
        let theirs = workshop.somebody()
        let removing = try workshop.changed(base, .remove(workshop.founder.pinned), by: workshop.third)
        let beside = try workshop.changed(base, .add(theirs, name: DeviceName("theirs"), groups: []))
        let result = try outcome(base, [removing.update, beside.update])
        #expect(result.team.digest == removing.team.digest && !result.has(theirs))
    }

    @Test func seniorOfTwoMutuallyRemovingAdminsStays() throws {
        var workshop = try Workshop()
        let base = try workshop.foundByThree()
        let (founder, second, third) = (workshop.founder, workshop.second, workshop.third)
        let byFounder = try workshop.changed(base, .remove(second.pinned))
        let bySecond = try workshop.changed(base, .remove(founder.pinned), by: second)
        let result = try outcome(base, [byFounder.update, bySecond.update])
        #expect(result.team.digest == byFounder.team.digest && result.has(founder.pinned) && !result.has(second.pinned))

        // At equal distance from the founder, the smaller key stays.
        let pair = [second, third].sorted { $0.pinned.precedes($1.pinned) }
        let (senior, junior) = (pair[0], pair[1])
        let bySenior = try workshop.changed(base, .remove(junior.pinned), by: senior)
        let byJunior = try workshop.changed(base, .remove(senior.pinned), by: junior)
        #expect(
            try outcome(base, [bySenior.update, byJunior.update]).team.digest == bySenior.team.digest)
    }

    @Test func promotedAdminIsJuniorToItsPromoter() throws {
        // The result does not depend on the keys: the removed admin is tried with the smaller and with the greater one.
        for swapped in [false, true] {
            var workshop = try Workshop()
            let keys = [workshop.second, workshop.third]
            let (senior, junior) = swapped ? (keys[1], keys[0]) : (keys[0], keys[1])
            var base = try workshop.found()
            try workshop.change(&base, .add(senior.pinned, name: DeviceName("senior"), groups: []))
            try workshop.change(&base, .promote(senior.pinned))
            try workshop.change(&base, .add(junior.pinned, name: DeviceName("junior"), groups: []), by: senior)
            try workshop.change(&base, .promote(junior.pinned), by: senior)
            let bySenior = try workshop.changed(base, .remove(junior.pinned), by: senior)
            let byJunior = try workshop.changed(base, .remove(senior.pinned), by: junior)
            let result = try outcome(base, [bySenior.update, byJunior.update])
            #expect(result.team.digest == bySenior.team.digest)
        }
    }

    @Test func changesAdoptedByAThirdAdminStay() throws {
        var workshop = try Workshop()
        let base = try workshop.foundByThree()
        let (theirs, later) = (workshop.somebody(), workshop.somebody())
        let removing = try workshop.changed(base, .remove(workshop.second.pinned))
        let beside = try workshop.changed(
            base, .add(theirs, name: DeviceName("theirs"), groups: []), by: workshop.second)
        let taken = try workshop.changed(
            beside, .add(later, name: DeviceName("later"), groups: []), by: workshop.third)
        let result = try outcome(base, [removing.update, beside.update, taken.update])
        #expect(result.team.headCount == 2 && result.has(theirs) && result.has(later))
        #expect(!result.has(workshop.second.pinned))
    }

    @Test func changesBeforeARemovedAdminsAreKept() throws {
        var workshop = try Workshop()
        let base = try workshop.foundByThree()
        let (mine, theirs) = (workshop.somebody(), workshop.somebody())
        let first = try workshop.changed(base, .add(mine, name: DeviceName("mine"), groups: []))
        let upon = try workshop.changed(
            first, .add(theirs, name: DeviceName("theirs"), groups: []), by: workshop.second)
        let removing = try workshop.changed(base, .remove(workshop.second.pinned), by: workshop.third)
        let result = try outcome(base, [first.update, upon.update, removing.update])
        #expect(result.has(mine) && !result.has(theirs) && result.team.headCount == 2)
        // A device that never received the first roster gets it from one that has it.
        var behind = try TeamHeads.restored([upon.update, removing.update])
        #expect(!behind.has(mine))
        try behind.meet(result)
        #expect(behind.team == result.team)
    }

    @Test func removalByARemovedAdminIsDropped() throws {
        var workshop = try Workshop()
        let base = try workshop.foundByThree()
        let theirs = workshop.somebody()
        let removing = try workshop.changed(base, .remove(workshop.second.pinned))
        let removed = try workshop.changed(base, .remove(workshop.third.pinned), by: workshop.second)
        let beside = try workshop.changed(
            base, .add(theirs, name: DeviceName("theirs"), groups: []), by: workshop.third)
        let result = try outcome(base, [removing.update, removed.update, beside.update])
        #expect(result.has(theirs) && result.has(workshop.third.pinned) && !result.has(workshop.second.pinned))
    }

    @Test func readmittedAdminCanSign() throws {
        var workshop = try Workshop()
        let base = try workshop.foundByThree()
        let second = workshop.second
        let removed = try workshop.changed(base, .remove(second.pinned))
        var back = try workshop.changed(
            removed, .add(second.pinned, name: DeviceName("ben"), groups: []), by: workshop.third)
        try workshop.change(&back, .promote(second.pinned), by: workshop.third)
        let again = try workshop.changed(back, .renew, by: second)
        let result = try outcome(base, [removed.update, back.update, again.update])
        #expect(result.team.digest == again.team.digest)
    }

    @Test func adminsOfTwoSeatsCanBeSettled() throws {
        var workshop = try Workshop()
        let base = try workshop.foundByThree()
        let key = try DeviceKey(seed: [UInt8](repeating: 4, count: 32)).pinned
        var left = try workshop.changed(base, .add(key, name: DeviceName("eve"), groups: []))
        var right = try workshop.changed(base, .add(key, name: DeviceName("eve"), groups: []), by: workshop.second)
        try workshop.change(&left, .promote(key))
        try workshop.change(&right, .promote(key), by: workshop.second)
        var both = left
        try both.meet(right)
        try workshop.change(&both, .settle, by: workshop.third)
        #expect(both.team.member(key)?.isAdmin == true)
        for side in [(left, workshop.founder), (right, workshop.second)] {
            var removing = try workshop.changed(side.0, .remove(key), by: side.1)
            try removing.meet(both)
            // The first side has removed its seat, or the other side's seat is the one that stays. The merge can be
            // signed in both cases.
            try workshop.change(&removing, .settle, by: side.1)
            #expect(try TeamHeads.joining(removing.updates, now: Workshop.now).team == removing.team)
        }
    }

    @Test(
        "devices that receive the same rosters in any order have the same team",
        arguments: 1...40 as ClosedRange<UInt64>)
    func orderOfRostersDoesNotMatter(seed: UInt64) throws {
        var history = try Struggle(seed: seed)
        try history.run(steps: 14)
        let rosters = history.rosters
        var teams: [TeamHeads] = []
        for _ in 0..<6 {
            var heads = history.base
            for update in rosters.shuffled(using: &history.workshop.random) {
                _ = try heads.adopt(update, now: Workshop.now)
            }
            teams.append(heads)
        }
        for heads in teams {
            #expect(heads.team == teams[0].team && heads.secret == teams[0].secret)
            #expect(heads.updates.map(\.signed) == teams[0].updates.map(\.signed))
        }
        // A remaining admin keeps all members that it added and no other admin removed; no removed member returns.
        let team = teams[0].team
        for (key, admin) in history.added where team.member(admin)?.isAdmin == true && !history.removed.contains(key) {
            #expect(team.member(key) != nil)
        }
        for (key, admin) in history.removedBy where team.member(admin)?.isAdmin == true {
            #expect(team.member(key) == nil)
        }
    }

    @Test("devices that exchange rosters reach the same team", arguments: 1...40 as ClosedRange<UInt64>)
    func devicesThatMeetAgree(seed: UInt64) throws {
        var history = try Struggle(seed: seed)
        try history.run(steps: 14)
        for _ in 0..<3 {
            for (one, other) in [(0, 1), (1, 2), (2, 0), (0, 2), (2, 1), (1, 0)]
            where history.devices[one].team.digest != history.devices[other].team.digest {
                try history.devices[one].meet(history.devices[other])
            }
        }
        for device in history.devices { #expect(device.team == history.devices[0].team) }
    }
}

/// Three admins, of whom the second promoted the last; they add and remove devices and each other, and exchange rosters
/// at random.
private struct Struggle {
    var workshop: Workshop
    let base: TeamHeads
    let admins: [DeviceKey]
    var devices: [TeamHeads]
    private(set) var rosters: [TeamHeads.Update] = []
    private(set) var added: [PinnedKey: PinnedKey] = [:]
    private(set) var removedBy: [PinnedKey: PinnedKey] = [:]

    var removed: Set<PinnedKey> { Set(removedBy.keys) }

    init(seed: UInt64) throws {
        workshop = try Workshop(seed: seed)
        admins = [workshop.founder, workshop.second, workshop.third]
        var base = try workshop.found()
        for (place, name) in [(1, "ben"), (2, "cleo")] {
            let by = admins[seed.isMultiple(of: 2) ? 0 : place - 1]
            try workshop.change(&base, .add(admins[place].pinned, name: DeviceName(name), groups: []), by: by)
            try workshop.change(&base, .promote(admins[place].pinned), by: by)
        }
        self.base = base
        devices = [base, base, base]
    }

    mutating func run(steps: Int) throws {
        for _ in 0..<steps {
            let place = Int.random(in: 0..<3, using: &workshop.random)
            if Int.random(in: 0..<4, using: &workshop.random) == 0 {
                try devices[place].meet(devices[(place + 1) % 3])
            } else if devices[place].team.member(admins[place].pinned)?.isAdmin == true {
                try change(at: place)
                rosters.append(devices[place].update)
            }
        }
    }

    private mutating func change(at place: Int) throws {
        let (team, own) = (devices[place].team, admins[place].pinned)
        let others = team.members.map(\.key).filter { $0 != own }
        let change: RosterChange
        switch (Int.random(in: 0..<8, using: &workshop.random), others.randomElement(using: &workshop.random)) {
        case (0...2, _), (_, nil):
            let key = workshop.somebody()
            added[key] = own
            change = .add(key, name: try DeviceName("device \(added.count)"), groups: [try GroupName("design")])
        case (3, let key?) where added[key] != nil:
            removedBy[key] = own
            change = .remove(key)
        case (4, _), (3, _):
            // Another admin, if there is one.
            let rivals = admins.map(\.pinned).filter { $0 != own && others.contains($0) }
            change = rivals.randomElement(using: &workshop.random).map { .remove($0) } ?? .renew
        case (5, let key?) where team.member(key)?.isAdmin == false: change = .promote(key)
        case (6, let key?) where team.member(key)?.groups.isEmpty == true:
            change = .addToGroup(key, try GroupName("sales"))
        default: change = .settle
        }
        try workshop.change(&devices[place], change, by: admins[place])
    }
}
