import Foundation
import PortolanSyncPlan
import TestSupport
import Testing

@testable import PortolanSyncFolder

/// The process ends at any call that changes something on the disk, and starts again.
@Suite(.atOnce(4)) struct CrashTests {
    @Test("after a crash at any call all are alike, and nothing is lost", arguments: 0..<90)
    func crash(calls: Int) async throws {
        let disk = WatchedStorage()
        let folders = try await SyncFolders.withChanges(on: disk)
        let wanted = try folders.listing(1)

        disk.end(after: calls)
        _ = try? await folders.synchronize(0)
        try await folders.restart(0)
        try await folders.settle()
        #expect(try folders.common() == wanted)
        let history = try await folders.replicas[0].history().compactMap {
            folders.text(0, "\(ControlFolder.name)/history/\($0.file)")
        }
        #expect(Set(history) == ["1", "2"], "what was replaced or deleted, and nothing else")
        let staging = folders(0, "\(ControlFolder.name)/staging")
        #expect(try FileManager.default.contentsOfDirectory(atPath: staging).isEmpty)
        try await folders.checkAll()
    }

    @Test("the calls of the test above are more than those of the work")
    func enough() async throws {
        let disk = WatchedStorage()
        let folders = try await SyncFolders(2, storage: [0: disk])
        try folders.write(1, "a", "1")
        try await folders.synchronize(1)
        try await folders.pull(0, from: 1)
        disk.end(after: 90)
        try await folders.synchronize(0)
        #expect(!disk.hasEnded && folders.text(0, "a") == "1")
    }
}
