import Foundation
import Glibc
import PortolanCrypto
import PortolanValues
import Testing

@testable import PortolanTrust

@Suite struct DefaultTeamTests {
    let ada: TeamDevice
    let bob: TeamDevice

    init() throws {
        ada = try TeamDevice("ada")
        bob = try TeamDevice("bob")
    }

    private func standard() throws -> TeamID? { try ada.teams.all().first(where: \.isDefault)?.id }

    @Test func firstTeamIsTheDefaultUntilAnotherIsChosen() throws {
        let first = try ada.create("one")
        #expect(try standard() == first)
        let second = try ada.create("two")
        try ada.create("three")
        #expect(try standard() == first)
        try ada.teams.use(second)
        #expect(try standard() == second)
        #expect(try ada.change(second, .renew).isDefault)
        #expect(try !ada.change(first, .renew).isDefault)
        #expect(throws: TeamError.self) { try ada.teams.use(try bob.create("other")) }
        #expect(try standard() == second)
    }

    @Test func leavingTheDefaultTeamLeavesNoDefaultAmongSeveral() throws {
        let first = try ada.create("one")
        let second = try ada.create("two")
        let third = try ada.create("three")
        #expect(try ada.teams.leave(first))
        #expect(try standard() == nil)
        #expect(try ada.teams.leave(third))
        #expect(try standard() == second)
    }

    @Test func removalFromTheDefaultTeamLeavesNoDefault() throws {
        let theirs = try bob.create("one")
        try bob.add(ada, to: theirs)
        try ada.join(theirs, of: bob)
        let own = try ada.create("two")
        #expect(try standard() == theirs)
        try bob.change(theirs, .remove(ada.pin))
        try ada.hear(theirs, from: bob)
        #expect(try standard() == nil)
        try ada.teams.use(own)
        #expect(try standard() == own)
    }

    @Test func defaultOfAMissingTeamIsNone() throws {
        // State after a process that ended between leaving the team and forgetting that it was the default.
        let first = try ada.create("one")
        let second = try ada.create("two")
        let third = try ada.create("three")
        unlink(ada.file(first))
        #expect(try standard() == nil)
        unlink(ada.file(third))
        #expect(try standard() == second)
    }

    @Test(
        "a damaged default is an error, and can be replaced",
        arguments: [
            "", "x\n", "\n", "aaaaaaaaaaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaaaaaaaa\n\n",
            String(repeating: "a", count: 99),
        ])
    func damaged(contents: String) throws {
        let id = try ada.create("one")
        let path = ada.directory + "/default"
        try ada.temporary.write(contents.utf8, to: path)
        chmod(path, 0o600)
        #expect(throws: StoreError.self) { try ada.teams.all() }
        #expect(throws: StoreError.self) { try ada.store.teams.all() }
        // Standings do not depend on the default.
        #expect(try ada.store.standing(of: ada.key, now: .noon).memberships.count == 1)
        try ada.teams.use(id)
        #expect(try standard() == id)
    }
}
