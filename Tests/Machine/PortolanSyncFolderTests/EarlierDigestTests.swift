import GRDB
import PortolanCrypto
import PortolanSyncPlan
import Testing

@testable import PortolanSyncFolder

/// Large files of a program that named contents by their SHA-256 alone.
@Suite struct EarlierDigestTests {
    /// Gives the records, the agreed tree and the known file the digest of the earlier program.
    private func setBack(_ folders: SyncFolders, _ number: Int, _ name: String, to digest: ContentDigest) async throws {
        try await folders.replicas[number].exclusively { replica in
            let root = try #require(replica.folder).handle.number
            try replica.index.transact { index in
                let id = try #require(index.entry(in: .root, named: SyncName(name)))
                var entry = try #require(index.entry(id))
                entry.form?.digest = digest
                index.set(entry)
                let place = FilePlace(folder: root, name: SyncName(name))
                var file = try #require(index.file(at: place))
                file.form?.digest = digest
                index.remember(file, at: place)
                for seen in entry.seen {
                    var record = try #require(index.record(seen.node))
                    for content in record.contents.indices { record.contents[content].value.form.digest = digest }
                    index.store(record, isNews: false)
                }
                try index.transaction.execute("DELETE FROM grdb_migrations WHERE identifier = 'parts'", [])
            }
        }
        try await folders.restart(number)
    }

    @Test("a large file with an earlier digest is read once more on each device, and is no conflict")
    func readAgain() async throws {
        let folders = try await SyncFolders(2)
        let text = String(repeating: "7", count: 2 * ContentDigester.partBytes + 1)
        try folders.write(0, "large", text)
        try folders.write(0, "small", "1")
        try await folders.settle()
        let files = try folders.common()
        let before = try #require(ContentDigest(sha256([Array(text.utf8)])))
        for number in 0..<2 { try await setBack(folders, number, "large", to: before) }
        for report in try await folders.settle() { #expect(report.fetched == 0) }
        #expect(try folders.common() == files)
        try await folders.checkAll()
        let now = FileLook.digest(Array(text.utf8))
        for replica in folders.replicas {
            #expect(try replica.openContent(now) != nil)
            #expect(try replica.openContent(before) == nil)
        }

        try folders.write(1, "large", text + "8")
        try await folders.settle()
        #expect(try folders.common() == ["large=\(text)8", "small=1"])
    }
}
