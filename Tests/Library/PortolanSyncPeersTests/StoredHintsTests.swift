import Foundation
import PortolanTrust
import Testing

@testable import PortolanSyncPeers

/// Files of hints, which members of folders can make long.
@Suite struct StoredHintsTests {
    private func withList(_ body: (SyncFolderList, URL) throws -> Void) throws {
        let home = FileManager.default.temporaryDirectory.appending(path: "portolan-hints-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: home) }
        let directory = try HomeDirectory(override: home.path, environment: [:])
        try body(SyncFolderList(home: directory), URL(filePath: directory.state).appending(path: "sync"))
    }

    private func spoil(_ file: URL, _ bytes: Data) throws {
        try bytes.write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }

    private func offers(_ number: Int, _ count: Int, name: String) -> SyncFolderList.Offers {
        SyncFolderList.Offers(
            key: "\(number)", peer: "device \(number)", source: "team",
            folders: (0..<count).map { .init(id: "\($0)", name: name, statements: []) })
    }

    /// The longest text in a file of JSON: each character is escaped.
    private let long = String(repeating: "\u{1}", count: 255)

    @Test("offers of many devices with long names of folders are stored as far as they are read again")
    func manyOffers() throws {
        try withList { list, _ in
            try list.remember((0..<48).map { offers($0, 256, name: long) } + [offers(48, 1, name: "notes")])
            let stored = try list.storedOffers()
            #expect(stored.count > 1 && stored.count < 49)
            #expect(stored.last?.key == "48")
            // Another process reads the file, and changes it.
            try list.remember([offers(49, 1, name: "photos")])
            #expect(try list.storedOffers().contains { $0.key == "49" })
        }
    }

    @Test("a spoiled file of offers, or one that is too large, is made again")
    func spoiled() throws {
        try withList { list, folder in
            try list.remember([offers(0, 1, name: "notes")])
            for bytes in [Data("none".utf8), Data(count: SyncFolderList.sizeLimit + 1)] {
                try spoil(folder.appending(path: "offered"), bytes)
                #expect(try list.storedOffers().isEmpty)
                try list.remember([offers(1, 1, name: "notes")])
                #expect(try list.storedOffers().map(\.key) == ["1"])
            }
        }
    }

    @Test("a status with long lists of paths is read again, and a spoiled one counts as none")
    func status() throws {
        try withList { list, folder in
            let entry = SyncFolderEntry(name: "notes", path: "/notes", audiences: [], id: nil)
            var status = SyncFolderList.Status()
            let lacks = (0..<1000).map { _ in SyncLack(path: long + long, reason: "It waits.", needsPerson: true) }
            status.lacks = lacks
            status.skipped = lacks
            status.conflicts = lacks.compactMap(\.path)
            status.problem = "The disk is full."
            try list.set(status, of: entry)
            let stored = try #require(try list.status(of: entry))
            #expect(stored.problem == status.problem)
            #expect((stored.lacks ?? []).count > 100)
            try spoil(folder.appending(path: entry.local + ".status"), Data(count: SyncFolderList.sizeLimit + 1))
            #expect(try list.status(of: entry) == nil)
            try list.set(SyncFolderList.Status(), of: entry)
            #expect(try list.status(of: entry) == SyncFolderList.Status())
        }
    }
}
