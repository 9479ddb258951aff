import PortolanProtocol
import Testing

@testable import PortolanSyncing

/// Rounds of work that announcements of a peer cause.
@Suite struct PeerAnnouncementTests {
    private let ids = [SyncFolderID(), SyncFolderID()]

    private func folder(_ place: Int, _ latest: UInt64?, taken: UInt64? = nil) throws -> Message.SyncFolders.Folder {
        try Message.SyncFolders.Folder(
            id: ids[place], name: "folder \(place)", latest: latest.map { SyncPosition(epoch: 7, sequence: $0) },
            taken: taken.map { SyncPosition(epoch: 9, sequence: $0) })
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
