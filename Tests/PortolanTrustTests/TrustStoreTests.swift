import Foundation
import Glibc
import PortolanCrypto
import Testing

@testable import PortolanTrust

@Suite struct TrustStoreTests {
    let ada: TeamDevice
    let bob: TeamDevice
    let carol: TeamDevice

    init() throws {
        ada = try TeamDevice("ada")
        bob = try TeamDevice("bob")
        carol = try TeamDevice("carol")
    }

    @Test func aDeviceThatKnowsNobodyTakesEverybodyForAStrangerAndWritesNothing() throws {
        #expect(try ada.trust.standing(of: bob.key, now: .noon) == .anyone)
        #expect(try ada.trust.presumedStanding(of: bob.key.fingerprint, now: .noon) == .anyone)
        #expect(try ada.trust.teams().isEmpty)
        #expect(!FileManager.default.fileExists(atPath: ada.temporary.home.data))
    }

    @Test func aContactIsOneAsSoonAsAnotherProcessSaysSoAndNoLonger() throws {
        let peers = KnownPeers(home: ada.temporary.home)
        try peers.remember(name: bob.identity.name, key: bob.key, now: .noon)
        #expect(try !ada.trust.standing(of: bob.key, now: .noon).isContact)
        try peers.confirm(name: bob.identity.name, key: bob.key, now: .noon)
        #expect(try ada.trust.standing(of: bob.key, now: .noon).isContact)
        #expect(try ada.trust.presumedStanding(of: bob.key.fingerprint, now: .noon).isContact)
        #expect(try !ada.trust.standing(of: carol.key, now: .noon).isContact)
        try peers.forget(bob.identity.name)
        #expect(try ada.trust.standing(of: bob.key, now: .noon) == .anyone)
    }

    @Test func aDamagedListOfContactsIsAnErrorForEverybody() throws {
        try KnownPeers(home: ada.temporary.home).confirm(name: bob.identity.name, key: bob.key, now: .noon)
        #expect(try ada.trust.standing(of: bob.key, now: .noon).isContact)
        let bytes = try ada.temporary.bytes(ada.temporary.peersFile)
        try ada.temporary.write(bytes.dropLast(9), to: ada.temporary.peersFile)
        for _ in 0..<2 {
            #expect(throws: StoreError.self) { try ada.trust.standing(of: bob.key, now: .noon) }
            #expect(throws: StoreError.self) { try ada.trust.standing(of: carol.key, now: .noon) }
        }
        try ada.temporary.write(bytes, to: ada.temporary.peersFile)
        #expect(try ada.trust.standing(of: bob.key, now: .noon).isContact)
        chmod(ada.temporary.peersFile, 0o666)
        #expect(throws: StoreError.self) { try ada.trust.standing(of: bob.key, now: .noon) }
    }

    @Test func aMemberHasItsGroupsAndAnAdminIsOne() throws {
        let id = try ada.create("acme")
        try ada.add(bob, to: id, groups: ["press", "Design"])
        let membership = try #require(try ada.trust.standing(of: bob.key, now: .noon).membership(in: id))
        #expect(membership.teamName.text == "acme")
        #expect(membership.groups.map(\.text) == ["Design", "press"])
        #expect(!membership.isAdmin)
        #expect(try ada.trust.standing(of: ada.key, now: .noon).membership(in: id)?.isAdmin == true)
        #expect(
            try ada.trust.presumedStanding(of: bob.key.fingerprint, now: .noon)
                == ada.trust.standing(of: bob.key, now: .noon))
    }

    @Test func aChangeByAnotherProcessCountsFromTheNextQuestionOn() throws {
        let id = try ada.create("acme")
        try ada.add(bob, to: id)
        let another = TeamStore(home: ada.temporary.home)
        // Without a pause in between: the files' times alone could not tell these from each other.
        for _ in 0..<10 {
            #expect(try ada.trust.standing(of: bob.key, now: .noon).memberships.count == 1)
            _ = try another.change(id, .remove(bob.pin), by: ada.identity, now: .noon)
            #expect(try ada.trust.standing(of: bob.key, now: .noon) == .anyone)
            _ = try another.change(id, .add(bob.pin, name: bob.identity.name, groups: []), by: ada.identity, now: .noon)
        }
        #expect(try another.leave(id))
        #expect(try ada.trust.standing(of: bob.key, now: .noon) == .anyone)
    }

    @Test func aFileThatWasWrittenOverInPlaceIsNoticedToo() throws {
        let id = try ada.create("acme")
        try ada.add(bob, to: id)
        let with = try ada.temporary.bytes(ada.file(id))
        _ = try ada.trust.standing(of: bob.key, now: .noon)
        var damaged = with
        damaged[damaged.count / 2] ^= 1
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: ada.file(id)))
        try handle.write(contentsOf: Data(damaged))
        try handle.close()
        #expect(throws: StoreError.self) { try ada.trust.standing(of: bob.key, now: .noon) }
    }

    @Test func twoTeamsStayApart() throws {
        let acme = try ada.create("acme")
        let home = try ada.create("home")
        try ada.add(bob, to: acme, groups: ["design"])
        try ada.add(carol, to: home, groups: ["design"])
        let design = [try GroupName("design")]
        let bobs = try ada.trust.standing(of: bob.key, now: .noon)
        let carols = try ada.trust.standing(of: carol.key, now: .noon)
        #expect(bobs.memberships.map(\.team) == [acme])
        #expect(carols.memberships.map(\.team) == [home])
        for visibility in [Visibility.team, .group] {
            #expect(bobs.maySee(Restriction(visibility, for: try Audience(team: acme, groups: design))))
            #expect(!bobs.maySee(Restriction(visibility, for: try Audience(team: home, groups: design))))
            #expect(carols.maySee(Restriction(visibility, for: try Audience(team: home, groups: design))))
            #expect(!carols.maySee(Restriction(visibility, for: try Audience(team: acme, groups: design))))
        }
        // The explanation names no team that the peer is not in.
        #expect(!bobs.explain(Restriction(.team, for: try Audience(team: home))).contains("home"))
        // Whoever is in both has both, and each with its own groups.
        try ada.change(home, .add(bob.pin, name: bob.identity.name, groups: []))
        let both = try ada.trust.standing(of: bob.key, now: .noon)
        #expect(Set(both.memberships.map(\.team)) == [acme, home])
        #expect(!both.maySee(Restriction(.group, for: try Audience(team: home, groups: design))))
        // Removal from one leaves the other as it is.
        try ada.change(acme, .remove(bob.pin))
        #expect(try ada.trust.standing(of: bob.key, now: .noon).memberships.map(\.team) == [home])
        // The secrets of each are its own.
        let secrets = try ada.trust.teams().map(\.secrets)
        #expect(!secrets[0].contains { secrets[1].contains($0) })
    }

    @Test func aTeamThatThisDeviceIsNotInUnderItsKeyGivesNothing() throws {
        let id = try ada.create("acme")
        try ada.add(bob, to: id)
        // The same home with another device key: the old one was moved away.
        let renewed = TrustStore(home: ada.temporary.home, own: DeviceKey.generate().publicKey)
        #expect(try renewed.standing(of: bob.key, now: .noon) == .anyone)
        #expect(try renewed.presumedStanding(of: bob.key.fingerprint, now: .noon) == .anyone)
        #expect(try renewed.teams().allSatisfy { $0.isRemoved && $0.secrets.isEmpty })
    }

    @Test func questionsAtOnceAndChangesAtOnceGetAlongAndNeverSeeHalf() async throws {
        let (ada, bob) = (ada, bob)
        let id = try ada.create("acme")
        try ada.add(bob, to: id, groups: ["design"])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    for _ in 0..<30 {
                        let standing = try ada.trust.standing(of: bob.key, now: .noon)
                        #expect(standing.memberships.map(\.groups.count) == [1])
                    }
                }
            }
            group.addTask {
                for _ in 0..<10 {
                    _ = try TeamStore(home: ada.temporary.home).change(id, .renew, by: ada.identity, now: .noon)
                }
            }
            try await group.waitForAll()
        }
        #expect(try ada.team(id)?.team.epoch == 12)
    }
}
