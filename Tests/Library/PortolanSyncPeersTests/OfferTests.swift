import PortolanTrust
import PortolanValues
import Testing

@testable import PortolanSyncPeers

/// Folders that devices offer, and what a device does with a folder that is for it no more.
@Suite struct OfferTests {
    private let ada: SyncDevice
    private let ben: SyncDevice

    init() throws { (ada, ben) = (try SyncDevice("ada"), try SyncDevice("ben")) }

    /// Waits until something is true.
    private func wait(until isTrue: () async throws -> Bool) async throws {
        while try await !isTrue() { try await Task.sleep(for: .milliseconds(20)) }
    }

    @Test("a device without a folder learns of a contact's offer, and of its withdrawal")
    func learning() async throws {
        _ = try ada.make(for: [ben])
        try ben.meet(ada)
        try await SyncDevice.running([ben, ada]) {
            try await wait { try ben.offers == [["ada", "notes"]] }
            #expect(try ada.sign(for: [ada]))
            await ada.service.refresh()
            try await wait { try ben.offers.isEmpty }
        }
    }

    @Test("of two folders of one name that are found together none is joined, and a person is asked for the maker")
    func namesakes() async throws {
        let dee = try SyncDevice("dee")
        for device in [ada, dee] {
            _ = try device.make(for: [ben])
            try ben.meet(device)
        }
        try ben.join(ada, or: dee)
        try await SyncDevice.listening([ada, dee]) { try await ben.service.visit(peersAt: $0) }
        #expect(try ben.entry?.id == nil)
        #expect(try await ben.service.overview().first?.status.problem?.contains("--maker") == true)
    }

    @Test("a removed member's folder stands still with a sentence, also after a restart, and offers of the team go")
    func removal() async throws {
        let team = try #require(try ada.found("acme", with: ben).audience?.team)
        try ada.make(forTeam: team, named: "acme")
        try ada.make(forTeam: team, named: "acme", as: "photos")
        // A contact's folder for the team is for the team alone.
        try ben.meet(ada)
        try ben.join(ada)
        func problem() async throws -> String? {
            let overview = try #require(try await ben.service.overview().first)
            return overview.isKept || overview.isIdle ? nil : overview.status.problem
        }
        try ada.write("first", [1])
        try await SyncDevice.running([ada, ben]) {
            try await ben.changed { ben.bytes("first") == [1] }
            try await wait { try ben.offers == [["ada", "photos"]] }
            #expect(try await problem() == nil)
            try ben.take(ada.remove(ben, from: team), of: team)
            #expect(try ben.offers.isEmpty)
            await ben.service.refresh()
            try await wait { try await problem() != nil }
            #expect(try await problem()?.contains("It is for @acme, and this device is not among those") == true)
        }
        #expect(try await ben.problemAtStart()?.contains("It is for @acme") == true)
    }
}
