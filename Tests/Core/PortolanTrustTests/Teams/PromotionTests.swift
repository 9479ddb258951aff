import Foundation
import PortolanCrypto
import PortolanValues
import SwiftProtobuf
import TestSupport
import Testing

@testable import PortolanTrust

/// Promotions of former admins: what was overruled stays so, in every order of the rosters.
@Suite(.aside) struct PromotionTests {
    /// The one outcome on devices that get the rosters in every order, also after the team was read again.
    private func outcome(_ base: TeamHeads, _ rosters: [TeamHeads.Update]) throws -> TeamHeads {
        let all = try permutations(rosters).map { order in
            var heads = base
            for update in order { _ = try heads.adopt(update, now: Workshop.now) }
            return heads
        }
        for heads in all {
            #expect(heads.team == all[0].team && heads.secret == all[0].secret)
            #expect(try TeamHeads.restored(heads.updates).team == heads.team)
        }
        return all[0]
    }

    private func permutations<Element>(_ list: [Element]) -> [[Element]] {
        guard let last = list.last else { return [[]] }
        return permutations(list.dropLast()).flatMap { order in
            (0...order.count).map { Array(order.prefix($0)) + [last] + order.dropFirst($0) }
        }
    }

    /// A team of three admins, from which the founder removes the second and promotes it again.
    private struct Scene {
        var workshop: Workshop
        let base: TeamHeads
        let promoted: TeamHeads
        var second: DeviceKey { workshop.second }

        init() throws {
            workshop = try Workshop()
            base = try workshop.foundByThree()
            var promoted = try workshop.changed(base, .remove(workshop.second.pinned))
            try workshop.change(&promoted, .add(workshop.second.pinned, name: DeviceName("ben"), groups: []))
            try workshop.change(&promoted, .promote(workshop.second.pinned))
            self.promoted = promoted
        }
    }

    @Test func whoWasTakenInByARemovedAdminStaysOut() throws {
        var scene = try Scene()
        let (theirs, more) = (scene.workshop.somebody(), scene.workshop.somebody())
        var beside = try scene.workshop.changed(
            scene.base, .add(theirs, name: DeviceName("theirs"), groups: []), by: scene.second)
        try scene.workshop.change(&beside, .add(more, name: DeviceName("more"), groups: []), by: scene.second)
        let result = try outcome(scene.base, [beside.update, scene.promoted.update])
        #expect(result.team.digest == scene.promoted.team.digest)
        #expect(!result.has(theirs) && !result.has(more) && result.team.member(scene.second.pinned)?.isAdmin == true)
        // Later rosters of the same device count, and take the former one in no more than before.
        let later = scene.workshop.somebody()
        let again = try scene.workshop.changed(
            scene.promoted, .add(later, name: DeviceName("later"), groups: []), by: scene.second)
        let second = try outcome(scene.base, [beside.update, scene.promoted.update, again.update])
        #expect(second.team.digest == again.team.digest && second.has(later) && !second.has(theirs))
    }

    @Test func whoWasRemovedByARemovedAdminStaysIn() throws {
        var scene = try Scene()
        let third = scene.workshop.third.pinned
        let beside = try scene.workshop.changed(scene.base, .remove(third), by: scene.second)
        let result = try outcome(scene.base, [beside.update, scene.promoted.update])
        #expect(result.team.digest == scene.promoted.team.digest && result.team.member(third)?.isAdmin == true)
    }

    @Test func whomARemovedAdminPromotedSignsNothing() throws {
        var scene = try Scene()
        let helper = try DeviceKey(seed: [UInt8](repeating: 4, count: 32))
        let theirs = scene.workshop.somebody()
        var beside = try scene.workshop.changed(
            scene.base, .add(helper.pinned, name: DeviceName("helper"), groups: []), by: scene.second)
        try scene.workshop.change(&beside, .promote(helper.pinned), by: scene.second)
        let upon = try scene.workshop.changed(
            beside, .add(theirs, name: DeviceName("theirs"), groups: []), by: helper)
        let result = try outcome(scene.base, [beside.update, upon.update, scene.promoted.update])
        #expect(result.team.digest == scene.promoted.team.digest && !result.has(helper.pinned) && !result.has(theirs))
    }

    @Test func rosterThatIsForgedForTheFormerSeatDoesNotCount() throws {
        let scene = try Scene()
        let key = Data(scene.second.publicKey.bytes)
        let former = try #require(
            WireRoster(serializedBytes: scene.base.heads[0].signed.bytes).members.first { $0.key == key })
        // The signer knows the team's newest roster, and leaves out of it that the former seat is removed.
        let forged = try scene.workshop.forged(scene.promoted, by: scene.second) { wire in
            wire.members = wire.members.map { $0.key == key ? former : $0 }
            wire.removals.removeAll { $0.key == key }
            let tick = WireTick.with {
                $0.admin = key
                $0.count = 1
            }
            wire.clock = (wire.clock + [tick]).sorted { $0.admin.lexicographicallyPrecedes($1.admin) }
            wire.epoch += 1
        }
        var heads = scene.promoted
        #expect(try heads.adopt(forged, now: Workshop.now) == .setAside)
        #expect(try outcome(scene.base, [forged, scene.promoted.update]).team == scene.promoted.team)
    }

    /// The remover does not know of the promotion, so its roster has the member's seat alone.
    @Test func promotionThatTheRemoverDidNotKnowGoesWithTheSeat() throws {
        var workshop = try Workshop()
        var base = try workshop.foundByThree()
        let dora = try DeviceKey(seed: [UInt8](repeating: 4, count: 32))
        try workshop.change(&base, .add(dora.pinned, name: DeviceName("dora"), groups: []))
        let promoting = try workshop.changed(base, .promote(dora.pinned), by: workshop.third)
        let theirs = workshop.somebody()
        let upon = try workshop.changed(promoting, .add(theirs, name: DeviceName("theirs"), groups: []), by: dora)
        var back = try workshop.changed(base, .remove(dora.pinned))
        try workshop.change(&back, .add(dora.pinned, name: DeviceName("dora"), groups: []))
        let result = try outcome(base, [promoting.update, upon.update, back.update])
        #expect(!result.has(theirs) && result.team.member(dora.pinned)?.isAdmin == false)
    }

    /// A member with two seats keeps the smaller, to which the right of the other moves: it was not removed.
    @Test func rightThatMovedToAnotherSeatStays() throws {
        for seed in 1...4 as ClosedRange<UInt64> {
            var workshop = try Workshop(seed: seed)
            let base = try workshop.foundByThree()
            let dora = try DeviceKey(seed: [UInt8](repeating: 4, count: 32))
            let left = try workshop.changed(base, .add(dora.pinned, name: DeviceName("dora"), groups: []))
            var right = try workshop.changed(
                base, .add(dora.pinned, name: DeviceName("dora"), groups: []), by: workshop.second)
            try workshop.change(&right, .promote(dora.pinned), by: workshop.second)
            let later = workshop.somebody()
            let upon = try workshop.changed(right, .add(later, name: DeviceName("later"), groups: []), by: dora)
            var settled = left
            try settled.meet(right)
            try workshop.change(&settled, .settle, by: workshop.third)
            let result = try outcome(base, [upon.update, settled.update])
            #expect(result.has(later) && result.team.member(dora.pinned)?.isAdmin == true)
        }
    }

    @Test func demotedAdminStaysAMemberAndSignsNothing() throws {
        var workshop = try Workshop()
        var base = try workshop.foundByThree()
        let helper = try DeviceKey(seed: [UInt8](repeating: 4, count: 32))
        let (second, design) = (workshop.second, try GroupName("design"))
        try workshop.change(&base, .addToGroup(second.pinned, design))
        try workshop.change(&base, .add(helper.pinned, name: DeviceName("helper"), groups: []), by: second)
        try workshop.change(&base, .promote(helper.pinned), by: second)
        let theirs = workshop.somebody()
        let beside = try workshop.changed(base, .add(theirs, name: DeviceName("theirs"), groups: []), by: second)
        let demoted = try workshop.changed(base, .demote(second.pinned))
        let result = try outcome(base, [beside.update, demoted.update])
        #expect(result.team.digest == demoted.team.digest && !result.has(theirs) && result.secret == base.secret)
        let member = try #require(result.team.member(second.pinned))
        #expect(!member.isAdmin && member.groups == [design] && result.removedKeys.isEmpty)
        #expect(throws: RosterChangeError.notAdmin) { try workshop.changed(demoted, .renew, by: second) }
        // The one that it promoted is an admin still, and can promote it again; nothing comes back with that.
        let again = try workshop.changed(demoted, .promote(second.pinned), by: helper)
        let last = try outcome(base, [beside.update, demoted.update, again.update])
        #expect(last.team.digest == again.team.digest && !last.has(theirs))
    }

    @Test func deviceKnowsThatItsChangeWasDropped() throws {
        let (ada, ben) = (try TeamDevice("ada"), try TeamDevice("ben"))
        let id = try ada.found("acme", with: [ben], admins: [ben])
        try ada.change(id, .remove(ben.pin))
        let changed = try ben.change(id, .addToGroup(ada.pin, GroupName("design")))
        let current = try #require(try ben.hear(id, from: ada))
        #expect(!current.includes(changed) && changed.includes(changed))
        // A change that others continue is not dropped.
        let first = try ada.change(id, .addToGroup(ada.pin, GroupName("sales")))
        #expect(try ada.change(id, .renew).includes(first))
    }
}
