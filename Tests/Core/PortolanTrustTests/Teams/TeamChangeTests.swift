import Foundation
import PortolanCrypto
import PortolanValues
import SwiftProtobuf
import TestSupport
import Testing

@testable import PortolanTrust

/// Changes of a team by an admin, one after the other.
@Suite(.aside) struct TeamChangeTests {
    @Test func aNewTeamHasItsFounderAsAdminAndHoldsFor90Days() throws {
        var workshop = try Workshop()
        let heads = try workshop.found()
        let team = heads.team
        #expect(team.name.text == "acme" && team.epoch == 1 && team.headCount == 1 && team.id == heads.id)
        #expect(team.members.map(\.name.text) == ["ada"] && team.members[0].isAdmin)
        #expect(team.expires == team.issued + 90 * 86_400)
        #expect(heads.secret?.count == 32)
    }

    @Test func membersAreAddedChangedAndRemoved() throws {
        var workshop = try Workshop()
        var heads = try workshop.found()
        let key = workshop.somebody()
        let design = try GroupName("design")
        try workshop.change(&heads, .add(key, name: DeviceName("Ben"), groups: [design, GroupName("Design")]))
        #expect(heads.team.member(key)?.groups == [design] && heads.team.member(key)?.isAdmin == false)
        try workshop.change(&heads, .addToGroup(key, GroupName("sales")))
        #expect(heads.team.groups.map(\.text) == ["design", "sales"])
        try workshop.change(&heads, .removeFromGroup(key, GroupName("DESIGN")))
        #expect(heads.team.member(key)?.groups.map(\.text) == ["sales"])
        try workshop.change(&heads, .rename(key, DeviceName("Benjamin")))
        #expect(heads.team.members.map(\.name.text) == ["ada", "Benjamin"])
        try workshop.change(&heads, .promote(key))
        #expect(heads.team.member(key)?.isAdmin == true)
        try workshop.change(&heads, .remove(key))
        #expect(!heads.has(key) && heads.team.members.count == 1 && heads.team.epoch == 7)
    }

    @Test func invalidChangesAreRefused() throws {
        var workshop = try Workshop()
        var heads = try workshop.found()
        let (key, stranger) = (workshop.somebody(), workshop.somebody())
        let name = try DeviceName("ben")
        let group = try GroupName("design")
        try workshop.change(&heads, .add(key, name: name, groups: [group]))
        let refused: [(RosterChange, RosterChangeError)] = [
            (.add(key, name: try DeviceName("x"), groups: []), .alreadyMember(name)),
            (.add(stranger, name: try DeviceName("BEN"), groups: []), .nameTaken(try DeviceName("BEN"))),
            (.remove(stranger), .noSuchMember), (.promote(stranger), .noSuchMember),
            (.rename(stranger, name), .noSuchMember), (.addToGroup(stranger, group), .noSuchMember),
            (.removeFromGroup(stranger, group), .noSuchMember),
            (.addToGroup(key, try GroupName("DESIGN")), .alreadyInGroup(try GroupName("DESIGN"))),
            (.removeFromGroup(key, try GroupName("sales")), .notInGroup(try GroupName("sales"))),
            (.promote(workshop.founder.pinned), .alreadyAdmin),
            (.remove(workshop.founder.pinned), .cannotRemoveItself),
            (.demote(workshop.founder.pinned), .cannotRemoveItself), (.demote(key), .noAdmin),
            (.demote(stranger), .noSuchMember),
            (.rename(key, try DeviceName("Ada")), .nameTaken(try DeviceName("Ada"))),
        ]
        let digest = heads.team.digest
        for (change, error) in refused {
            #expect(throws: error) { try workshop.change(&heads, change) }
            #expect(!error.description.isEmpty)
        }
        #expect(throws: RosterChangeError.notAdmin) { try workshop.change(&heads, .renew, by: workshop.second) }
        #expect(heads.team.digest == digest)
    }

    @Test func aMemberMayChangeItsOwnNamesCase() throws {
        var workshop = try Workshop()
        var heads = try workshop.found()
        try workshop.change(&heads, .rename(workshop.founder.pinned, DeviceName("ADA")))
        #expect(heads.team.members.map(\.name.text) == ["ADA"])
    }

    @Test func onlyARemovalReplacesTheSecret() throws {
        var workshop = try Workshop()
        var heads = try workshop.found()
        let (key, secret) = (workshop.somebody(), heads.secret)
        let group = try GroupName("design")
        for change: RosterChange in [
            .add(key, name: try DeviceName("ben"), groups: []), .addToGroup(key, group), .removeFromGroup(key, group),
            .promote(key), .rename(key, try DeviceName("bob")), .renew, .settle,
        ] {
            try workshop.change(&heads, change)
            #expect(heads.secret == secret)
        }
        try workshop.change(&heads, .remove(key))
        #expect(heads.secret != secret)
    }

    @Test func tooLargeTeamIsNotSigned() throws {
        var workshop = try Workshop()
        let update = try crowd(of: 2600, &workshop)
        var heads = try TeamHeads.restored([update])
        // A further member, whose name and groups take more room than there is left.
        var groups: [GroupName] = []
        for number in 0..<65 { groups.append(try GroupName("\(number)" + String(repeating: "g", count: 60))) }
        let (key, digest) = (workshop.somebody(), heads.team.digest)
        let error = RosterChangeError.unsignable(.tooMany("groups of one member", count: 65, limit: 64))
        #expect(throws: error) {
            try workshop.change(&heads, .add(key, name: DeviceName("big"), groups: groups))
        }
        #expect(heads.team.digest == digest)
    }

    @Test func aTeamOfManyIsReadAndItsMembersAreFound() throws {
        var workshop = try Workshop()
        let heads = try TeamHeads.restored([try crowd(of: 2000, &workshop)])
        #expect(heads.team.members.count == 2001)
        for member in heads.team.members { #expect(heads.team.member(member.key) == member) }
        #expect(heads.team.member(workshop.somebody()) == nil)
    }

    /// A team of the founder and many others.
    private func crowd(of count: Int, _ workshop: inout Workshop) throws -> TeamHeads.Update {
        let team = try workshop.found()
        let members = (0..<count).map { number in
            WireMember.with {
                $0.key = Data(workshop.somebody().bytes)
                $0.name = "device-\(number)"
                $0.seat = Data(Seat(using: &workshop.random).bytes)
            }
        }
        return try workshop.forged(team, by: workshop.founder) {
            $0.members = ($0.members + members).sorted { $0.key.lexicographicallyPrecedes($1.key) }
        }
    }

    @Test func validityIsADayPatientWithClocksAndEndsOnTime() throws {
        var workshop = try Workshop()
        let team = try workshop.found().team
        let now = Workshop.now
        #expect(team.validity(now: now) == .valid)
        #expect(team.validity(now: now - 86_400) == .valid)
        #expect(team.validity(now: now - 86_401) == .notYet)
        #expect(team.validity(now: now - 365 * 86_400) == .notYet)
        #expect(team.validity(now: team.expires - 1) == .valid)
        #expect(team.validity(now: team.expires) == .expired)
        #expect(team.validity(now: now + 365 * 86_400) == .expired)
        #expect(!team.expiresSoon(now: team.expires - 14 * 86_400))
        #expect(team.expiresSoon(now: team.expires - 14 * 86_400 + 1))
    }

    @Test func anAdminsDeviceRenewsInTimeAndAfterAWrongClock() throws {
        var workshop = try Workshop()
        var heads = try workshop.found()
        let (now, key) = (Workshop.now, workshop.founder.publicKey)
        #expect(heads.upkeep(by: key, now: now) == nil)
        #expect(heads.upkeep(by: key, now: now + 30 * 86_400) == nil)
        #expect(heads.upkeep(by: key, now: now + 30 * 86_400 + 1) == .renew)
        #expect(heads.upkeep(by: key, now: now - 2 * 86_400) == .renew)
        #expect(heads.upkeep(by: workshop.second.publicKey, now: now + 80 * 86_400) == nil)
        let later = now + 100 * 86_400
        try workshop.change(&heads, .renew, now: later)
        #expect(heads.team.validity(now: later) == .valid && heads.team.epoch == 2)
        // With a clock before 1970, or in the year 50,000, an admin can still sign, and correct the date later.
        for wrong in [-1e9, 1.5e12] {
            try workshop.change(&heads, .renew, now: Date(timeIntervalSince1970: wrong))
        }
        try workshop.change(&heads, .renew, now: later)
        #expect(heads.team.validity(now: later) == .valid)
    }
}
