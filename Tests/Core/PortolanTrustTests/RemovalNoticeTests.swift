import Foundation
import PortolanCrypto
import PortolanValues
import TestSupport
import Testing

@testable import PortolanTrust

/// Rosters without a secret, which only removed devices get and accept.
@Suite(.aside) struct RemovalNoticeTests {
    private let ada: TeamDevice
    private let ben: TeamDevice
    private let cleo: TeamDevice
    private let id: TeamID

    /// `ada` founded the team, `cleo` is an admin too, and `ben` a member; each device has the whole team.
    init() throws {
        ada = try TeamDevice("ada")
        ben = try TeamDevice("ben")
        cleo = try TeamDevice("cleo")
        id = try ada.found("acme", with: [ben, cleo], admins: [cleo])
    }

    private func notice(to removed: TeamDevice, from teller: TeamDevice) throws -> TeamHeads.Update? {
        try teller.team(id)?.notice(to: removed.pin).map { TeamHeads.Update(signed: $0.signed, secret: nil) }
    }

    @discardableResult
    private func tell(_ device: TeamDevice, _ update: TeamHeads.Update?) throws -> StoredTeam? {
        try device.teams.adopt(id, [#require(update)], own: device.identity, now: .noon).team
    }

    @Test func removedDeviceGetsTheNoticeWithoutTheSecret() throws {
        let former = try #require(try ben.team(id)?.secrets.first)
        try ada.change(id, .remove(ben.pin))
        let told = try #require(try tell(ben, notice(to: ben, from: ada)))
        #expect(told.isRemoved && told.secrets.isEmpty && told.advertised.isEmpty)
        // Read again from the disk.
        let stored = try #require(try ben.team(id))
        #expect(stored.isRemoved && stored.team.member(ben.pin) == nil && stored.updates.contains { $0.secret == nil })
        #expect(try ben.store.standing(of: ada.key, now: .noon) == .anyone)
        #expect(try ada.team(id)?.secrets.first != former)
        // Once is enough.
        #expect(try tell(ben, notice(to: ben, from: ada)) == nil)
    }

    @Test func membersRefuseARosterWithoutItsSecret() throws {
        try ada.change(id, .remove(ben.pin))
        let notice = try #require(try notice(to: ben, from: ada))
        let before = try #require(try cleo.team(id))
        #expect(throws: TeamError.roster(.noSecret)) { try tell(cleo, notice) }
        #expect(throws: TeamError.roster(.noSecret)) {
            try cleo.teams.join([notice], invitedBy: ada.key, own: cleo.key, now: .noon)
        }
        #expect(try cleo.team(id)?.team.digest == before.team.digest)
        try cleo.hear(id, from: ada)
        #expect(try cleo.team(id)?.isWhole == true && cleo.team(id)?.team.member(ben.pin) == nil)
    }

    @Test func earliestRosterIsTheNotice() throws {
        try cleo.change(id, .remove(ben.pin))
        let removing = try #require(try notice(to: ben, from: cleo))
        try ada.hear(id, from: cleo)
        let dora = try TeamDevice("dora")
        try ada.add(dora, to: id)
        try dora.join(id, of: ada)
        #expect(try notice(to: ben, from: ada) == removing)
        #expect(try notice(to: ben, from: dora) == nil)
        for member in [ada, cleo, dora] { #expect(try notice(to: member, from: ada) == nil) }
        // The removed device no longer sends notices of its team.
        try tell(ben, removing)
        #expect(try notice(to: dora, from: ben) == nil)
    }

    @Test func missingSecretIsAddedLater() throws {
        try ada.change(id, .remove(ben.pin))
        try tell(ben, notice(to: ben, from: ada))
        try ada.add(ben, to: id)
        let back = try #require(try ada.team(id))
        let joined = try ben.join(id, of: ada)
        #expect(!joined.isRemoved && joined.isWhole && joined.secrets.first == back.secrets.first)
    }

    @Test func returnedDeviceUsesTheNewestSecretThatItHas() throws {
        var workshop = try Workshop()
        let base = try workshop.foundByThree()
        let removing = try workshop.changed(base, .remove(workshop.third.pinned), by: workshop.second)
        var there = base
        let told = TeamHeads.Update(signed: removing.update.signed, secret: nil)
        #expect(try there.adopt(told, as: workshop.third.pinned, now: Workshop.now) == .superseded)
        #expect(there.secret == nil && !there.has(workshop.third.pinned))
        #expect(try there.adopt(removing.update, now: Workshop.now) == .completed)
        #expect(there.secret == removing.secret)
        #expect(try there.adopt(removing.update, now: Workshop.now) == .ignored)
        var wrong = base
        _ = try wrong.adopt(told, as: workshop.third.pinned, now: Workshop.now)
        let lie = TeamHeads.Update(signed: told.signed, secret: base.secret)
        #expect(throws: RosterError.wrongSecret) { try wrong.adopt(lie, now: Workshop.now) }
        #expect(wrong.secret == nil)
    }
}
