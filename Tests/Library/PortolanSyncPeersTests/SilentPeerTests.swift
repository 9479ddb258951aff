import PortolanProtocol
import Testing

@testable import PortolanSyncPeers

/// Members that stay in a session without answering.
@Suite(.serialized) struct SilentPeerTests {
    @Test("a member that never answers keeps the others from nothing")
    func mute() async throws {
        let one = try SyncDevice("one", patience: .milliseconds(200))
        let (mute, other) = (try SyncDevice("mute", meddling: .isMute), try SyncDevice("other"))
        let id = SyncFolderID()
        try one.share(id, with: [mute, other])
        for device in [mute, other] { try device.share(id, with: [one]) }
        try mute.write("unheard", [1])
        try await SyncDevice.running([one, mute, other]) {
            try other.write("a", [2])
            try await one.changed { one.bytes("a") == [2] }
            try one.write("b", [3])
            try await other.changed { other.bytes("b") == [3] }
            #expect(one.bytes("unheard") == nil)
            await one.service.refresh()
            let status = try #require(try await one.service.overview().first?.status)
            let late = "“mute” has changes that have not come yet."
            #expect(status.lacks?.contains { $0.reason == late } == true && !status.isAlike)
        }
    }
}
