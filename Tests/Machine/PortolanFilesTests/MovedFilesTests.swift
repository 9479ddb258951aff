import Glibc
import PortolanValues
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Files and folders that the sender renamed after they were received.
@Suite(.aside) struct MovedFilesTests {
    private typealias Entry = Shipment.Entry

    private let temporary = TemporaryFolder.inMemory()
    private let sender = SenderIdentity(bytes: [UInt8](repeating: 3, count: 32))
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

    /// Two small files, a large one, and a subfolder with small files; each has a time of its own.
    private func tree() throws -> Shipment {
        var entries = [
            Entry(parent: 0, name: "tree", kind: .folder, permissions: 0o755),
            Entry(parent: 0, name: "large", kind: .file(Shipment.noise(1_000_001, 1))),
            Entry(parent: 0, name: "small", kind: .file(Shipment.noise(4096, 2))),
            Entry(parent: 0, name: "sub", kind: .folder, permissions: 0o755),
        ]
        for number in 0..<20 {
            entries.append(Entry(parent: 3, name: "\(number)", kind: .file(Shipment.noise(4096, 10 + UInt64(number)))))
        }
        for index in entries.indices {
            entries[index].modified = try FileTime(seconds: 1_300_000_000, nanoseconds: UInt32(index))
        }
        return Shipment(entries)
    }

    private func send(
        _ shipment: inout Shipment, to inbox: Inbox, called text: String = "tree", of source: UInt8 = 1,
        from sender: SenderIdentity?
    ) throws -> PublishedItem {
        let about = try shipment.about(text, of: source)
        let query = ItemQuery(about.identity, called: try name(text), isFolder: about.isFolder, from: sender)
        let traces = try inbox.find(query, relating: true)
        let partial = try inbox.receive(
            about, called: name(text), asking: traces.mayHoldContent, from: sender, finding: traces)
        try shipment.send(to: partial)
        return try partial.publish(as: name(text))
    }

    @Test func aRenamedFileIsNotSentAgain() throws {
        guard let inbox = try inbox() else { return }
        for index in [1, 2] {
            var first = try tree()
            _ = try send(&first, to: inbox, from: sender)
            var renamed = try tree()
            renamed.entries[index].name += " renamed"
            let stored = try send(&renamed, to: inbox, from: sender)
            #expect(renamed.sent == 0 && stored.updated && stored.report.isComplete)
            #expect(stored.keptBytes == stored.bytes && stored.keptEntries == stored.entries && stored.surplus == 1)
            guard case .file(let bytes) = renamed.entries[index].kind else { continue }
            let path = inbox.path + "/tree/"
            for name in [first.entries[index].name, renamed.entries[index].name] {
                #expect(content(of: path + name) == bytes)
                #expect(status(of: path + name)?.modified == renamed.entries[index].modified)
            }
            // The file is the sender's from now on, under its new name.
            var again = renamed
            again.entries[index].kind = .file(Shipment.noise(5000, 99))
            again.entries[index].modified = later
            #expect(try send(&again, to: inbox, from: sender).report.isComplete)
            #expect(content(of: path + renamed.entries[index].name) == Shipment.noise(5000, 99))
            #expect(content(of: path + first.entries[index].name) == bytes)
            _ = try PlacedItem(name("tree"), in: inbox.path).remove()
        }
    }

    /// The file that was found may get its new time before the other file is copied from it.
    @Test func copyWithAChangedTimeIsNotSentAgain() throws {
        guard let inbox = try inbox() else { return }
        for seed in 1...12 as ClosedRange<UInt64> {
            var first = try tree()
            _ = try send(&first, to: inbox, from: sender)
            var copied = Shipment(first.entries, seed: seed)
            let bytes = Shipment.noise(1_000_001, 1)
            copied.entries[1].name = "copy"
            copied.entries.append(Entry(parent: 0, name: "large", kind: .file(bytes), modified: later))
            let stored = try send(&copied, to: inbox, from: sender)
            #expect(copied.sent == 0 && stored.updated && stored.report.isComplete)
            let path = inbox.path + "/tree/"
            #expect(content(of: path + "copy") == bytes && content(of: path + "large") == bytes)
            #expect(status(of: path + "copy")?.modified == first.entries[1].modified)
            #expect(status(of: path + "large")?.modified == later)
            _ = try PlacedItem(name("tree"), in: inbox.path).remove()
        }
    }

    @Test func aRenamedSubfolderIsNotSentAgain() throws {
        guard let inbox = try inbox() else { return }
        var first = try tree()
        _ = try send(&first, to: inbox, from: nil)
        for seed in 1...10 as ClosedRange<UInt64> {
            var renamed = Shipment(try tree().entries, seed: seed)
            renamed.entries[3].name = "other \(seed)"
            let stored = try send(&renamed, to: inbox, from: nil)
            #expect(renamed.sent == 0 && stored.updated && stored.keptBytes == stored.bytes)
            #expect(names(in: inbox.path + "/tree/other \(seed)") == names(in: inbox.path + "/tree/sub"))
        }
    }

    /// An archive gives all of its files one time, and files written within a tick of the clock have one, too.
    @Test func filesOfARenamedFolderAreToldApartByTheirNames() throws {
        guard let inbox = try inbox() else { return }
        var entries = try tree().entries
        for index in entries.indices { entries[index].modified = later }
        var first = Shipment(entries)
        _ = try send(&first, to: inbox, from: nil)
        entries[3].name = "other"
        var renamed = Shipment(entries)
        let stored = try send(&renamed, to: inbox, from: nil)
        #expect(renamed.sent == 0 && stored.updated && stored.keptBytes == stored.bytes)
    }

    @Test func aRenamedItemIsNotSentAgain() throws {
        guard let inbox = try inbox() else { return }
        var first = try tree()
        _ = try send(&first, to: inbox, from: sender)
        var renamed = try tree()
        let stored = try send(&renamed, to: inbox, called: "other", of: 2, from: sender)
        #expect(renamed.sent == 0 && !stored.updated && stored.keptBytes == stored.bytes)
        #expect(snapshot(of: inbox.path + "/other") == snapshot(of: inbox.path + "/tree"))

        let bytes = Shipment.noise(100_000, 5)
        var file = Shipment([Entry(parent: 0, name: "file", kind: .file(bytes))])
        _ = try send(&file, to: inbox, called: "file", of: 3, from: sender)
        var again = Shipment(file.entries)
        let about = try again.about("renamed", of: 4)
        let query = ItemQuery(
            about.identity, called: try name("renamed"), isFolder: false, from: sender, size: UInt64(bytes.count))
        let traces = try inbox.find(query, relating: true)
        #expect(traces.mayHoldContent && traces.known == .nothing)
        let partial = try inbox.receive(
            about, called: name("renamed"), asking: true, from: sender, finding: traces)
        try again.send(to: partial)
        _ = try partial.publish(as: name("renamed"))
        #expect(again.sent == 0 && content(of: inbox.path + "/renamed") == bytes)
    }

    @Test func itemsOfOtherSendersAreNotRead() throws {
        guard let inbox = try inbox() else { return }
        var first = try tree()
        _ = try send(&first, to: inbox, from: sender)
        for other in [nil, SenderIdentity(bytes: [UInt8](repeating: 4, count: 32))] {
            var renamed = try tree()
            _ = try send(&renamed, to: inbox, called: "other", of: 2, from: other)
            #expect(renamed.sent == renamed.size)
            _ = try PlacedItem(name("other"), in: inbox.path).remove()
        }
    }

    @Test func userFilesAreNotRead() throws {
        guard let inbox = try inbox() else { return }
        var first = try tree()
        _ = try send(&first, to: inbox, from: sender)
        let path = inbox.path + "/tree/"
        let own = Shipment.noise(4096, 50)
        var announced = try tree()
        announced.entries.append(Entry(parent: 0, name: "new", kind: .file(own), modified: later))
        // The same bytes and the same time.
        try Files.write(own, to: path + "own")
        setTime(of: path + "own", to: later)
        // A received file that was changed here, with the time that is announced for another name.
        try Files.write(Shipment.noise(4096, 51), to: path + "small")
        setTime(of: path + "small", to: later)
        let partial = try inbox.receive(announced.about(), called: name("tree"), asking: true, from: sender)
        for (index, entry) in announced.entries.enumerated() {
            let need = try partial.add(
                TreeEntry(
                    index: UInt32(index), parent: entry.parent, name: name(entry.name), kind: entry.kind.inTree,
                    permissions: entry.permissions, modified: entry.modified))
            if entry.name == "new" { #expect(need == .content) }
        }
        partial.discard()
    }

    /// A user may move a received file into what another sender sent: its mark moves with it.
    @Test func filesOfOtherSendersAreNotRead() throws {
        guard let inbox = try inbox() else { return }
        var first = try tree()
        _ = try send(&first, to: inbox, from: sender)
        let other = SenderIdentity(bytes: [UInt8](repeating: 4, count: 32))
        let size = 300_000
        for (item, secret) in ["moved", "again"].enumerated() {
            let file = Entry(
                parent: 0, name: secret, kind: .file(Shipment.noise(size, 70)),
                modified: try FileTime(seconds: 1_350_000_000, nanoseconds: UInt32(item)))
            var others = Shipment([file])
            _ = try send(&others, to: inbox, called: secret, of: UInt8(5 + item), from: other)
            #expect(rename(inbox.path + "/" + secret, inbox.path + "/tree/" + secret) == 0)
        }
        // Under another name with the same time, and under the same name with another time.
        for (text, seconds) in [("guessed", 1_350_000_000), ("again", 1_360_000_000)] as [(String, Int64)] {
            for owner in [sender, other] {
                let partial = try inbox.receive(
                    first.about(), called: name("tree"), asking: true, from: owner)
                try partial.folder(0)
                let need = try partial.add(
                    TreeEntry(
                        index: 1, parent: 0, name: name(text), kind: .file(size: UInt64(size)), permissions: 0o644,
                        modified: FileTime(seconds: seconds, nanoseconds: 0)))
                // With the right sender, it would be found.
                #expect(need == (owner == sender ? .content : .compare(blocks: [0..<2])), "\(text)")
                partial.discard()
            }
        }
    }

    private func setTime(of path: String, to time: FileTime) {
        time.withTimes { #expect(utimensat(AT_FDCWD, path, $0, 0) == 0) }
    }

    @Test func differingBytesAreReplacedByTheSenders() throws {
        guard let inbox = try inbox() else { return }
        var first = try tree()
        _ = try send(&first, to: inbox, from: sender)
        for index in [1, 2] {
            guard case .file(let before) = first.entries[index].kind else { continue }
            var other = try tree()
            let bytes = Shipment.noise(before.count, 60)
            other.entries.append(
                Entry(parent: 0, name: "new \(index)", kind: .file(bytes), modified: first.entries[index].modified))
            _ = try send(&other, to: inbox, from: sender)
            #expect(other.sent == bytes.count)
            #expect(content(of: inbox.path + "/tree/new \(index)") == bytes)
            #expect(content(of: inbox.path + "/tree/" + first.entries[index].name) == before)
        }
    }

    @Test(arguments: [false, true]) func vanishedFileIsSentUnlessItWasClaimed(isSaid: Bool) throws {
        guard let inbox = try inbox() else { return }
        var first = try tree()
        _ = try send(&first, to: inbox, from: sender)
        guard case .file(let bytes) = first.entries[2].kind else { return }
        let partial = try inbox.receive(first.about(), called: name("tree"), asking: true, from: sender)
        try partial.folder(0)
        let need = try partial.add(
            TreeEntry(
                index: 1, parent: 0, name: name("renamed"), kind: .file(size: 4096), permissions: 0o644,
                modified: first.entries[2].modified))
        #expect(need == .compare(blocks: [0..<1]))
        if isSaid { #expect(try partial.digest(1, block: 0) != nil) }
        #expect(unlink(inbox.path + "/tree/small") == 0)
        if !isSaid { #expect(try partial.digest(1, block: 0) == nil) }
        func bring() throws {
            try bytes.withUnsafeBytes { try partial.write(1, at: 0, $0) }
            try partial.finish(1, size: 4096)
        }
        if isSaid {
            let error = #expect(throws: FileError.self) { try bring() }
            #expect(error?.kind == .changedHere)
            return partial.discard()
        }
        try bring()
        _ = try partial.publish(as: name("tree"))
        #expect(content(of: inbox.path + "/tree/renamed") == bytes)
    }

    @Test func fewNewBytesDoNotCauseAListing() throws {
        guard let inbox = try inbox() else { return }
        var entries = [Entry(parent: 0, name: "tree", kind: .folder, permissions: 0o755)]
        for number in 0..<200 { entries.append(Entry(parent: 0, name: "\(number)", kind: .file([1]))) }
        entries.append(Entry(parent: 0, name: "some", kind: .file(Shipment.noise(100, 1))))
        var first = Shipment(entries)
        _ = try send(&first, to: inbox, from: nil)
        entries[201].name = "renamed"
        var renamed = Shipment(entries)
        _ = try send(&renamed, to: inbox, from: nil)
        #expect(renamed.sent == 100)
    }

    @Test func noMoreIsListedThanIsMissing() throws {
        guard let inbox = try inbox() else { return }
        let root = Entry(parent: 0, name: "tree", kind: .folder, permissions: 0o755)
        var entries: [Entry] = []
        for number in 0..<4000 { entries.append(Entry(parent: 0, name: "\(number)", kind: .file([1]))) }
        let small = (0..<8).map { number in
            Entry(parent: 0, name: "small \(number)", kind: .file(Shipment.noise(100, UInt64(number) + 1)))
        }
        let large = Entry(parent: 0, name: "large", kind: .file(Shipment.noise(1_000_000, 20)))
        // In the middle, whatever the order in which a file system lists them.
        entries.insert(contentsOf: small + [large], at: 2000)
        var first = Shipment([root] + entries)
        _ = try send(&first, to: inbox, from: nil)
        var moved = small + [large]
        for index in moved.indices { moved[index].name += " renamed" }
        var renamed = Shipment([root] + moved)
        _ = try send(&renamed, to: inbox, from: nil)
        #expect(renamed.sent > 0 && renamed.sent <= 800)
    }

    @Test func aSmallFolderIsNotAskedAbout() throws {
        guard let inbox = try inbox() else { return }
        var first = try tree()
        _ = try send(&first, to: inbox, from: sender)
        for (size, isRelated) in [(100_000, false), (2 << 20, true), (nil, true)] as [(UInt64?, Bool)] {
            let query = ItemQuery(.test(2), called: try name("other"), isFolder: true, from: sender, size: size)
            #expect(try inbox.find(query, relating: true).mayHoldContent == isRelated)
        }
    }

    @Test func otherItemsAreLookedAtOnceForAnOffer() async throws {
        guard let inbox = try inbox() else { return }
        var first = try tree()
        _ = try send(&first, to: inbox, from: sender)
        let watch = Descriptor(owning: inotify_init1(CInt(IN_NONBLOCK)))
        // Closing stands between two openings, which would be one event otherwise.
        let mask = UInt32(IN_OPEN) | UInt32(IN_CLOSE_NOWRITE)
        try #require(inotify_add_watch(watch.number, inbox.path + "/tree", mask) >= 0)
        let queries = try (0..<5).map { number in
            ItemQuery(
                .test(UInt8(10 + number)), called: try name("other \(number)"), isFolder: true, from: sender,
                size: 2 << 20)
        }
        let found = try await inbox.find(queries, listing: true)
        #expect(found.count == 5 && found.allSatisfy(\.mayHoldContent))
        var events = [UInt8](repeating: 0, count: 4096)
        let bytes = read(watch.number, &events, events.count)
        // An opening and a closing, each without a name.
        #expect(bytes == 2 * MemoryLayout<inotify_event>.size)
    }
}
