import Foundation
import PortolanCrypto
import PortolanValues
import TestSupport
import Testing

@testable import PortolanTrust

/// Reclaiming of a team by its founder, who was removed from it.
@Suite(.aside) struct ReclaimingTests {
    private let ada: TeamDevice
    private let ben: TeamDevice
    private let cleo: TeamDevice
    private let dora: TeamDevice
    private let id: TeamID

    /// `ada` founded the team, `ben` and `cleo` are admins, `dora` a member in a group; each device has the whole team.
    init() throws {
        ada = try TeamDevice("ada")
        ben = try TeamDevice("ben")
        cleo = try TeamDevice("cleo")
        dora = try TeamDevice("dora")
        id = try ada.found("acme", with: [ben, cleo, dora], groups: ["design"], admins: [ben, cleo])
    }

    private func tell(_ removed: TeamDevice, by teller: TeamDevice) throws {
        let notice = try #require(try teller.team(id)?.notice(to: removed.pin))
        _ = try removed.teams.adopt(
            id, [TeamHeads.Update(signed: notice.signed, secret: nil)], own: removed.identity, now: .noon)
    }

    private func reclaim(_ device: TeamDevice, removing names: [String] = []) throws -> StoredTeam {
        try device.teams.reclaim(
            id, removing: names.map { try DeviceName($0) }, by: device.identity, now: .noon)
    }

    /// Exchanges rosters between all devices, as members do: rosters without their secrets are not passed on.
    private func meet(_ devices: [TeamDevice]) throws {
        for _ in 0..<2 {
            for (one, other) in devices.flatMap({ one in devices.map { (one, $0) } }) where one.pin != other.pin {
                let known = try #require(try other.team(id)).updates.filter { $0.secret != nil }
                _ = try? one.teams.adopt(id, known, own: one.identity, now: .noon)
            }
        }
    }

    @Test(arguments: [false, true])
    func allMembersFollowTheFounder(isTold: Bool) throws {
        try ben.change(id, .remove(ada.pin))
        for other in [cleo, dora] { try other.hear(id, from: ben) }
        if isTold { try tell(ada, by: ben) } else { try ada.hear(id, from: ben) }
        #expect(try ada.team(id)?.isRemoved == true)

        let reclaimed = try reclaim(ada)
        let own = try #require(reclaimed.team.member(ada.pin))
        #expect(own.isAdmin && !reclaimed.isRemoved && reclaimed.isWhole)
        let demoted = try #require(reclaimed.team.member(ben.pin))
        #expect(try !demoted.isAdmin && demoted.groups == [GroupName("design")])
        #expect(reclaimed.team.member(cleo.pin)?.isAdmin == true)

        try meet([ada, ben, cleo, dora])
        let digests = try Set([ada, ben, cleo, dora].map { try $0.team(id)?.team.digest })
        #expect(digests.count == 1)
        let secrets = try [ada, ben, cleo, dora].map { try $0.team(id)?.secrets.first }
        #expect(secrets.allSatisfy { $0 == reclaimed.secrets.first })
        // A former admin can change nothing any more; the others can.
        #expect(throws: TeamError.change(.notAdmin)) { try ben.change(id, .remove(ada.pin)) }
        try cleo.change(id, .addToGroup(ada.pin, GroupName("design")))
        try ada.hear(id, from: cleo)
        #expect(try ada.team(id)?.team.member(ada.pin)?.groups == [GroupName("design")])
    }

    @Test func reclaimingCanRemoveTheRemover() throws {
        try ben.change(id, .remove(ada.pin))
        try dora.hear(id, from: ben)
        try tell(ada, by: ben)
        #expect(throws: TeamError.change(.noSuchMember)) { try reclaim(ada, removing: ["nobody"]) }
        #expect(try ada.team(id)?.isRemoved == true, "half of it was done")
        let reclaimed = try reclaim(ada, removing: ["ben"])
        #expect(reclaimed.team.member(ben.pin) == nil && reclaimed.removedKeys.contains(ben.pin))
        try meet([ada, dora])
        #expect(try dora.team(id)?.team.member(ben.pin) == nil)
        try tell(ben, by: dora)
        #expect(try ben.team(id)?.isRemoved == true)
        #expect(try ben.team(id)?.updates.contains { $0.secret == reclaimed.secrets.first } == false)
    }

    @Test func adminWhoAdoptedTheRemovalIsRuledOut() throws {
        try ben.change(id, .remove(ada.pin))
        try cleo.hear(id, from: ben)
        try tell(ada, by: ben)
        try cleo.change(id, .renew)
        _ = try reclaim(ada)
        // The founder has not received cleo's roster, which overrules the founder's.
        try meet([ada, cleo])
        #expect(try ada.team(id)?.isRemoved == true)
        let again = try reclaim(ada)
        #expect(again.team.member(cleo.pin)?.isAdmin == false)
        try meet([ada, cleo, dora, ben])
        for other in [cleo, dora, ben] { #expect(try other.team(id)?.team.digest == again.team.digest) }
    }

    @Test func adminsMadeByTheRemoverStayAdmins() throws {
        try ben.change(id, .promote(dora.pin))
        try ada.hear(id, from: ben)
        // Of ben's rosters, only the last is remembered: what ada has taken over stays.
        try ada.change(id, .renew)
        for other in [ben, dora, cleo] { try other.hear(id, from: ada) }
        try ben.change(id, .remove(ada.pin))
        try tell(ada, by: ben)
        #expect(try reclaim(ada).team.member(dora.pin)?.isAdmin == true)
        try meet([ada, dora])
        try dora.change(id, .removeFromGroup(cleo.pin, GroupName("design")))
        #expect(try ada.hear(id, from: dora)?.team.member(cleo.pin)?.groups == [])
    }

    /// The remover is promoted again: the founder stays, and both can act.
    @Test func promotionAfterReclaimingKeepsTheTeam() throws {
        try ben.change(id, .remove(ada.pin))
        for other in [cleo, dora] { try other.hear(id, from: ben) }
        try tell(ada, by: ben)
        _ = try reclaim(ada)
        try meet([ada, ben, cleo, dora])
        let promoted = try ada.change(id, .promote(ben.pin))
        try meet([ada, ben, cleo, dora])
        for device in [ada, ben, cleo, dora] {
            let known = try #require(try device.team(id))
            #expect(known.team.digest == promoted.team.digest && !known.isRemoved && known.isWhole)
            #expect(known.team.member(ada.pin)?.isAdmin == true && known.team.member(ben.pin)?.isAdmin == true)
        }
        for (admin, group) in [(ben, "sales"), (ada, "press")] {
            try admin.change(id, .addToGroup(dora.pin, GroupName(group)))
            try meet([ada, ben, cleo, dora])
            for device in [ada, ben, cleo, dora] {
                #expect(try device.team(id)?.team.member(dora.pin)?.groups.contains(GroupName(group)) == true)
            }
        }
    }

    @Test func onlyAFounderWhoLostTheAdminRightCanReclaim() throws {
        #expect(throws: TeamError.change(.isAdmin)) { try reclaim(ada) }
        try ada.change(id, .remove(ben.pin))
        try tell(ben, by: ada)
        #expect(throws: TeamError.change(.notFounder)) { try reclaim(ben) }
        #expect(throws: TeamError.change(.notFounder)) { try reclaim(dora) }
    }

    @Test func returnedFounderIsRecognisedByMembersOfTheOtherHead() throws {
        let former = try #require(try ada.team(id)?.secrets.first)
        try ben.change(id, .remove(ada.pin))
        try dora.hear(id, from: ben)
        try tell(ada, by: ben)
        let reclaimed = try reclaim(ada)
        // She does not know the secret that ben made; dora knows the secret before it.
        #expect(reclaimed.advertised == [try #require(reclaimed.secrets.first), former])
        #expect(try dora.team(id)?.secrets.contains(former) == true)
        try meet([ada, dora])
        let met = try #require(try ada.team(id))
        #expect(reclaimed.lacksSecret && !met.lacksSecret)
        #expect(met.advertised == [try #require(met.secrets.first)])
        #expect(try met.secrets.contains(#require(dora.team(id)?.secrets.dropFirst().first)))
    }
}
