import PortolanProtocol
import Synchronization
import Testing

@testable import PortolanSyncPeers

/// Rounds of work that one change causes.
@Suite(.serialized) struct RoundTests {
    /// Waits until no work is left on a device, now or by the clock.
    private func settle(_ device: SyncDevice) async throws {
        while true {
            let overview = try await device.service.overview()
            let isLate = device.service.folders.contains { $0.state.withLock { $0.lateTime != nil } }
            if !isLate, overview.allSatisfy(\.isIdle) { break }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Ends the rounds that have been requested so far, and puts off the scans of quiet folders.
    private func endRounds(_ device: SyncDevice) async throws {
        try await settle(device)
        for folder in device.service.folders {
            folder.state.withLock { $0.wholeTime = .now + .seconds(86_400) }
        }
        await device.service.refresh()
    }

    private func rounds(_ device: SyncDevice, but id: SyncFolderID) -> Int {
        device.service.folders.filter { $0.id != id }.reduce(0) { $0 + $1.state.withLock(\.begun) }
    }

    @Test("a change in one of many folders causes no work in the others")
    func others() async throws {
        let (one, other) = (try SyncDevice("one"), try SyncDevice("other"))
        let id = SyncFolderID()
        try one.share(id, with: [other])
        try other.share(id, with: [one])
        for number in 0..<6 {
            let id = SyncFolderID()
            try one.share(id, with: [other], as: "folder \(number)")
            try other.share(id, with: [one], as: "folder \(number)")
        }
        try await SyncDevice.running([one, other]) {
            try one.write("first", [1])
            try await other.changed { other.bytes("first") == [1] }
            for device in [one, other] { try await endRounds(device) }
            let before = [one, other].map { rounds($0, but: id) }
            try one.write("second", [2])
            try await other.changed { other.bytes("second") == [2] }
            for device in [one, other] { try await settle(device) }
            #expect([one, other].map { rounds($0, but: id) } == before)
        }
    }
}
