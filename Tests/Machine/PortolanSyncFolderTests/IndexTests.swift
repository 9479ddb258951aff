import Foundation
import GRDB
import Glibc
import PortolanFiles
import PortolanSyncPlan
import SyncPlanSupport
import TestSupport
import Testing

@testable import PortolanSyncFolder

@Suite final class IndexTests {
    private let folder: String
    private let device = DeviceID(7)

    init() throws {
        var template = Array("/tmp/portolan-index-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { fatalError("no temporary folder") }
        folder = String(cString: made)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func open(_ name: String = "index") throws -> FolderIndex {
        try FolderIndex(path: "\(folder)/\(name).sqlite", author: "A")
    }

    private func began(_ index: FolderIndex, epoch: UInt64 = 1) throws {
        try index.begin(ReplicaID(device: device, epoch: epoch), at: 1, fileSystem: 5, root: FileHandleID(1))
    }

    // MARK: As the index in memory

    /// A disk of a few files that change by chance.
    fileprivate struct Files {
        var all: [ScannedFile] = []
        var next: UInt64 = 10

        mutating func change(_ generator: inout SeededGenerator) {
            let folders = [FileHandleID(1)] + all.filter { $0.kind == .folder }.map(\.handle)
            let name = SyncName("\(Int.random(in: 0..<5, using: &generator))")
            next += 1
            let parent = folders.randomElement(using: &generator) ?? FileHandleID(1)
            let isFree = !all.contains { $0.parent == parent && $0.name == name }
            switch Int.random(in: 0..<5, using: &generator) {
            case 0 where isFree:
                all.append(
                    ScannedFile(handle: FileHandleID(next), parent: parent, name: name, kind: .folder, form: nil))
            case 1, 2:
                guard isFree else { break }
                all.append(
                    ScannedFile(
                        handle: FileHandleID(next), parent: parent, name: name, kind: .file, form: form(next),
                        size: next))
            case 3:
                let files = all.indices.filter { all[$0].kind == .file }
                guard let place = files.randomElement(using: &generator) else { break }
                if isFree, Bool.random(using: &generator) {
                    (all[place].parent, all[place].name) = (parent, name)
                } else {
                    all[place].form = form(next)
                }
            default:
                guard let victim = all.randomElement(using: &generator) else { break }
                remove(victim.handle)
            }
        }

        private func form(_ number: UInt64) -> ContentForm {
            ContentForm(ContentDigest(number), attributes: number % 3)
        }

        private mutating func remove(_ handle: FileHandleID) {
            for child in all.filter({ $0.parent == handle }) { remove(child.handle) }
            all.removeAll { $0.handle == handle }
        }

        /// An observation in which each folder precedes its entries.
        var observation: Observation {
            var found = all.filter { $0.parent == FileHandleID(1) }
            var next = 0
            while next < found.count {
                found += all.filter { $0.parent == found[next].handle }
                next += 1
            }
            return Observation(found: found, isComplete: true)
        }
    }

    @Test("the records and plans are those of the index in memory", arguments: 0..<20 as Range<UInt64>)
    func twin(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var stored = try open()
        try began(stored)
        var memory = MemoryIndex(
            replica: ReplicaID(device: device, epoch: 1), author: "A", rootHandle: FileHandleID(1))
        var other = MemoryIndex(
            replica: ReplicaID(device: DeviceID(8), epoch: 3), author: "B", rootHandle: FileHandleID(1))
        var (own, others) = (Files(), Files())
        for round in 0..<12 {
            for _ in 0..<3 {
                own.change(&generator)
                others.change(&generator)
            }
            let (observation, since) = (own.observation, memory.sequence)
            _ = other.observe(others.observation, guard: .off)
            let heard = other.announcement(since: nil).records
            let left = memory.observe(observation, guard: .off)
            _ = memory.receive(heard)
            let plan = memory.plan(guard: .off)
            try stored.transact { index in
                #expect(index.observe(observation, guard: .off) == left)
                _ = index.receive(heard)
                let own = index.plan(guard: .off)
                #expect(Set(own.steps) == Set(plan.steps), "seed \(seed), round \(round)")
                #expect(Set(own.waiting) == Set(plan.waiting) && own.unsettled == plan.unsettled)
                #expect(index.announcement(since: nil).cursor == memory.announcement(since: nil).cursor)
                #expect(Set(index.records(since: 0)) == Set(memory.records(since: 0)))
                #expect(Set(index.records(since: since)) == Set(memory.records(since: since)))
                #expect(Set(index.tombstones) == Set(memory.tombstones))
                #expect(index.entryCount == memory.entryCount && index.allEntries == memory.allEntries.sorted())
                #expect(index.dirty == memory.dirty && index.cycleBreakers == memory.cycleBreakers)
                for id in memory.allEntries { #expect(index.entry(id) == memory.entry(id)) }
            }
            // Some steps of the plan are done, as if the files had been fetched.
            let first = plan.steps.prefix(2)
            for step in first {
                own.next += 1
                memory.commit(step, handle: FileHandleID(own.next))
                try stored.transact { $0.commit(step, handle: FileHandleID(own.next)) }
                own.apply(step, memory)
            }
            if round % 4 == 3 {
                stored.close()
                stored = try open()
            }
        }
        stored.close()
    }

    @Test("the sums of deletions outlast a restart, and a new epoch")
    func deletions() throws {
        let index = try open()
        try began(index)
        let recent = [
            RecentDeletions(device: device, time: 60, count: 3),
            RecentDeletions(device: DeviceID(8), time: 120, count: 1),
        ]
        try index.transact { $0.recentDeletions = recent }
        index.close()
        let again = try open()
        #expect(try again.read(\.recentDeletions) == recent)
        try began(again, epoch: 2)
        #expect(try again.read(\.recentDeletions) == recent)
        try again.transact { $0.recentDeletions = [] }
        again.close()
        let empty = try open()
        #expect(try empty.read(\.recentDeletions).isEmpty)
        empty.close()
    }

    // MARK: Transactions

    @Test("a transaction that fails leaves nothing behind")
    func rollback() throws {
        struct Failure: Error {}
        let index = try open()
        try began(index)
        let dot = Dot(ReplicaID(device: DeviceID(9), epoch: 9), 1)
        var record = NodeRecord(id: NodeID(dot), kind: .folder)
        record.move(dot, to: NodePlace(.root, SyncName("x")))
        #expect(throws: SyncError.self) {
            try index.transact { index in
                _ = index.receive([record])
                index.generation = 5
                throw Failure()
            }
        }
        try index.transact { index in
            #expect(
                index.record(record.id) == nil && index.sequence == 0 && index.dirty.isEmpty && index.generation == 0)
            #expect(index.receive([record]).isEmpty)
        }
        try index.transact { #expect($0.record(record.id) == record && $0.dirty == [record.id]) }
    }

    @Test("an index is open in one place at a time")
    func lock() throws {
        let index = try open()
        #expect { try open() } throws: { ($0 as? SyncError)?.kind == .inUse }
        index.close()
        try open().close()
    }

    @Test("the identity of an index tells if files or folders are expected, without the root")
    func expectations() throws {
        let index = try open()
        try began(index)
        #expect(try index.identity()?.hasEntries == false)
        var files = Files()
        files.all = [
            ScannedFile(
                handle: FileHandleID(2), parent: FileHandleID(1), name: SyncName("x"), kind: .folder, form: nil)
        ]
        _ = try index.transact { $0.observe(files.observation, guard: .off) }
        #expect(try index.identity()?.hasEntries == true)
        files.all = []
        _ = try index.transact { $0.observe(files.observation, guard: .off) }
        #expect(try index.identity()?.hasEntries == false)
        index.close()
    }

    @Test("an epoch forgets everything but the history")
    func epochs() throws {
        let index = try open()
        #expect(try index.identity() == nil)
        try began(index)
        try index.transact { index in
            index.add(
                HistoryRecord(at: 1, path: "a", kind: .file, file: "f", digest: nil, size: 2, reason: .deleted))
            index.hear(PortolanSyncPlan.ChangeCursor(ReplicaID(device: DeviceID(8), epoch: 4), 9))
            index.generation = 3
        }
        #expect(try index.identity()?.marker == Marker(epoch: 1, generation: 3))
        try began(index, epoch: 2)
        #expect(try index.identity()?.marker == Marker(epoch: 2, generation: 0))
        try index.transact { #expect($0.membership == MemberPositions() && $0.history(of: "a").count == 1) }
    }

    @Test("numbers of 64 bits are kept as they are")
    func largeNumbers() throws {
        let index = try open()
        try index.begin(
            ReplicaID(device: device, epoch: .max), at: 1, fileSystem: .max,
            root: FileHandleID(.max, generation: .max))
        let dot = Dot(ReplicaID(device: DeviceID(8), epoch: .max - 1), .max)
        var record = NodeRecord(id: NodeID(dot), kind: .file)
        record.move(dot, to: NodePlace(.root, SyncName("x")))
        let extended = [ExtendedAttribute(SyncName("a"), []), ExtendedAttribute(SyncName("ä"), [0, 255])]
        let form = ContentForm(ContentDigest(.max), attributes: .max, extended: extended)
        let modified = ModificationTime(.min, 999_999_999)
        var version = FileVersion(form: form, size: .max, modified: modified, author: "Ä\u{0}")
        version.touch = RankedValue(dot, ModificationTime(.max, 1), rank: .max)
        record.write(dot, version, replacing: [])
        var folder = NodeRecord(id: NodeID(Dot(dot.replica, .max - 1)), kind: .folder)
        folder.move(folder.id.creation, to: NodePlace(.root, SyncName("y")))
        folder.permissions = RankedValue(folder.id.creation, 0o750, rank: 7)
        try index.transact { _ = $0.receive([record, folder]) }
        index.close()
        let again = try open()
        try again.transact { index in
            #expect(
                index.record(record.id) == record && index.entry(.root)?.handle == FileHandleID(.max, generation: .max))
            #expect(index.replica.epoch == .max && index.record(folder.id) == folder)
        }
    }

    @Test("files and entries keep their extended attributes, and those that the disk shows instead")
    func extendedAttributes() throws {
        let index = try open()
        try began(index)
        let extended = [ExtendedAttribute(SyncName("tag"), Array("red".utf8))]
        let form = ContentForm(ContentDigest(1), attributes: 0o644, extended: extended)
        let status = try KernelStorage().status(ofPath: "/")
        var stamp = try #require(FileStatusStamp(status))
        stamp.kind = .file
        stamp.inode = 40
        let shown: [[ExtendedAttribute]?] = [nil, [], [ExtendedAttribute(SyncName("x"), [])]]
        let files = shown.map { KnownFile(stamp: stamp, generation: 2, isRacy: false, form: form, shown: $0) }
        let entry = AgreedEntry(
            id: EntryID(3), parent: .root, name: SyncName("a"), kind: .file, handle: FileHandleID(40), form: form,
            seen: [])
        try index.transact { index in
            index.set(entry)
            index.remember(files[0], at: FilePlace(folder: 1, name: SyncName("0")))
            #expect(!index.hasShownAttributes && index.fileWithShownAttributes(files[0].handle) == nil)
            for (number, file) in files.enumerated() {
                index.remember(file, at: FilePlace(folder: 1, name: SyncName("\(number)")))
            }
        }
        index.close()
        let again = try open()
        try again.transact { index in
            #expect(index.entry(EntryID(3)) == entry)
            #expect(index.files(in: 1).map(\.file) == files && index.hasShownAttributes)
            #expect(index.fileWithShownAttributes(files[0].handle)?.shown != nil)
        }
    }

    // MARK: Versions

    @Test(
        "an index that a newer version has changed is refused in words, and not written", arguments: ["wal", "delete"])
    func newer(mode: String) async throws {
        try open("new").close()
        let queue = try DatabaseQueue(path: "\(folder)/new.sqlite")
        try await queue.writeWithoutTransaction { database in
            try database.execute(sql: "INSERT INTO grdb_migrations VALUES ('of tomorrow')")
            try database.execute(sql: "PRAGMA journal_mode = \(mode)")
            try database.execute(sql: "CREATE TABLE tomorrow (id INTEGER PRIMARY KEY)")
        }
        // State after a process that ends at once: a log that was not merged.
        for end in ["", "-wal"] where access("\(folder)/new.sqlite\(end)", F_OK) == 0 {
            try FileManager.default.copyItem(
                atPath: "\(folder)/new.sqlite\(end)", toPath: "\(folder)/index.sqlite\(end)")
        }
        try queue.close()
        func bytes() -> [Data?] {
            ["", "-wal"].map { FileManager.default.contents(atPath: "\(folder)/index.sqlite\($0)") }
        }
        let before = bytes()
        for _ in 0..<2 {
            let error = #expect(throws: SyncError.self) { try open() }
            #expect(error?.kind == .newerIndex && error?.description.contains("newer version of the program") == true)
            await #expect(throws: SyncError.self) {
                _ = try await FolderHistory.open(folder: folder, index: "\(folder)/index.sqlite")
            }
        }
        #expect(bytes()[0] == before[0] && (before[1] ?? Data()).isEmpty == (mode == "delete"))
        #expect(bytes()[1] ?? Data() == before[1] ?? Data())
    }

    @Test("the history is bounded by age and by size")
    func history() throws {
        let index = try open()
        try began(index)
        try index.transact { index in
            for number in 1...5 as ClosedRange<Int64> {
                index.add(
                    HistoryRecord(
                        at: number, path: "a", kind: .file, file: "\(number)", digest: nil, size: 10, reason: .replaced)
                )
            }
            #expect(index.surplusHistory(before: 3, above: 100).map(\.at) == [2, 1])
            #expect(index.surplusHistory(before: 0, above: 25).map(\.at) == [3, 2, 1])
        }
    }
}

extension IndexTests.Files {
    /// Does a step on the made-up disk.
    fileprivate mutating func apply(_ step: SyncStep, _ index: MemoryIndex) {
        func handle(_ id: EntryID) -> FileHandleID { index.entry(id)?.handle ?? FileHandleID(0) }
        switch step {
        case .makeFolder(let item, let target), .place(let item, let target):
            all.append(
                ScannedFile(
                    handle: FileHandleID(next), parent: handle(target.parent), name: target.name, kind: item.kind,
                    form: item.content?.form, size: item.content?.size ?? 0))
        case .replace(let seen, let item):
            guard let place = all.firstIndex(where: { $0.handle == seen.handle }) else { return }
            all[place].handle = FileHandleID(next)
            all[place].form = item.content?.form
        case .move(let seen, let target, _):
            guard let place = all.firstIndex(where: { $0.handle == seen.handle }) else { return }
            all[place].parent = handle(target.parent)
            all[place].name = target.name
        case .remove(let seen): all.removeAll { $0.handle == seen.handle }
        case .park, .set, .bind: break
        }
    }
}
