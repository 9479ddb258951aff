import Foundation
import PortolanCrypto
import PortolanValues
import Testing

@testable import PortolanTrust

/// Members that leave a team by a statement of their own.
@Suite struct LeavingTests {
    /// The statement of a device about its present seat.
    private func statement(_ key: DeviceKey, in heads: TeamHeads, signedBy signer: DeviceKey? = nil) throws -> [UInt8] {
        let seat = try #require(heads.draft.seat(of: key.pinned))
        return key.pinned.bytes + Leaving(seat, of: heads.id, by: signer ?? key).bytes.dropFirst(32)
    }

    /// The team with statements; nil if nothing of them is taken.
    private func taking(_ statements: [UInt8]..., in heads: TeamHeads) -> TeamHeads? {
        var next = heads
        return next.take(statements) ? next : nil
    }

    @Test("a member that has left is none at once, and the digest tells it to the other devices")
    func left() throws {
        var workshop = try Workshop()
        let before = try workshop.foundByThree()
        let second = try statement(workshop.second, in: before)
        let third = try statement(workshop.third, in: before)
        let heads = try #require(taking(second, in: before))
        #expect(heads.team.members.map(\.name.text) == ["ada", "cleo"])
        #expect(heads.removedKeys == [workshop.second.pinned])
        #expect(heads.team.digest != before.team.digest)
        #expect(taking(second, in: heads) == nil)
        // The order in which statements come makes no difference.
        #expect(taking(third, in: heads)?.team.digest == taking(third, second, in: before)?.team.digest)
    }

    @Test("a statement of leaving counts only from the member itself, for its team, and in the exact length")
    func forged() throws {
        var workshop = try Workshop()
        let heads = try workshop.foundByThree()
        #expect(try taking(statement(workshop.second, in: heads, signedBy: workshop.third), in: heads) == nil)
        let seat = try #require(heads.draft.seat(of: workshop.second.pinned))
        let elsewhere = try #require(TeamID(bytes: [UInt8](repeating: 7, count: 16)))
        #expect(taking(Leaving(seat, of: elsewhere, by: workshop.second).bytes, in: heads) == nil)
        // A valid signature, of a seat that is another member's.
        #expect(taking(Leaving(seat, of: heads.id, by: workshop.third).bytes, in: heads) == nil)
        let whole = try statement(workshop.second, in: heads)
        #expect(taking(Array(whole.dropLast()), whole + [0], [], in: heads) == nil)
        #expect(taking(whole, in: heads) != nil)
    }

    @Test("a statement of a former seat says nothing about a member that joined anew")
    func replayed() throws {
        var workshop = try Workshop()
        let before = try workshop.foundByThree()
        let old = try statement(workshop.second, in: before)
        var heads = try #require(taking(old, in: before))
        try workshop.change(
            &heads, .add(workshop.second.pinned, name: DeviceName("ben"), groups: []), by: workshop.founder)
        #expect(heads.leavings.isEmpty)
        #expect(heads.team.members.count == 3)
        #expect(taking(old, in: heads) == nil)
        #expect(heads.team.member(workshop.second.pinned) != nil)
    }

    @Test("an admin's device signs it at once, with a new secret; every admin's next roster has it")
    func signed() throws {
        var workshop = try Workshop()
        let before = try workshop.foundByThree()
        let heads = try #require(taking(statement(workshop.second, in: before), in: before))
        let due = [workshop.founder, workshop.second, workshop.third].filter {
            heads.upkeep(by: $0.publicKey, now: Workshop.now) != nil
        }
        let first = try #require([workshop.founder, workshop.third].min { $0.pinned.precedes($1.pinned) })
        #expect(due.map(\.pinned) == [first.pinned])
        for admin in [workshop.founder, workshop.third] {
            let after = try workshop.changed(heads, .renew, by: admin)
            #expect(after.heads[0].removedKeys == [workshop.second.pinned])
            #expect(after.leavings.isEmpty)
            #expect(after.secret != before.secret)
            #expect(after.upkeep(by: admin.publicKey, now: Workshop.now) == nil)
        }
        // The device that has left signs nothing more.
        #expect(throws: RosterChangeError.self) { try workshop.changed(heads, .renew, by: workshop.second) }
    }

    @Test("the statement outlives the process, is passed on by a member that is no admin, and gives nothing")
    func stored() throws {
        let (ada, ben, cleo) = (try TeamDevice("ada"), try TeamDevice("ben"), try TeamDevice("cleo"))
        let id = try ada.found("acme", with: [ben, cleo])
        try ben.hear(id, from: ada)
        let leaving = try ben.teams.sayLeaving(id, by: ben.identity)
        #expect(!leaving.isRemoved)
        #expect(leaving.team.member(ben.pin) == nil)
        func tell(_ device: TeamDevice, _ other: TeamDevice) throws {
            let known = try #require(try other.team(id))
            _ = try device.teams.adopt(
                id, known.updates, leavings: known.leavings, own: device.identity, now: .noon)
        }
        try tell(cleo, ben)
        #expect(try ben.teams.leave(id))
        // Another store reads the file anew.
        let again = try #require(try TeamStore(home: cleo.temporary.home, own: cleo.key).all().first)
        #expect(again.leavings == leaving.leavings)
        #expect(again.team.members.map(\.name.text) == ["ada", "cleo"])
        try tell(ada, cleo)
        let settled = try #require(try ada.team(id))
        #expect(settled.leavings.isEmpty)
        #expect(settled.removedKeys == [ben.pin])
        try tell(cleo, ada)
        #expect(try cleo.team(id)?.team.digest == settled.team.digest)
    }
}
