import Foundation
import PortolanValues
import Testing

@testable import PortolanTrust

/// Devices whose clocks are a year off, in a team with those whose clocks are right.
@Suite struct ClockTests {
    let ada: TeamDevice
    let bob: TeamDevice
    let id: TeamID

    init() throws {
        ada = try TeamDevice("ada")
        bob = try TeamDevice("bob")
        id = try ada.found("acme", with: [bob])
    }

    private func isMember(_ one: TeamDevice, to other: TeamDevice, now: Date) throws -> Bool {
        try other.store.standing(of: one.key, now: now).membership(in: id) != nil
    }

    @Test(arguments: [-365.0, 365])
    func wrongClockOfAMemberHasNoEffect(days: Double) throws {
        let wrong = Date.noon(plusDays: days)
        let before = try bob.temporary.bytes(bob.file(id))
        #expect(try isMember(ada, to: bob, now: .noon))
        #expect(try !isMember(ada, to: bob, now: wrong))
        #expect(try bob.teams.renewIfDue(by: bob.identity, now: wrong).isEmpty)
        _ = try bob.hear(id, from: ada, now: wrong)
        #expect(try bob.temporary.bytes(bob.file(id)) == before)
        #expect(try isMember(ada, to: bob, now: .noon))
    }

    @Test(arguments: [-365.0, 365])
    func anAdminsWrongClockIsPutRight(days: Double) throws {
        let wrong = Date.noon(plusDays: days)
        #expect(try ada.teams.renewIfDue(by: ada.identity, now: wrong).count == 1)
        // Its members do not accept a roster dated in the future; a date that is long past has no effect.
        _ = try? bob.hear(id, from: ada)
        #expect(try isMember(ada, to: bob, now: .noon) == (days > 0))
        #expect(try !isMember(bob, to: ada, now: .noon))
        // The clock is right again.
        #expect(try ada.teams.renewIfDue(by: ada.identity, now: .noon).count == 1)
        _ = try bob.hear(id, from: ada)
        #expect(try isMember(ada, to: bob, now: .noon) && isMember(bob, to: ada, now: .noon))
    }

    @Test(arguments: [-365.0, 365])
    func removedMemberDoesNotReturnWithAChangedClock(days: Double) throws {
        let wrong = Date.noon(plusDays: days)
        try ada.change(id, .remove(bob.pin))
        for now in [wrong, .noon] {
            #expect(try !isMember(bob, to: ada, now: now))
            // The rosters that the removed device still has change nothing, whatever their date.
            _ = try? ada.hear(id, from: bob, now: now)
            #expect(try !isMember(bob, to: ada, now: now))
        }
    }

    @Test(arguments: [-365.0, 365])
    func contactIsIndependentOfTheClock(days: Double) throws {
        let wrong = Date.noon(plusDays: days)
        try KnownPeers(home: ada.temporary.home).confirm(name: bob.identity.name, key: bob.key, now: wrong)
        for now in [wrong, .noon, Date.noon(plusDays: -days)] {
            #expect(try ada.store.standing(of: bob.key, now: now).isContact)
        }
    }
}
