import PortolanTrust
import PortolanValues
import Testing

@testable import PortolanSyncPeers

/// Files that come from a removed member before a device hears of the removal.
@Suite struct RemovedMemberTests {
    @Test("a removed member's files are listed on a device that hears of the removal later")
    func listing() async throws {
        let (ada, ben, dee) = (try SyncDevice("ada"), try SyncDevice("ben"), try SyncDevice("dee"))
        let team = try #require(try ada.found("acme", with: ben, dee).audience?.team)
        try ben.make(forTeam: team, named: "acme")
        try dee.join(ben)
        func late() async throws -> [SyncLack]? { try await dee.service.overview().first?.status.sinceRemoval }
        try await SyncDevice.running([ben, dee]) {
            let removal = try ada.remove(ben, from: team)
            try ben.write("late", [1])
            try await dee.changed { dee.bytes("late") == [1] }
            #expect(try await late() == nil)
            try dee.take(removal, of: team)
            while try await late() == nil { try await Task.sleep(for: .milliseconds(20)) }
            #expect(try await late()?.map(\.path) == ["late"])
            #expect(try await late()?.first?.reason.contains("“ben” gave it after 20") == true)
        }
    }
}
