import Foundation
import PortolanProtocol
import Testing

@testable import PortolanSyncPeers

/// A folder of the disk under several paths.
@Suite struct SamePlaceTests {
    private let root: URL

    init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: "portolan-places-\(UUID().uuidString)")
        for folder in ["notes/sub", "other"] {
            try FileManager.default.createDirectory(
                at: root.appending(path: folder), withIntermediateDirectories: true)
        }
        try FileManager.default.createSymbolicLink(
            at: root.appending(path: "link"), withDestinationURL: root.appending(path: "notes"))
    }

    private func place(_ name: String) -> SyncFolderPlace { SyncFolderPlace(root.appending(path: name).path) }

    @Test("a folder is recognised by any path, and so are those in it and around it, also before they exist")
    func places() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        let notes = place("notes")
        func obstacle(_ name: String) -> String? { place(name).obstacle(beside: notes, called: "Notes") }
        let same = "It is the folder “Notes” by another path, which is kept alike."
        let inside = "It is in the folder “Notes”, which is kept alike."
        #expect(obstacle("link") == same)
        #expect(obstacle("other/../link/.") == same)
        #expect(obstacle("link/sub") == inside)
        #expect(obstacle("link/new/folder") == inside)
        #expect(SyncFolderPlace(root.path).obstacle(beside: notes, called: "Notes")?.contains("has in it") == true)
        for name in ["other", "other/new", "notes2"] { #expect(obstacle(name) == nil, "\(name)") }
        // Before the kept folder exists, it has no files in common with those that do.
        #expect(notes.obstacle(beside: place("other/none"), called: "None") == nil)
    }

    @Test("of two entries of the list that lead to one folder, the later one is not opened, and says why")
    func service() async throws {
        defer { try? FileManager.default.removeItem(at: root) }
        let device = try SyncDevice("ada")
        try device.share(SyncFolderID(), with: [])
        let link = root.appending(path: "again")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: device.folder)
        try device.add(link.path, named: "again")
        let later = root.appending(path: "other")
        try device.add(later.path, named: "later")
        try await SyncDevice.running([device]) {
            await device.service.refresh()
            let folders = try await device.service.overview()
            #expect(folders.map(\.isKept) == [true, false, true])
            #expect(folders[1].status.problem?.contains("“notes” by another path") == true)
            #expect(folders[2].status.problem == nil)

            // An open folder whose path leads to another one since then.
            try FileManager.default.moveItem(at: later, to: root.appending(path: "away"))
            try FileManager.default.createSymbolicLink(at: later, withDestinationURL: device.folder)
            await device.service.refresh()
            let now = try await device.service.overview()
            #expect(now.map(\.isKept) == [true, false, false])
            #expect(now[2].status.problem?.contains("“notes” by another path") == true)
        }
    }
}
