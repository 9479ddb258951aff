import Dispatch
import Glibc
import PortolanValues
import Synchronization
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Changes of a source between being looked at and being read.
@Suite struct SourceFaultTests {
    let temporary = TemporaryFolder.inMemory()

    private func looked(_ kernel: KernelFeatures) throws -> (SourceTree, [String: SourceEntry]) {
        let tree = try SourceTree(path: temporary("tree"), options: SourceOptions(looking: true), features: kernel)
        let entries = try WalkMethod.all(tree).entries
        return (tree, Dictionary(uniqueKeysWithValues: entries.map { ($0.place.path, $0) }))
    }

    private func outcome(of entry: SourceEntry?) throws -> FileError.Kind? {
        let entry = try #require(entry)
        return kind { _ = try entry.open() }
    }

    @Test(arguments: WalkMethod.kernels)
    func exchangedFileIsNotOpened(_ kernel: KernelFeatures) throws {
        temporary.folder("tree")
        let names = [
            "extended", "fine", "gone", "linked", "overwritten", "piped", "replaced", "restricted", "rewritten",
            "truncated",
        ]
        for name in names { temporary.file("tree/\(name)", "0123456789") }
        let (tree, entries) = try looked(kernel)
        usleep(20_000)
        #expect(entries.count == names.count + 1)
        #expect(truncate(temporary("tree/extended"), 20) == 0 && truncate(temporary("tree/truncated"), 5) == 0)
        for name in ["gone", "linked", "piped"] { #expect(unlink(temporary("tree/\(name)")) == 0) }
        temporary.file("outside", "0123456789")
        temporary.link("tree/linked", to: "../outside")
        #expect(mkfifo(temporary("tree/piped"), 0o600) == 0)
        // Size and time are the same, so that only the file's identity differs.
        let modified = try #require(entries["replaced"]).entry.modified
        temporary.file("other", "abcdefghij")
        try Descriptor(owning: open(temporary("other"), O_WRONLY)).setModified(modified)
        #expect(rename(temporary("other"), temporary("tree/replaced")) == 0)
        temporary.file("tree/rewritten", "abcdefghij")
        temporary.file("tree/overwritten", "abcdefghijklm")
        let isRestricted = setAttribute(
            Array(StoredVisibility.attribute.utf8), of: temporary("tree/restricted"), to: Array("own-process".utf8))
        if !isRestricted { print("skipped: no attributes here, so nothing is restricted") }

        for name in ["linked", "overwritten", "piped", "replaced", "rewritten", "truncated"] {
            #expect(try outcome(of: entries[name]) == .sourceChanged, "\(name)")
        }
        #expect(try outcome(of: entries["gone"]) == .notFound)
        #expect(try outcome(of: entries["restricted"]) == (isRestricted ? .keptFromOthers : nil))
        #expect(try entries["fine"]?.open().content() == Array("0123456789".utf8))
        // The file was written to recently, so a writer may continue.
        let (content, hasGrown) = try #require(entries["extended"]).open().contentAndGrowth()
        #expect(content == Array("0123456789".utf8) && hasGrown)
        for (name, reason) in [("gone", Loss.Reason.vanished), ("truncated", .changed)] {
            do {
                _ = try entries[name]?.open()
            } catch {
                #expect(Loss.Reason(error) == reason)
            }
        }
        withExtendedLifetime(tree) {}
    }

    @Test(arguments: WalkMethod.kernels)
    func closedFoldersAreReopenedAndVerified(_ kernel: KernelFeatures) throws {
        temporary.folder("tree")
        temporary.folder("tree/above")
        let count = RecentFolders.maximum + 20
        let names = (0..<count).map { String(10_000 + $0) }
        for name in names {
            temporary.folder("tree/above/\(name)")
            temporary.file("tree/above/\(name)/file", "mine")
        }
        let (tree, entries) = try looked(kernel)
        func file(_ number: Int) -> SourceEntry? { entries["above/\(names[number])/file"] }
        func move(_ number: Int) { #expect(rename(path(number), temporary("moved \(number)")) == 0) }
        func path(_ number: Int) -> String { temporary("tree/above/\(names[number])") }
        // The walk left these folders first, so they are not held open any more.
        temporary.folder("elsewhere")
        temporary.file("elsewhere/file", "them")
        move(0)
        #expect(symlink(temporary("elsewhere"), path(0)) == 0)
        move(1)
        #expect(mkdir(path(1), 0o700) == 0)
        // The same file in another folder, which may be restricted to others.
        #expect(link(temporary("moved 1/file"), path(1) + "/file") == 0)
        move(2)
        #expect(try outcome(of: file(0)) == .sourceChanged)
        #expect(try outcome(of: file(1)) == .sourceChanged)
        #expect(try outcome(of: file(2)) == .notFound)
        // The last one is still held open, so it is read wherever it was moved.
        move(count - 1)
        #expect(try file(count - 1)?.open().content() == Array("mine".utf8))
        for number in 3..<count - 1 { #expect(try file(number)?.open().content() == Array("mine".utf8)) }
        withExtendedLifetime(tree) {}
    }

    @Test func entriesAreOpenedFromManyThreadsAndAfterTheTreeIsReleased() throws {
        temporary.folder("tree")
        for number in 0..<100 {
            temporary.folder("tree/\(number)")
            temporary.file("tree/\(number)/file", "\(number)")
        }
        let entries = try looked(.detected).1.filter { $0.value.entry.kind != .folder }
        #expect(entries.count == 100)
        let wrong = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 4) { part in
            for number in 0..<100 {
                let number = (number * 37 + part * 13) % 100
                let content = try? entries["\(number)/file"]?.open().content()
                if content != Array("\(number)".utf8) { wrong.withLock { $0 += 1 } }
            }
        }
        #expect(wrong.withLock { $0 } == 0)
    }

    @Test func singleFileIsOpenFromTheStart() throws {
        let path = temporary.file("file", "mine")
        let tree = try SourceTree(path: path, options: SourceOptions(looking: true))
        #expect(unlink(path) == 0)
        temporary.file("file", "them")
        let file = try #require(try tree.next()).open()
        var bytes = [UInt8](repeating: 0, count: 4)
        try bytes.withUnsafeMutableBytes { try file.fill($0, from: 0) }
        #expect(bytes == Array("mine".utf8))
        #expect(kind { try file.confirmUnchanged() } == .sourceChanged)
    }

    @Test func unreadableEntriesAreReported() throws {
        temporary.folder("passage")
        temporary.folder("passage/tree")
        temporary.file("passage/tree/readable", "text")
        temporary.file("passage/tree/secret", "text", mode: 0)
        temporary.folder("passage/tree/closed", mode: 0)
        temporary.file("passage/tree/later", "text")
        #expect(chmod(temporary.path, 0o755) == 0)
        for name in ["later", "secret"] { chown(temporary("passage/tree/\(name)"), 65534, 65534) }
        let child = try ChildProcess(
            task: "look without privileges", folder: temporary.path, output: temporary("output"))
        let status = child.wait()
        #expect(chmod(temporary("passage/tree/closed"), 0o700) == 0)
        #expect(status == 0, "\(String(decoding: content(of: temporary("output")) ?? [], as: UTF8.self))")
    }
}
