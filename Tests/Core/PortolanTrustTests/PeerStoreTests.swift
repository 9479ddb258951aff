import Foundation
import Glibc
import PortolanCrypto
import PortolanValues
import TestSupport
import Testing

@testable import PortolanTrust

@Suite struct PeerStoreTests {
    let ada: TeamDevice
    let bob: TeamDevice
    let carol: TeamDevice

    init() throws {
        ada = try TeamDevice("ada")
        bob = try TeamDevice("bob")
        carol = try TeamDevice("carol")
    }

    @Test func emptyStoreTreatsAllAsStrangersAndWritesNothing() throws {
        #expect(try ada.store.standing(of: bob.key, now: .noon) == .anyone)
        #expect(try ada.store.presumedStanding(of: bob.key.fingerprint, now: .noon) == .anyone)
        #expect(try ada.store.teams.all().isEmpty)
        #expect(!FileManager.default.fileExists(atPath: ada.temporary.home.data))
    }

    @Test func contactsChangedByAnotherProcessCountAtOnce() throws {
        let peers = KnownPeers(home: ada.temporary.home)
        try peers.remember(name: bob.identity.name, key: bob.key, now: .noon)
        #expect(try !ada.store.standing(of: bob.key, now: .noon).isContact)
        try peers.confirm(name: bob.identity.name, key: bob.key, now: .noon)
        #expect(try ada.store.standing(of: bob.key, now: .noon).isContact)
        #expect(try ada.store.presumedStanding(of: bob.key.fingerprint, now: .noon).isContact)
        #expect(try !ada.store.standing(of: carol.key, now: .noon).isContact)
        try peers.forget(bob.identity.name)
        #expect(try ada.store.standing(of: bob.key, now: .noon) == .anyone)
    }

    @Test func damagedListOfContactsIsAnErrorForAllPeers() throws {
        try KnownPeers(home: ada.temporary.home).confirm(name: bob.identity.name, key: bob.key, now: .noon)
        #expect(try ada.store.standing(of: bob.key, now: .noon).isContact)
        let bytes = try ada.temporary.bytes(ada.temporary.peersFile)
        try ada.temporary.write(bytes.dropLast(9), to: ada.temporary.peersFile)
        for _ in 0..<2 {
            #expect(throws: StoreError.self) { try ada.store.standing(of: bob.key, now: .noon) }
            #expect(throws: StoreError.self) { try ada.store.standing(of: carol.key, now: .noon) }
        }
        try ada.temporary.write(bytes, to: ada.temporary.peersFile)
        #expect(try ada.store.standing(of: bob.key, now: .noon).isContact)
        chmod(ada.temporary.peersFile, 0o666)
        #expect(throws: StoreError.self) { try ada.store.standing(of: bob.key, now: .noon) }
    }

    @Test func standingHasGroupsAndAdminRight() throws {
        let id = try ada.create("acme")
        try ada.add(bob, to: id, groups: ["press", "Design"])
        let membership = try #require(try ada.store.standing(of: bob.key, now: .noon).membership(in: id))
        #expect(membership.teamName.text == "acme")
        #expect(membership.groups.map(\.text) == ["Design", "press"])
        #expect(!membership.isAdmin)
        #expect(try ada.store.standing(of: ada.key, now: .noon).membership(in: id)?.isAdmin == true)
        #expect(
            try ada.store.presumedStanding(of: bob.key.fingerprint, now: .noon)
                == ada.store.standing(of: bob.key, now: .noon))
    }

    @Test func changeByAnotherProcessIsSeenByTheNextLookUp() throws {
        let id = try ada.create("acme")
        try ada.add(bob, to: id)
        let another = TeamStore(home: ada.temporary.home)
        // Without a pause between the changes: the files' times alone could not distinguish them.
        for _ in 0..<10 {
            #expect(try ada.store.standing(of: bob.key, now: .noon).memberships.count == 1)
            _ = try another.change(id, .remove(bob.pin), by: ada.identity, now: .noon)
            #expect(try ada.store.standing(of: bob.key, now: .noon) == .anyone)
            _ = try another.change(id, .add(bob.pin, name: bob.identity.name, groups: []), by: ada.identity, now: .noon)
        }
        #expect(try another.leave(id))
        #expect(try ada.store.standing(of: bob.key, now: .noon) == .anyone)
    }

    @Test func fileOverwrittenInPlaceIsReadAgain() throws {
        let id = try ada.create("acme")
        try ada.add(bob, to: id)
        let with = try ada.temporary.bytes(ada.file(id))
        _ = try ada.store.standing(of: bob.key, now: .noon)
        var damaged = with
        damaged[damaged.count / 2] ^= 1
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: ada.file(id)))
        try handle.write(contentsOf: Data(damaged))
        try handle.close()
        #expect(throws: StoreError.self) { try ada.store.standing(of: bob.key, now: .noon) }
    }

    @Test func twoTeamsStayApart() throws {
        let acme = try ada.create("acme")
        let home = try ada.create("home")
        try ada.add(bob, to: acme, groups: ["design"])
        try ada.add(carol, to: home, groups: ["design"])
        let design = [try GroupName("design")]
        let bobs = try ada.store.standing(of: bob.key, now: .noon)
        let carols = try ada.store.standing(of: carol.key, now: .noon)
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
        // A peer in both teams has both memberships, each with its own groups.
        try ada.change(home, .add(bob.pin, name: bob.identity.name, groups: []))
        let both = try ada.store.standing(of: bob.key, now: .noon)
        #expect(Set(both.memberships.map(\.team)) == [acme, home])
        #expect(!both.maySee(Restriction(.group, for: try Audience(team: home, groups: design))))
        // Removal from one team leaves the other unchanged.
        try ada.change(acme, .remove(bob.pin))
        #expect(try ada.store.standing(of: bob.key, now: .noon).memberships.map(\.team) == [home])
        // Each team has separate secrets.
        let secrets = try ada.store.teams.all().map(\.secrets)
        #expect(!secrets[0].contains { secrets[1].contains($0) })
    }

    @Test func teamWithoutThisDevicesKeyGivesNoRights() throws {
        let id = try ada.create("acme")
        try ada.add(bob, to: id)
        // The same home with another device key: the old one was moved away.
        let renewed = PeerStore(home: ada.temporary.home, own: DeviceKey.generate().publicKey)
        #expect(try renewed.standing(of: bob.key, now: .noon) == .anyone)
        #expect(try renewed.presumedStanding(of: bob.key.fingerprint, now: .noon) == .anyone)
        #expect(try renewed.teams.all().allSatisfy { $0.isRemoved && $0.secrets.isEmpty })
    }

    @Test func questionsAtOnceAndChangesAtOnceGetAlongAndNeverSeeHalf() async throws {
        let (ada, bob) = (ada, bob)
        let id = try ada.create("acme")
        try ada.add(bob, to: id, groups: ["design"])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    for _ in 0..<30 {
                        let standing = try ada.store.standing(of: bob.key, now: .noon)
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

    /// Waits until files that are written from now on cannot have the stamp of earlier ones.
    private func settle() async throws { try await Task.sleep(for: .milliseconds(150)) }

    @Test func unchangedFilesAreReadOnce() async throws {
        let home = ada.temporary.home
        let id = try ada.create("acme")
        try ada.add(bob, to: id)
        try ada.teams.use(id)
        try KnownPeers(home: home).confirm(name: carol.identity.name, key: carol.key, now: .noon)
        try KnownInboxes(home: home).remember("/inbox")
        try await settle()

        let store = PeerStore(home: home, own: ada.key)
        let openings = FileOpenings(in: [home.data, home.state, ada.directory])
        func ask() throws {
            #expect(try store.standing(of: bob.key, now: .noon).membership(in: id) != nil)
            #expect(try store.presumedStanding(of: carol.key.fingerprint, now: .noon).isContact)
            #expect(try store.teams.all().map(\.isDefault) == [true])
            #expect(try store.teams.named("acme")?.id == id)
            #expect(try store.teams.renewIfDue(by: ada.identity, now: .noon).isEmpty)
            #expect(try store.peers.assess(name: carol.identity.name, key: carol.key).verdict == .known(since: .noon))
            #expect(try store.inboxes.all() == ["/inbox"])
            try store.inboxes.remember("/inbox")
        }
        for _ in 0..<20 { try ask() }
        // A change without effect reads nothing again, and takes no lock.
        try store.peers.remember(name: carol.identity.name, key: carol.key, now: .noon)
        let once = ["known-peers.json": 1, "\(id).team": 1, "default": 1, "inboxes": 1]
        #expect(openings.counts() == once)

        _ = try TeamStore(home: home).change(id, .remove(bob.pin), by: ada.identity, now: .noon)
        #expect(try store.standing(of: bob.key, now: .noon) == .anyone)
        try await settle()
        _ = try store.standing(of: bob.key, now: .noon)
        let settled = openings.counts()
        for _ in 0..<20 { #expect(try store.standing(of: bob.key, now: .noon) == .anyone) }
        #expect(openings.counts() == settled)
        #expect(settled["known-peers.json"] == 1)
    }

    @Test func ownWriteIsSeenAtOnce() throws {
        let id = try ada.store.teams.create(name: TeamName("acme"), by: ada.identity, now: .noon).id
        for number in 0..<10 {
            let add = RosterChange.add(bob.pin, name: bob.identity.name, groups: [])
            #expect(try ada.store.teams.change(id, add, by: ada.identity, now: .noon).team.members.count == 2)
            #expect(try ada.store.standing(of: bob.key, now: .noon).membership(in: id) != nil)
            _ = try ada.store.teams.change(id, .remove(bob.pin), by: ada.identity, now: .noon)
            #expect(try ada.store.standing(of: bob.key, now: .noon) == .anyone)
            try ada.store.peers.confirm(name: carol.identity.name, key: carol.key, now: .noon)
            #expect(try ada.store.standing(of: carol.key, now: .noon).isContact)
            try ada.store.peers.forget(carol.identity.name)
            #expect(try ada.store.standing(of: carol.key, now: .noon) == .anyone)
            try ada.store.inboxes.remember("/\(number)")
            #expect(try ada.store.inboxes.all().first == "/\(number)")
        }
    }
}
