import Foundation
import PortolanCrypto
import PortolanValues
import Testing

@testable import PortolanTrust

@Suite struct TeamStoreTests {
    let ada: TeamDevice
    let bob: TeamDevice
    let eve: TeamDevice

    init() throws {
        ada = try TeamDevice("ada")
        bob = try TeamDevice("bob")
        eve = try TeamDevice("eve")
    }

    @Test func readingCreatesNothing() throws {
        #expect(try ada.teams.all().isEmpty)
        #expect(try ada.teams.named("acme") == nil)
        #expect(try ada.teams.renewIfDue(by: ada.identity, now: .noon).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: ada.temporary.home.data))
    }

    @Test func newTeamIsStoredPrivatelyAndIsTheDefault() throws {
        let id = try ada.create("acme")
        let team = try #require(try ada.team(id))
        #expect(team.team.name.text == "acme")
        #expect(team.team.member(ada.pin)?.isAdmin == true)
        #expect(team.isDefault && !team.isRemoved)
        #expect(team.added == .noon)
        #expect(team.secrets.count == 1)
        #expect(ada.temporary.mode(ada.file(id)) == 0o600)
        #expect(ada.temporary.mode(ada.directory) == 0o700)
        #expect(try ada.entries() == ["\(id).team", "lock"])
    }

    @Test func aTeamIsFoundByItsNameInAnyCaseAndByItsIdentifier() throws {
        let id = try ada.create("acme")
        for text in ["acme", "ACME", "\(id)"] { #expect(try ada.teams.named(text)?.id == id) }
        for text in ["", "acm", "a b", "\(id)x"] { #expect(try ada.teams.named(text) == nil) }
    }

    @Test func secondTeamOfANameIsRefused() throws {
        try ada.create("acme")
        #expect(throws: TeamError.nameTaken(try TeamName("ACME"))) { try ada.create("ACME") }
        #expect(try ada.teams.all().count == 1)
        let other = try bob.create("acme")
        try bob.add(ada, to: other)
        #expect(throws: TeamError.nameTaken(try TeamName("acme"))) { try ada.join(other, of: bob) }
        #expect(try ada.teams.all().count == 1)
    }

    @Test func invitedDeviceHasTheSameTeam() throws {
        let id = try ada.create("acme")
        try ada.add(bob, to: id, groups: ["design"])
        let joined = try bob.join(id, of: ada)
        #expect(joined.isDefault)
        #expect(joined.team == (try ada.team(id)?.team))
        #expect(joined.secrets == (try ada.team(id)?.secrets))
        #expect(try bob.team(id)?.team == joined.team)
    }

    @Test func invitationWithoutThisDeviceIsRefused() throws {
        let id = try ada.create("acme")
        let name = try TeamName("acme")
        // Invalid invitations: the device is not a member; the sender is no admin; the sender is no member; there are
        // no rosters.
        #expect(throws: TeamError.notInvited(name)) { try bob.join(id, of: ada) }
        try ada.add(bob, to: id)
        try ada.add(eve, to: id)
        try eve.join(id, of: ada)
        #expect(throws: TeamError.notInvited(name)) { try bob.join(id, of: eve) }
        let updates = try #require(try ada.team(id)).updates
        let stranger = DeviceKey.generate().publicKey
        #expect(throws: TeamError.notInvited(name)) {
            try bob.teams.join(updates, invitedBy: stranger, own: bob.key, now: .noon)
        }
        #expect(throws: TeamError.self) { try bob.teams.join([], invitedBy: ada.key, own: bob.key, now: .noon) }
        #expect(throws: TeamError.roster(.fromTheFuture)) { try bob.join(id, of: ada, now: .noon(plusDays: -2)) }
        #expect(try bob.teams.all().isEmpty)
    }

    @Test func changesSpreadAndOldRostersAreIgnored() throws {
        let id = try ada.create("acme")
        try ada.add(bob, to: id)
        try bob.join(id, of: ada)
        let old = try #require(try ada.team(id)).updates
        try ada.change(id, .addToGroup(bob.pin, try GroupName("design")))
        #expect(try bob.hear(id, from: ada)?.team.member(bob.pin)?.groups.map(\.text) == ["design"])
        #expect(try bob.hear(id, from: ada) == nil)
        let before = try bob.temporary.bytes(bob.file(id))
        #expect(try bob.teams.adopt(id, old, own: bob.identity, now: .noon).team == nil)
        #expect(try bob.temporary.bytes(bob.file(id)) == before)
    }

    @Test func onlyAnAdminChangesATeam() throws {
        let id = try ada.create("acme")
        try ada.add(bob, to: id)
        try bob.join(id, of: ada)
        #expect(throws: TeamError.change(.notAdmin)) { try bob.change(id, .remove(ada.pin)) }
        #expect(throws: TeamError.change(.noSuchMember)) { try ada.change(id, .remove(eve.pin)) }
        #expect(throws: TeamError.unknown(id)) { try eve.change(id, .renew) }
        #expect(throws: TeamError.unknown(id)) { try eve.hear(id, from: ada) }
    }

    @Test func removalReplacesTheSecretAndKeepsTheOldOne() throws {
        let id = try ada.create("acme")
        try ada.add(bob, to: id)
        var former = try #require(try ada.team(id)?.secrets)
        for number in 0..<10 {
            let other = PinnedKey(DeviceKey.generate().publicKey)
            try ada.change(id, .add(other, name: try DeviceName("device \(number)"), groups: []))
            let team = try ada.change(id, .remove(other))
            #expect(team.secrets[0] != former[0])
            #expect(Array(team.secrets.dropFirst()) == Array(former.prefix(TeamRecord.olderSecretsLimit)))
            former = team.secrets
        }
        #expect(former.count == 1 + TeamRecord.olderSecretsLimit)
        #expect(try ada.team(id)?.secrets == former)
        // A member who belonged to the team all the time, but has received no update.
        #expect(try bob.join(id, of: ada).secrets == [former[0]])
    }

    @Test func removedDeviceKeepsTheTeamOnlyToShowTheRemoval() throws {
        let id = try ada.create("acme")
        try ada.add(bob, to: id)
        try bob.join(id, of: ada)
        try ada.change(id, .remove(bob.pin))
        let told = try #require(try bob.hear(id, from: ada))
        #expect(told.isRemoved && !told.isDefault)
        #expect(told.secrets.isEmpty)
        #expect(told.warning(now: .noon) == .removed)
        #expect(try bob.team(id)?.isRemoved == true)
        #expect(try bob.store.teams.all().first?.secrets.isEmpty == true)
        #expect(throws: TeamError.removed(try TeamName("acme"))) { try bob.change(id, .renew) }
        #expect(throws: TeamError.removed(try TeamName("acme"))) { try bob.teams.use(id) }
        // The device can be invited again, but not with the former rosters.
        let old = try #require(try bob.team(id)).updates
        #expect(throws: TeamError.notInvited(try TeamName("acme"))) {
            try bob.teams.join(old, invitedBy: ada.key, own: bob.key, now: .noon)
        }
        try ada.add(bob, to: id)
        let again = try bob.join(id, of: ada)
        #expect(!again.isRemoved && again.isDefault)
        #expect(again.added == .noon)
    }

    @Test func oldRosterDoesNotRestoreARemovedMember() throws {
        let id = try ada.create("acme")
        try ada.add(bob, to: id)
        try bob.join(id, of: ada)
        let old = try #require(try bob.team(id)).updates
        try ada.change(id, .remove(bob.pin))
        try bob.hear(id, from: ada)
        #expect(try bob.teams.adopt(id, old, own: bob.identity, now: .noon).team == nil)
        #expect(throws: TeamError.notInvited(try TeamName("acme"))) {
            try bob.teams.join(old, invitedBy: ada.key, own: bob.key, now: .noon)
        }
        #expect(try bob.team(id)?.isRemoved == true)
    }

    @Test func forkKeepsBothChangesUntilAnAdminSettlesIt() throws {
        let id = try ada.create("acme")
        try ada.add(bob, to: id)
        try ada.change(id, .promote(bob.pin))
        try bob.join(id, of: ada)
        try ada.add(eve, to: id)
        let carol = try TeamDevice("carol")
        try bob.add(carol, to: id)
        try eve.join(id, of: ada)
        // Eve, who is no admin, has both rosters; the admin that has to merge them does so when it receives both.
        let forked = try #require(try eve.hear(id, from: bob))
        #expect(forked.team.headCount == 2)
        #expect(forked.team.members.count == 4)
        #expect(forked.updates.count == 2)
        let later = Date.noon(plusDays: 0.1)
        let settled = try #require(try ada.hear(id, from: eve, now: later))
        #expect(settled.team.headCount == 1)
        #expect(settled.team.members.count == 4)
        #expect(try bob.hear(id, from: ada, now: later)?.team == settled.team)
        #expect(try eve.hear(id, from: ada, now: later)?.team == settled.team)
    }

    @Test func aForkOverTwoRemovalsLosesNeitherAndEachSideIsStillRecognised() throws {
        let id = try ada.create("acme")
        let (carol, dan) = (try TeamDevice("carol"), try TeamDevice("dan"))
        for device in [bob, eve, carol, dan] { try ada.add(device, to: id) }
        try ada.change(id, .promote(bob.pin))
        for device in [bob, eve] { try device.join(id, of: ada) }
        let left = try ada.change(id, .remove(carol.pin)).secrets[0]
        let right = try bob.change(id, .remove(dan.pin)).secrets[0]
        try eve.hear(id, from: ada)
        let forked = try #require(try eve.hear(id, from: bob))
        #expect(forked.team.headCount == 2)
        #expect(forked.team.members.map(\.name.text) == ["ada", "bob", "eve"])
        #expect(![left, right].contains(forked.secrets[0]))
        #expect(forked.secrets.contains(left) && forked.secrets.contains(right))
        let settled = try #require(try ada.hear(id, from: eve, now: .noon(plusDays: 0.1)))
        #expect(settled.team.headCount == 1)
        #expect(settled.secrets.contains(forked.secrets[0]), "those who hold the fork are still recognised")
    }

    @Test func rejectedRosterIsAnErrorOnlyWithoutAnAcceptedOne() throws {
        let id = try ada.create("acme")
        try ada.add(bob, to: id)
        try bob.join(id, of: ada)
        let other = try eve.create("other")
        let foreign = try #require(try eve.team(other)).updates[0]
        let before = try bob.temporary.bytes(bob.file(id))
        #expect(throws: TeamError.roster(.otherTeam)) {
            try bob.teams.adopt(id, [foreign], own: bob.identity, now: .noon)
        }
        #expect(try bob.temporary.bytes(bob.file(id)) == before)
        try ada.change(id, .addToGroup(bob.pin, try GroupName("design")))
        let good = try #require(try ada.team(id)).updates[0]
        let adopted = try bob.teams.adopt(id, [foreign, good], own: bob.identity, now: .noon).team
        #expect(adopted?.team.epoch == 3)
        #expect(try bob.teams.adopt(id, [], own: bob.identity, now: .noon).team == nil)
    }

    @Test func adminsDeviceRenewsTheTeamAfterAThirdOfItsTime() throws {
        let id = try ada.create("acme")
        try ada.add(bob, to: id)
        try bob.join(id, of: ada)
        #expect(try ada.teams.renewIfDue(by: ada.identity, now: .noon(plusDays: 29)).isEmpty)
        #expect(try bob.teams.renewIfDue(by: bob.identity, now: .noon(plusDays: 89)).isEmpty)
        let renewed = try ada.teams.renewIfDue(by: ada.identity, now: .noon(plusDays: 31))
        #expect(renewed.map(\.id) == [id])
        #expect(renewed.first?.team.expires == .noon(plusDays: 121))
        #expect(try bob.hear(id, from: ada, now: .noon(plusDays: 31))?.team.expires == .noon(plusDays: 121))
        #expect(try ada.teams.renewIfDue(by: ada.identity, now: .noon(plusDays: 31)).isEmpty)
    }

    @Test(
        "a team warns before it expires, and reports afterwards that it has",
        arguments: [
            (0.0, "none"), (75, "none"), (77, "soon"), (89.9, "soon"), (90, "expired"), (400, "expired"),
            (-2, "notYet"),
        ])
    func expiryWarnings(days: Double, expected: String) throws {
        let id = try ada.create("acme")
        let team = try #require(try ada.team(id))
        let warning = team.warning(now: .noon(plusDays: days))
        let word =
            switch warning {
            case nil: "none"
            case .expiresSoon(team.team.expires): "soon"
            case .expired(team.team.expires): "expired"
            case .notYet(team.team.issued): "notYet"
            default: "another"
            }
        #expect(word == expected)
        if let warning { #expect("\(warning)".contains(expected == "notYet" ? "2023-11-14" : "2024-02-12")) }
    }

    @Test func aTeamCanBeLeftAndIsForgottenWhole() throws {
        let id = try ada.create("acme")
        #expect(try ada.teams.leave(id))
        #expect(try !ada.teams.leave(id))
        #expect(try ada.entries() == ["lock"])
        #expect(try ada.teams.all().isEmpty)
        #expect(try !bob.teams.leave(id))
    }

    @Test func aDeviceIsInSixteenTeamsAtMost() throws {
        for number in 0..<TeamStore.capacity { try ada.create("team\(number)") }
        let error = try #require(throws: TeamError.self) { try ada.create("one-more") }
        #expect("\(error)".contains("is full"))
        #expect(try ada.teams.all().count == TeamStore.capacity)
        let id = try bob.create("acme")
        try bob.add(ada, to: id)
        #expect(throws: TeamError.self) { try ada.join(id, of: bob) }
    }

    @Test func concurrentWritersLoseNothing() async throws {
        let ada = ada
        let id = try ada.create("acme")
        let pins = (0..<12).map { _ in PinnedKey(DeviceKey.generate().publicKey) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, pin) in pins.enumerated() {
                // A separate store, as another process has.
                let store = TeamStore(home: ada.temporary.home)
                group.addTask {
                    _ = try store.change(
                        id, .add(pin, name: DeviceName("device \(number)"), groups: []), by: ada.identity, now: .noon)
                }
            }
            try await group.waitForAll()
        }
        let team = try #require(try ada.team(id)).team
        #expect(team.members.count == 13)
        #expect(team.epoch == 13)
        #expect(pins.allSatisfy { team.member($0) != nil })
        #expect(try ada.entries() == ["\(id).team", "lock"])
    }

    @Test func concurrentCreationOfATeamLeavesOne() async throws {
        let ada = ada
        let made = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    (try? TeamStore(home: ada.temporary.home).create(
                        name: TeamName("acme"), by: ada.identity, now: .noon)) != nil
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(made == 1)
        #expect(try ada.teams.all().count == 1)
    }
}
