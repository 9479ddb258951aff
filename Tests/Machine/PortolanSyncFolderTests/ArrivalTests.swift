import PortolanFiles
import PortolanSyncPlan
import Testing

@testable import PortolanSyncFolder

/// Files and folders that came from a removed device.
@Suite struct ArrivalTests {
    /// Devices of which the second one gives the others files and, 100 seconds later, another one and new places.
    private func withFiles() async throws -> (SyncFolders, between: Int64) {
        let folders = try await SyncFolders(3)
        try folders.stopClock()
        let start = folders.replicas[0].now().seconds
        for name in ["before", "moved"] { try folders.write(1, name, name) }
        try folders.write(2, "theirs", "3")
        try await folders.settle()
        folders.pass(100)
        try folders.write(1, "after", "1")
        folders.move(1, "theirs", to: "taken")
        folders.move(1, "moved", to: "new")
        try folders.write(2, "other", "2")
        try await folders.settle()
        return (folders, start + 50)
    }

    @Test("the files that a removed device gave after its removal are listed, and no others")
    func listing() async throws {
        let (folders, between) = try await withFiles()
        let (replica, device) = (folders.replicas[0], SyncFolders.device(1))
        let arrivals = try await replica.arrivals(after: [device: between], limit: 10)
        #expect(arrivals[device]?.paths == ["after", "new", "taken"] && arrivals.count == 1)
        // The third device has it from the first one.
        #expect(try await folders.replicas[2].arrivals(after: [device: between], limit: 10).isEmpty)
        // A later change by another device takes them out.
        try folders.write(0, "after", "2")
        try folders.remove(2, "new")
        folders.move(2, "taken", to: "back")
        try await folders.settle()
        #expect(try await replica.arrivals(after: [device: between], limit: 10).isEmpty)
    }

    @Test("a file that a removed device passes on as another one's is listed")
    func passedOn() async throws {
        let (folders, between) = try await withFiles()
        try folders.write(2, "through", "1")
        try await folders.synchronize(2)
        try await folders.pull(1, from: 2)
        try await folders.pull(0, from: 1)
        let device = SyncFolders.device(1)
        let arrivals = try await folders.replicas[0].arrivals(after: [device: between], limit: 10)
        #expect(arrivals[device]?.paths == ["after", "new", "taken", "through"])
    }

    @Test("the earliest known time of a removal counts, also after a restart, until the device is removed no more")
    func removal() async throws {
        let (folders, between) = try await withFiles()
        let device = SyncFolders.device(1)
        func paths(_ removals: [DeviceID: Int64]) async throws -> [String]? {
            try await folders.replicas[0].arrivals(after: removals, limit: 10)[device]?.paths
        }
        #expect(try await paths([device: between])?.count == 3)
        try await folders.restart(0)
        #expect(try await paths([device: between + 1000])?.count == 3)
        #expect(try await paths([:]) == nil)
        #expect(try await paths([device: between + 1000]) == nil)
    }
}
