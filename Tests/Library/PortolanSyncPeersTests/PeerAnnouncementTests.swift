import PortolanProtocol
import PortolanSyncPlan
import Synchronization
import Testing

@testable import PortolanSyncPeers

/// Rounds of work that announcements of a peer cause.
@Suite struct PeerAnnouncementTests {
    private let ids = [SyncFolderID(), SyncFolderID()]

    private func folder(
        _ place: Int, _ latest: UInt64?, taken: UInt64? = nil, lacks: [MemberLack] = []
    ) throws -> Message.SyncFolders.Folder {
        try Message.SyncFolders.Folder(
            id: ids[place], name: "folder \(place)", latest: latest.map { SyncPosition(epoch: 7, sequence: $0) },
            taken: taken.map { SyncPosition(epoch: 9, sequence: $0) }, lacks: lacks)
    }

    private func folders(_ all: Message.SyncFolders.Folder...) throws -> Message.SyncFolders {
        try Message.SyncFolders(all)
    }

    @Test("a folder is news if it is new, changed or gone, and no other one is")
    func changes() throws {
        var announcement = PeerAnnouncement()
        #expect(announcement.replace(by: try folders(folder(0, 1), folder(1, nil)), said: nil))
        #expect(announcement.takeNews() == Set(ids))
        #expect(!announcement.replace(by: try folders(folder(0, 1), folder(1, nil)), said: nil))
        #expect(announcement.takeNews().isEmpty)
        #expect(announcement.replace(by: try folders(folder(0, 2), folder(1, nil)), said: nil))
        #expect(announcement.replace(by: try folders(folder(0, 3), folder(1, nil)), said: nil))
        #expect(announcement.takeNews() == [ids[0]])
        #expect(announcement.takeNews().isEmpty)
        #expect(announcement.replace(by: try folders(folder(0, 3)), said: nil))
        #expect(announcement.takeNews() == [ids[1]])
        announcement.renew()
        #expect(announcement.takeNews() == [ids[0]])
    }

    @Test("other lacks alone are no news, and are reported apart")
    func lacks() throws {
        var announcement = PeerAnnouncement()
        let full = [MemberLack(.diskFull, [], count: 0)]
        #expect(announcement.replace(by: try folders(folder(0, 1), folder(1, 1, lacks: full)), said: nil))
        #expect(announcement.lacking.isEmpty && announcement.takeNews() == Set(ids))
        #expect(!announcement.replace(by: try folders(folder(0, 1, lacks: full), folder(1, 1, lacks: full)), said: nil))
        #expect(announcement.lacking == [ids[0]] && announcement.takeNews().isEmpty)
        #expect(announcement.replace(by: try folders(folder(0, 2), folder(1, 1)), said: nil))
        #expect(announcement.lacking == [ids[1]] && announcement.takeNews() == [ids[0]])
    }

    @Test("a thousand changes of lacks while one is worked on are reported as one")
    func flood() async throws {
        let news = LackNews()
        let calls = Mutex<[Set<SyncFolderID>]>([])
        let goesOn = Signal()
        let reporting = Task {
            await news.report(pausing: { try await goesOn.wait() }) { folders in calls.withLock { $0.append(folders) } }
        }
        defer { reporting.cancel() }
        news.add([ids[0]])
        while calls.withLock(\.isEmpty) { try await Task.sleep(for: .milliseconds(2)) }
        for _ in 0..<1000 { news.add([ids[1]]) }
        #expect(calls.withLock(\.count) == 1)
        goesOn.give()
        while calls.withLock(\.count) < 2 { try await Task.sleep(for: .milliseconds(2)) }
        reporting.cancel()
        await reporting.value
        #expect(calls.withLock { $0 } == [[ids[0]], [ids[1]]])
    }

    @Test("processed changes of this device are no news, unless this device has not told them")
    func processed() throws {
        // This device's own announcement has its own positions.
        let said = try Message.SyncFolders([
            Message.SyncFolders.Folder(
                id: ids[0], name: "here", latest: SyncPosition(epoch: 9, sequence: 5), taken: nil)
        ])
        var announcement = PeerAnnouncement()
        _ = announcement.replace(by: try folders(folder(0, 1, taken: 3)), said: said)
        _ = announcement.takeNews()
        #expect(announcement.replace(by: try folders(folder(0, 1, taken: 5)), said: said))
        #expect(announcement.takeNews().isEmpty)
        #expect(announcement.replace(by: try folders(folder(0, 1, taken: 6)), said: said))
        #expect(announcement.takeNews() == [ids[0]])
    }

    @Test("an announcement of no folder, as strangers send, causes no work")
    func empty() throws {
        var announcement = PeerAnnouncement()
        #expect(announcement.replace(by: try folders(), said: nil), "the first one ends a wait")
        #expect(announcement.takeNews().isEmpty && announcement.folders?.isEmpty == true)
        #expect(!announcement.replace(by: try folders(), said: nil))
    }
}
