import Foundation
import Glibc
import PortolanValues
import Synchronization
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

    private func receive(_ shipment: inout Shipment, in inbox: Inbox, called name: String) throws -> PublishedItem {
        let partial = try inbox.receive(shipment.about(name), called: FileName(name), asking: true)
        try shipment.send(to: partial)
        return try partial.publish(as: FileName(name))
    }

    private func file(_ bytes: [UInt8], _ permissions: UInt16 = 0o644) -> Shipment {
        Shipment([Shipment.Entry(parent: 0, name: "file", kind: .file(bytes), permissions: permissions)])
    }

    @Test(arguments: [0o644, 0o444] as [UInt16])
    func fileWithAChangedTimeIsNotSentAgain(permissions: UInt16) throws {
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

    @Test func onlyTheChangedBlockIsSentAndTheOldFileStaysUntilTheEnd() throws {
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
        // The version that the sender had last is the one that it may have now.
        for seconds in [1_500_000_000, 1_600_000_000] as [Int64] {
            var touched = file(changed)
            touched.entries[0].modified = try FileTime(seconds: seconds, nanoseconds: 0)
            let again = try receive(&touched, in: inbox, called: "file")
            #expect(touched.sent == 0 && again.name.text == "file (2)")
            #expect(Set(snapshot(of: inbox.path)) == Set(before + touched.expected(as: "file (2)")))
        }
    }

    @Test func onlyReceivedBytesCountForAnotherVersion() throws {
        guard let inbox = try inbox() else { return }
        var first = file(bytes)
        _ = try receive(&first, in: inbox, called: "file")
        var came = 0
        for round in 1...3 as ClosedRange<UInt64> {
            var second = Shipment(file(Shipment.noise(bytes.count, 8)).entries, seed: round)
            second.entries[0].modified = later
            // The announcement, the digests of four blocks, and one block.
            second.patience = 6
            let partial = try inbox.receive(second.about("file"), called: FileName("file"), asking: true)
            #expect(throws: Shipment.Interrupted.self) { try second.send(to: partial) }
            came += second.sent
            #expect(try inbox.partials().allSatisfy { $0.bytes <= UInt64(came) })
            partial.suspend()
            #expect(try inbox.partials().map(\.bytes) == [UInt64(came)])
        }
        #expect(came > 0 && came < bytes.count)
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

    @Test func locallyChangedFilesAreNotCompared() throws {
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
        let thrown = kind {
            for block in digests..<4 { _ = try partial.digest(0, block: block) }
            if !isSame { try bytes[..<10].withUnsafeBytes { try partial.write(0, at: 0, $0) } }
            try partial.finish(0, size: UInt64(bytes.count))
            _ = try partial.publish(as: FileName("file"))
        }
        #expect(thrown == .changedHere)
        partial.discard()
        var expected = bytes
        expected.replaceSubrange(10..<14, with: Array("mine".utf8))
        #expect(try Files.read(path) == expected && names(in: inbox.path) == ["file"])
    }

    /// A sender need not compare: it may send the content with the announcement.
    @Test func wholeContentReplacesTheComparison() throws {
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

    @Test func localChangeKeepsTheReceivedRest() throws {
        guard let inbox = try inbox() else { return }
        typealias Entry = Shipment.Entry
        let folder = Entry(parent: 0, name: "tree", kind: .folder, permissions: 0o755)
        let compared = Entry(parent: 0, name: "compared", kind: .file(bytes))
        var first = Shipment([folder, compared])
        _ = try receive(&first, in: inbox, called: "tree")

        let new = Entry(parent: 0, name: "new", kind: .file(Shipment.noise(1 << 20, 8)))
        var second = Shipment([folder, new])
        let partial = try inbox.receive(second.about(), called: FileName("tree"), asking: true)
        try second.send(to: partial)
        try partial.add(2, "compared", .file(size: UInt64(bytes.count)), modified: later)
        for block in 0..<4 as Range<UInt64> { _ = try partial.digest(2, block: block) }
        // The file is replaced as an editor does, by a new one under the name.
        try #require(rename(temporary.file("mine", "mine"), inbox.path + "/tree/compared") == 0)
        #expect(kind { try partial.finish(2, size: UInt64(bytes.count)) } == .changedHere)
        partial.suspend()
        #expect(try inbox.partials().count == 1)

        var third = Shipment([folder, new])
        #expect(try receive(&third, in: inbox, called: "tree").keptBytes == 1 << 20)
        #expect(third.sent == 0)
        #expect(try Files.read(inbox.path + "/tree/compared") == Array("mine".utf8))
    }

    @Test func aChangeMadeHereAtTheEndStaysAChange() throws {
        let storage = HookedStorage()
        let inbox = try temporary.inbox(storage: storage)
        guard try self.inbox() != nil else { return }
        var first = file(bytes)
        _ = try receive(&first, in: inbox, called: "file")
        let partial = try inbox.receive(first.about("file"), called: FileName("file"), asking: true)
        try partial.add(comparedFile(attributes: [try #require(FileAttribute(name: "note".utf8, value: [1]))]))
        for block in 0..<4 as Range<UInt64> { _ = try partial.digest(0, block: block) }
        let path = inbox.path + "/file"
        storage.onAttribute { name in
            guard name == "user.note" else { return }
            let file = Glibc.open(path, O_WRONLY)
            _ = pwrite(file, "mine", 4, 10)
            close(file)
        }
        #expect(kind { try partial.finish(0, size: UInt64(bytes.count)) } == .changedHere)
        partial.discard()
        #expect(!ReceivedMark.isTrue(of: Descriptor(owning: Glibc.open(path, O_RDONLY))))
    }

    private func comparedFile(attributes: [FileAttribute] = [], lacksAttributes: Bool = false) throws -> TreeEntry {
        TreeEntry(
            index: 0, parent: 0, name: try FileName("file"), kind: .file(size: UInt64(bytes.count)),
            permissions: 0o644, modified: later, attributes: attributes, lacksAttributes: lacksAttributes)
    }

    @Test func unstoredAttributesAreReported() throws {
        guard let inbox = try inbox() else { return }
        var first = file(bytes)
        _ = try receive(&first, in: inbox, called: "file")
        let partial = try inbox.receive(first.about("file"), called: FileName("file"), asking: true)
        try partial.add(comparedFile(lacksAttributes: true))
        for block in 0..<4 as Range<UInt64> { _ = try partial.digest(0, block: block) }
        try partial.finish(0, size: UInt64(bytes.count))
        let stored = try partial.publish(as: FileName("file"))
        #expect(stored.updated && stored.report.omissions.map(\.reason) == [.attributes])
    }

    @Test func presentFileNeedsNoSpace() throws {
        guard let inbox = try inbox() else { return }
        typealias Entry = Shipment.Entry
        var first = Shipment([
            Entry(parent: 0, name: "tree", kind: .folder, permissions: 0o755),
            Entry(parent: 0, name: "large", kind: .file(Shipment.noise(2 << 20, 3))),
        ])
        _ = try receive(&first, in: inbox, called: "tree")
        for isChanged in [false, true] {
            var again = Shipment(first.entries)
            again.entries[1].modified = try FileTime(seconds: isChanged ? 2 : 1, nanoseconds: 0)
            if isChanged { again.entries[1].kind = .file(Shipment.noise(2 << 20, 4)) }
            let partial = try inbox.receive(
                again.about(), called: FileName("tree"), reserve: .max / 2, asking: true)
            try again.send(to: partial)
            let stored = try partial.publish(as: FileName("tree"))
            #expect(stored.report.omissions.map(\.reason) == (isChanged ? [.noSpace] : []))
            #expect(content(of: inbox.path + "/tree/large") == Shipment.noise(2 << 20, 3))
        }
    }

    // MARK: - Copies

    /// Bytes come for a file of which the copy takes long.
    private func copySlowly(
        _ body: (_ partial: PartialItem, _ inbox: Inbox, _ finishCopy: () -> FileError.Kind?) throws -> Void
    ) throws {
        guard try inbox() != nil else { return }
        let storage = HookedStorage()
        let inbox = try temporary.inbox(storage: storage)
        typealias Entry = Shipment.Entry
        var first = Shipment([
            Entry(parent: 0, name: "tree", kind: .folder, permissions: 0o755),
            Entry(parent: 0, name: "large", kind: .file(bytes)),
        ])
        _ = try receive(&first, in: inbox, called: "tree")
        let partial = try inbox.receive(first.about(), called: FileName("tree"), asking: true)
        try partial.folder(0)
        try partial.add(1, "large", .file(size: UInt64(bytes.count)), modified: later)
        let begun = DispatchSemaphore(value: 0)
        let goesOn = DispatchSemaphore(value: 0)
        let done = DispatchSemaphore(value: 0)
        let isFirst = Atomic(true)
        storage.onWrite { count in
            guard count >= 64 << 10, isFirst.exchange(false, ordering: .relaxed) else { return }
            begun.signal()
            goesOn.wait()
        }
        let result = Mutex<FileError.Kind?>(nil)
        Thread.detachNewThread {
            let thrown = kind { try partial.write(1, at: 0, "changed") }
            result.withLock { $0 = thrown }
            done.signal()
        }
        begun.wait()
        var isFinished = false
        func finish() -> FileError.Kind? {
            isFinished = true
            goesOn.signal()
            done.wait()
            return result.withLock(\.self)
        }
        defer { if !isFinished { _ = finish() } }
        try body(partial, inbox, finish)
    }

    @Test func copyOfAFileDoesNotDelayOthers() throws {
        try copySlowly { partial, inbox, finishCopy in
            let others = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                let thrown = kind {
                    _ = (partial.isToStop, partial.report)
                    _ = try partial.digest(1, block: 3)
                    try partial.add(2, "other", .file(size: 4))
                    try partial.content(2, "text")
                }
                #expect(thrown == nil)
                others.signal()
            }
            #expect(others.wait(timeout: .now() + 200) == .success)
            #expect(finishCopy() == nil)
            var expected = bytes
            expected.replaceSubrange(0..<7, with: Array("changed".utf8))
            for block in 0..<4 as Range<UInt64> { _ = try partial.digest(1, block: block) }
            try expected[7..<block].withUnsafeBytes { try partial.write(1, at: 7, $0) }
            try partial.finish(1, size: UInt64(bytes.count))
            _ = try partial.publish(as: FileName("tree"))
            #expect(try Files.read(inbox.path + "/tree/large") == expected)
        }
    }

    @Test func aCopyEndsWhenTheItemDoes() throws {
        try copySlowly { partial, inbox, finishCopy in
            partial.interrupt()
            #expect(finishCopy() == .stopped)
            partial.suspend()
            let partials = try inbox.partials()
            #expect(partials.count == 1)
        }
        var again = Shipment([
            Shipment.Entry(parent: 0, name: "tree", kind: .folder, permissions: 0o755),
            Shipment.Entry(parent: 0, name: "large", kind: .file(Shipment.noise(1_000_001, 9)), modified: later),
        ])
        guard let inbox = try inbox() else { return }
        _ = try receive(&again, in: inbox, called: "tree")
        #expect(snapshot(of: inbox.path) == again.expected(as: "tree"))
    }

    @Test func surplusFilesAreCounted() throws {
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

    @Test func movedFolderDoesNotFailTheCount() throws {
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
