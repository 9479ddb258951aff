import Foundation
import NodeTestSupport
import Portolan
import PortolanProtocol
import PortolanSyncFolder
import PortolanSyncPlan
import PortolanTransport
import PortolanTrust
import Synchronization
import Testing

@testable import PortolanSyncPeers

/// Times at which a service works without an event, in virtual time.
@Suite struct DueTimeTests {
    private let start = ContinuousClock.now
    private let interval = Duration.seconds(2)

    private func withFolder(_ body: (SyncedFolder) async throws -> Void) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-due-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }
        let replica = try await FolderReplica.open(
            folder: root.path, index: root.path + ".sqlite", device: DeviceID(1), author: "A",
            seals: SealMaker { _ in [UInt8](repeating: 1, count: 16) })
        defer {
            for end in [".sqlite", ".sqlite-wal", ".sqlite-shm", ".sqlite.lock"] { unlink(root.path + end) }
        }
        let id = SyncFolderID()
        try await body(
            SyncedFolder(
                SyncFolderEntry(name: "notes", path: root.path, audiences: [], id: id), id, replica, rank: 0,
                at: SyncFolderPlace(root.path)))
        try await replica.close()
    }

    /// Seconds at which work is due, until `end`.
    private func seconds(_ folder: SyncedFolder, until end: Int) -> [Int] {
        var seconds: [Int] = []
        while let due = folder.dueTime, due <= start + .seconds(end) {
            guard folder.isDue(at: due, every: interval) else { break }
            seconds.append(Int((due - start) / .seconds(1)))
        }
        return seconds
    }

    @Test("a watched folder is looked at once more after a change, and ever less often while nothing changes")
    func watched() async throws {
        try await withFolder { folder in
            folder.state.withLock { $0.isWatched = true }
            folder.ring(for: .whole, at: start)
            #expect(seconds(folder, until: 3600) == [3, 60, 120, 240, 480, 960, 1920])
            let day = seconds(folder, until: 86_400)
            #expect(day.count <= 25 && day.count > 20, "once an hour: \(day)")
            let later = start + .seconds(86_400)
            folder.ring(for: .whole, at: later)
            #expect(folder.dueTime == later + .seconds(3))
            #expect(folder.isDue(at: later + .seconds(3), every: interval))
            #expect(folder.dueTime.map { $0 <= later + .seconds(60) } == true)
        }
    }

    @Test("a folder that waits for something is looked at every minute, and a full disk after 15 seconds")
    func waiting() async throws {
        try await withFolder { folder in
            folder.state.withLock { state in
                state.isWatched = true
                state.status.waits = ["The disk is full; it goes on when there is room."]
            }
            folder.ring(for: .whole, at: start)
            #expect(seconds(folder, until: 300) == [3, 60, 120, 180, 240, 300])
            folder.state.withLock { $0.retryTime = start + .seconds(315) }
            #expect(seconds(folder, until: 320) == [315])
        }
    }

    @Test("a folder that is not watched is read every two seconds")
    func unwatched() async throws {
        try await withFolder { folder in
            #expect(folder.isDue(at: start, every: interval) && !folder.isDue(at: start, every: interval))
            #expect(seconds(folder, until: 7) == [2, 4, 6])
        }
    }

    // MARK: Peers

    @Test("a pause before the next session grows, and begins again after a long one")
    func pauses() {
        var pause = RetryPause()
        let short = (0..<5).map { _ in pause.next(lasted: .zero) }
        #expect(short == [1, 2, 4, 5, 5].map { .seconds($0) })
        #expect(pause.next(lasted: .seconds(11)) == .seconds(1))
        #expect(pause.next(lasted: .zero) == .seconds(2))
    }

    @Test("a peer that is there again is connected to at once, though a pause is under way")
    func sight() async throws {
        let clock = ManualClock()
        let sight = PeersInSight(Runtime(clock: clock))
        let peer = Peer(name: "ben", fingerprint: nil, addresses: [], foundBy: "embedded")
        sight.see([peer])
        #expect(sight.begin(peer) && !sight.begin(peer))
        let pause = Task { try await sight.end(peer, lasted: .zero, longest: .seconds(60)) }
        var sleeps = clock.sleeps.makeAsyncIterator()
        #expect(await sleeps.next() == .seconds(1))
        clock.advance(by: .seconds(1))
        #expect(await sleeps.next() == .seconds(59))
        sight.see([peer])
        #expect(!sight.begin(peer), "the same peer as before is no news")
        sight.see([])
        sight.see([peer])
        try await pause.value
        #expect(sight.begin(peer))
    }

    // MARK: The list

    @Test("the list is read again only if another process has changed it")
    func list() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-list-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let home = try HomeDirectory(override: root.path, environment: [:])
        let (list, other) = (SyncFolderList(home: home), SyncFolderList(home: home))
        #expect(try list.all().isEmpty && list.unchanged == nil)
        let entry = SyncFolderEntry(name: "notes", path: "/notes", audiences: [], id: SyncFolderID())
        try other.change { $0.append(entry) }
        #expect(try list.all() == [entry])
        // A file that has just been written is read until no other write can look like that one.
        while list.unchanged == nil {
            try await Task.sleep(for: .milliseconds(50))
            _ = try list.all()
        }
        #expect(list.unchanged == [entry])
        try other.change { $0 = [] }
        #expect(list.unchanged == nil)
        #expect(try list.all().isEmpty)
    }
}
