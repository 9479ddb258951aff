import Glibc
import PortolanTrust
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Files that come once more with another time.
@Suite(.aside) struct ComparingTests {
    private let temporary = TemporaryFolder.inMemory()
    private let block = 256 << 10
    private let bytes = Shipment.noise(1_000_001, 7)
    private let later = FileTime(timespec(tv_sec: 1_400_000_000, tv_nsec: 5))

    /// Nil where the file system keeps no attributes, by which files are recognised.
    private func inbox() throws -> Inbox? {
        let inbox = try temporary.inbox()
        guard try SourceMark.set(.test(9), on: inbox.open(), by: KernelStorage()) else {
            print("skipped: the file system of \(inbox.path) keeps no attributes")
            return nil
        }
        return inbox
    }

    private func receive(_ shipment: inout Shipment, in inbox: Inbox, called name: String) throws -> StoredItem {
        let partial = try inbox.receive(shipment.about(name), called: FileName(name), asking: true)
        try shipment.send(to: partial)
        return try partial.publish(as: FileName(name))
    }

    private func file(_ bytes: [UInt8], _ permissions: UInt16 = 0o644) -> Shipment {
        Shipment([Shipment.Entry(parent: 0, name: "file", kind: .file(bytes), permissions: permissions)])
    }

    @Test(arguments: [0o644, 0o444] as [UInt16])
    func aFileWithAnotherTimeIsNotSentAgainAndLiesThereOnce(permissions: UInt16) throws {
        guard let inbox = try inbox() else { return }
        try obeyingPermissions {
            var first = file(bytes, permissions)
            _ = try receive(&first, in: inbox, called: "file")
            for seconds in [1, 2, 3] as [Int64] {
                var again = Shipment(file(bytes, permissions).entries, seed: UInt64(seconds))
                again.entries[0].modified = try FileTime(seconds: seconds, nanoseconds: 7)
                let stored = try receive(&again, in: inbox, called: "file")
                #expect(again.sent == 0 && stored.updated && stored.name.text == "file")
                #expect(stored.keptBytes == stored.bytes && stored.bytes == UInt64(bytes.count))
                #expect(snapshot(of: inbox.path) == again.expected(as: "file"))
            }
        }
    }

    @Test func ofAFileThatChangedOnlyTheChangedBlockIsSentAndTheOldOneStays() throws {
        guard let inbox = try inbox() else { return }
        var first = file(bytes)
        _ = try receive(&first, in: inbox, called: "file")
        let before = snapshot(of: inbox.path)
        var changed = bytes
        changed[block + 5] ^= 1
        var second = file(changed)
        second.entries[0].modified = later
        let stored = try receive(&second, in: inbox, called: "file")
        #expect(second.sent == block && stored.name.text == "file (2)" && stored.bytes == UInt64(changed.count))
        #expect(Set(snapshot(of: inbox.path)) == Set(before + second.expected(as: "file (2)")))
    }

    @Test(arguments: [false, true])
    func inAFolderTheSameHolds(isChanged: Bool) throws {
        guard let inbox = try inbox() else { return }
        var first = Shipment.tree()
        _ = try receive(&first, in: inbox, called: "tree")
        for seed in 1...10 as ClosedRange<UInt64> {
            var again = Shipment(Shipment.tree().entries, seed: seed)
            for index in [1, 6] {
                guard case .file(var content) = again.entries[index].kind else { continue }
                if isChanged { content[Int(seed)] ^= UInt8(seed) }
                again.entries[index].kind = .file(content)
                again.entries[index].modified = try FileTime(seconds: Int64(seed), nanoseconds: 0)
            }
            let stored = try receive(&again, in: inbox, called: "tree")
            #expect(again.sent == (isChanged ? 2 * block : 0) && stored.updated && stored.report.isComplete)
            #expect(snapshot(of: inbox.path) == again.expected(as: "tree"))
        }
    }

    @Test func whatWasChangedHereIsNotCompared() throws {
        guard let inbox = try inbox() else { return }
        var first = file(bytes)
        _ = try receive(&first, in: inbox, called: "file")
        let path = inbox.path + "/file"
        var times = [timespec(tv_sec: 5, tv_nsec: 0), timespec(tv_sec: 5, tv_nsec: 0)]
        try #require(utimensat(AT_FDCWD, path, &times, 0) == 0)
        let mine = snapshot(of: inbox.path)
        var second = file(bytes)
        second.entries[0].modified = later
        let stored = try receive(&second, in: inbox, called: "file")
        #expect(second.sent == bytes.count && stored.name.text == "file (2)" && !stored.updated)
        #expect(Set(snapshot(of: inbox.path)) == Set(mine + second.expected(as: "file (2)")))
    }

    /// The moment of a change made here: before the first digest, before the first byte, or before the end.
    @Test(arguments: [0, 3, 4], [false, true])
    func aChangeMadeHereMeanwhileIsNotOverwritten(digests: UInt64, isSame: Bool) throws {
        guard let inbox = try inbox() else { return }
        var first = file(bytes)
        _ = try receive(&first, in: inbox, called: "file")
        let partial = try inbox.receive(first.about("file"), called: FileName("file"), asking: true)
        let entry = TreeEntry(
            index: 0, parent: 0, name: try FileName("file"), kind: .file(size: UInt64(bytes.count)),
            permissions: 0o644, modified: later)
        #expect(try partial.add(entry) == .compare(blocks: [0..<4]))
        for block in 0..<digests { _ = try partial.digest(0, block: block) }
        let path = inbox.path + "/file"
        let descriptor = Glibc.open(path, O_WRONLY)
        try #require(pwrite(descriptor, "mine", 4, 10) == 4)
        close(descriptor)
        #expect(throws: FileError.self) {
            for block in digests..<4 { _ = try partial.digest(0, block: block) }
            if !isSame { try bytes[..<10].withUnsafeBytes { try partial.write(0, at: 0, $0) } }
            try partial.finish(0, size: UInt64(bytes.count))
            _ = try partial.publish(as: FileName("file"))
        }
        partial.discard()
        var expected = bytes
        expected.replaceSubrange(10..<14, with: Array("mine".utf8))
        #expect(try Files.read(path) == expected && names(in: inbox.path) == ["file"])
    }

    /// A sender need not compare: it may send the content with the announcement.
    @Test func contentThatComesAtOnceIsTaken() throws {
        guard let inbox = try inbox() else { return }
        let content = Array(bytes.prefix(100_000))
        var first = file(content)
        _ = try receive(&first, in: inbox, called: "file")
        let partial = try inbox.receive(first.about("file"), called: FileName("file"), asking: true)
        let entry = TreeEntry(
            index: 0, parent: 0, name: try FileName("file"), kind: .file(size: 100_000), permissions: 0o644,
            modified: later)
        guard case .compare = try partial.add(entry) else {
            Issue.record("The stored file is not compared.")
            return
        }
        try content.withUnsafeBytes { try partial.content(0, $0) }
        #expect(try partial.publish(as: FileName("file")).name.text == "file (2)")
    }

    @Test func filesThatTheSourceHasLostAreCounted() throws {
        guard let inbox = try inbox() else { return }
        var first = Shipment.tree()
        #expect(try receive(&first, in: inbox, called: "tree").surplus == 0)
        // The person's own, which never came.
        try Files.write("mine", to: inbox.path + "/tree/sub/mine")
        var less = Shipment(Array(Shipment.tree().entries.prefix(2)))
        // “sub” with five files of its own and of its folder, and “last”; links are not counted.
        #expect(try receive(&less, in: inbox, called: "tree").surplus == 7)
        var again = Shipment.tree()
        #expect(try receive(&again, in: inbox, called: "tree").surplus == 0)
    }

    @Test(arguments: ["x.tar.gz", "x.txt", "x"]) func theVersionBesideAChangedFileIsNoSurplus(_ name: String) throws {
        guard let inbox = try inbox() else { return }
        var first = Shipment([
            Shipment.Entry(parent: 0, name: "tree", kind: .folder, permissions: 0o755),
            Shipment.Entry(parent: 0, name: name, kind: .file([1])),
        ])
        _ = try receive(&first, in: inbox, called: "tree")
        temporary.file("inbox/tree/" + name, "mine")
        for seconds in [1, 2] as [Int64] {
            var again = Shipment(first.entries)
            again.entries[1].kind = .file([2, 2])
            again.entries[1].modified = try FileTime(seconds: 1, nanoseconds: 0)
            again.entries[0].modified = try FileTime(seconds: seconds, nanoseconds: 0)
            #expect(try receive(&again, in: inbox, called: "tree").surplus == 0)
        }
        #expect(names(in: inbox.path + "/tree").count == 2)
    }

    @Test func aFolderThatIsMovedAwayFailsNoItemForACount() throws {
        guard let inbox = try inbox() else { return }
        var entries = [Shipment.Entry(parent: 0, name: "tree", kind: .folder, permissions: 0o755)]
        for depth in 1...(OpenFolders.limit + 6) {
            entries.append(
                Shipment.Entry(parent: UInt32(depth - 1), name: "\(depth)", kind: .folder, permissions: 0o755))
        }
        var first = Shipment(entries)
        _ = try receive(&first, in: inbox, called: "tree")
        var again = Shipment(entries)
        let partial = try inbox.receive(again.about(), called: FileName("tree"), asking: true)
        try again.send(to: partial)
        try #require(rename(inbox.path + "/tree/1", temporary("aside")) == 0)
        #expect(try partial.publish(as: FileName("tree")).updated)
    }
}
