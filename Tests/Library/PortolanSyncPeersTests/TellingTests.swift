import Foundation
import PortolanProtocol
import Testing

@testable import PortolanSyncPeers

/// Status of a folder that is not alike in everything.
@Suite struct TellingTests {
    @Test("an entry that is not kept alike is in the status with its path, and is reported once")
    func skipped() async throws {
        let devices = [try SyncDevice("ada"), try SyncDevice("ben")]
        let id = SyncFolderID()
        try devices[0].share(id, with: [devices[1]])
        try devices[1].share(id, with: [devices[0]])
        try devices[1].write("a", [1, 2, 3])
        #expect(mkfifo(devices[1].folder.appending(path: "pipe").path, 0o600) == 0)
        try await SyncDevice.running(devices) {
            try await devices[0].changed { devices[0].bytes("a") == [1, 2, 3] }
            await devices[1].service.refresh()
            let status = try #require(try await devices[1].service.overview().first?.status)
            #expect(status.skipped?.map(\.path) == ["pipe"])
            #expect(status.skipped?.first?.needsPerson == true && !status.isAlike)
            #expect(status.hasMet == true)
            await devices[0].service.refresh()
            let other = try #require(try await devices[0].service.overview().first?.status)
            #expect(other.isAlike && other.skipped == [] && other.lacks == [] && other.conflicts == [])
        }
    }
}
