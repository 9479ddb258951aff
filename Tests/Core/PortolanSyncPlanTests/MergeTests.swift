import SyncPlanSupport
import Testing

@testable import PortolanSyncPlan

@Suite struct MergeTests {
    private let replicas = (1...3).map { ReplicaID(device: DeviceID($0), epoch: $0) }

    private func content(_ number: UInt64) -> FileVersion { FileVersion(form: ContentForm(ContentDigest(number))) }

    @Test("a version vector covers the dots that it has seen, and joins to the maximum")
    func vectors() {
        var one = VersionVector()
        one.add(Dot(replicas[1], 3))
        one.add(Dot(replicas[0], 1))
        #expect(one.parts.map(\.counter) == [1, 3])
        #expect(one.covers(Dot(replicas[1], 2)) && !one.covers(Dot(replicas[1], 4)) && !one.covers(Dot(replicas[2], 1)))
        var other = VersionVector()
        other.add(Dot(replicas[1], 4))
        #expect(!one.covers(other) && !other.covers(one))
        other.join(one)
        #expect(other.covers(one) && other[replicas[1]] == 4 && other[replicas[0]] == 1)
        #expect(VersionVector(parts: other.parts) == other)
        #expect(VersionVector(parts: other.parts.reversed()) == nil)
        #expect(VersionVector(parts: [.init(replica: replicas[0], counter: 0)]) == nil)
    }

    /// States of one node on three replicas that change it and exchange their states at random.
    private func states(_ seed: UInt64) -> [NodeRecord] {
        var generator = SeededGenerator(state: seed)
        var first = NodeRecord(id: NodeID(Dot(replicas[0], 1)), kind: .file)
        first.move(Dot(replicas[0], 1), to: NodePlace(.root, SyncName("a")))
        first.write(Dot(replicas[0], 1), content(0), replacing: [])
        var records = [first, first, first]
        var counters: [UInt64] = [1, 0, 0]
        for step in 0..<12 as Range<UInt64> {
            let replica = Int.random(in: 0..<3, using: &generator)
            counters[replica] += 1
            let dot = Dot(replicas[replica], counters[replica])
            let seen = records[replica].versions.suffix(1).map(\.dot)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: records[replica].write(dot, content(step + 1), replacing: seen)
            case 1: records[replica].move(dot, to: NodePlace(.root, SyncName("\(step)")))
            case 2: records[replica].delete(dot, seen: seen)
            case 3: records[replica].revive(dot)
            case 4: _ = records[replica].set(.time(ModificationTime(Int64(step), 7)), dot, of: seen)
            default: records[replica].merge(records[(replica + 1) % 3])
            }
        }
        return records
    }

    @Test("merging is commutative, associative and idempotent, and its results are well formed")
    func laws() {
        for seed in 0..<500 as Range<UInt64> {
            let records = states(seed)
            func merged(_ order: [Int]) -> NodeRecord {
                order.dropFirst().reduce(into: records[order[0]]) { $0.merge(records[$1]) }
            }
            let whole = merged([0, 1, 2])
            for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0], [0, 0, 1, 2, 1]] {
                #expect(merged(order) == whole, "seed \(seed)")
            }
            var right = records[1]
            right.merge(records[2])
            var left = records[0]
            left.merge(right)
            #expect(left == whole, "seed \(seed)")
            #expect(whole.isWellFormed, "seed \(seed)")
        }
    }

    @Test("an edit beats a deletion, and a deletion covers the versions that it has seen")
    func deletions() {
        let base = states(0)[0]
        var edited = base
        edited.write(Dot(replicas[1], 50), content(50), replacing: edited.contents.map(\.dot))
        var deleted = base
        deleted.delete(Dot(replicas[2], 50), seen: deleted.contents.map(\.dot))
        #expect(deleted.isDeleted)
        var both = deleted
        both.merge(edited)
        #expect(!both.isDeleted && both.versions.map(\.value) == [content(50)])
        both.delete(Dot(replicas[2], 51), seen: both.contents.map(\.dot))
        edited.merge(both)
        #expect(edited.isDeleted)
    }

    @Test("an announcement that tells of one new node as a file and as a folder is heard as far as it makes sense")
    func twoKinds() {
        let dot = Dot(replicas[1], 1)
        var (file, folder) = (NodeRecord(id: NodeID(dot), kind: .file), NodeRecord(id: NodeID(dot), kind: .folder))
        file.move(dot, to: NodePlace(.root, SyncName("a")))
        folder.move(dot, to: NodePlace(.root, SyncName("a")))
        file.write(dot, content(0), replacing: [])
        var index = MemoryIndex(replica: replicas[0], author: "A", rootHandle: FileHandleID(1))
        #expect(index.receive([file, folder]) == [file.id])
        #expect(index.record(file.id) == file)
    }

    @Test("a record with which the known one would be too large to be told is refused")
    func tooLarge() {
        /// A node with 40 versions by as many replicas.
        func record(_ devices: ClosedRange<UInt64>) -> NodeRecord {
            var record = NodeRecord(id: NodeID(Dot(replicas[0], 1)), kind: .file)
            record.move(Dot(replicas[0], 1), to: NodePlace(.root, SyncName("a")))
            for device in devices {
                record.write(Dot(ReplicaID(device: DeviceID(device), epoch: 1), 1), content(device), replacing: [])
            }
            return record
        }
        var index = MemoryIndex(
            replica: ReplicaID(device: DeviceID(999), epoch: 1), author: "A", rootHandle: FileHandleID(1))
        #expect(index.receive([record(10...49)]).isEmpty)
        #expect(index.receive([record(50...89)]) == [NodeID(Dot(replicas[0], 1))])
        #expect(index.record(NodeID(Dot(replicas[0], 1))) == record(10...49))
        #expect(index.receive([record(50...70)]).isEmpty)

        // Made-up replicas leave no place for changes of members.
        var crowded = record(10...10)
        for device in 1000..<2020 as Range<UInt64> {
            crowded.revive(Dot(ReplicaID(device: DeviceID(device), epoch: 1), 1))
        }
        #expect(index.receive([crowded]) == [crowded.id])
    }

    @Test("records that no replica makes are refused")
    func hostile() {
        let replica = ReplicaID(device: DeviceID(9), epoch: 9)
        var index = MemoryIndex(replica: replica, author: "I", rootHandle: FileHandleID(1))
        let good = states(3)[0]
        func refused(_ change: (inout NodeRecord) -> Void) -> Bool {
            var bad = good
            change(&bad)
            return !bad.isWellFormed
        }
        #expect(good.isWellFormed)
        for name in ["", ".", "..", "a/b", "a\0", String(repeating: "x", count: 256)] {
            #expect(refused { $0.places[0].value.name = SyncName(name) }, "\(name)")
        }
        #expect(refused { $0.places = [] })
        #expect(refused { $0.contents[0].value.modified.nanoseconds = 1_000_000_000 })
        let late = ModificationTime(0, 1_000_000_000)
        #expect(refused { $0.contents[0].value.touch = RankedValue($0.id.creation, late) })
        #expect(refused { $0.contents[0].value.touch = RankedValue(Dot(replica, 1), ModificationTime(0)) })
        #expect(refused { $0.permissions = RankedValue($0.id.creation, 0o755) }, "no folder")
        #expect(refused { $0.contents = Array(repeating: $0.contents[0], count: 65) })
        #expect(refused { $0.places[0].value.parent = $0.id })
        #expect(refused { $0.version = VersionVector() })
        #expect(refused { $0.life.append(Dot(replica, 1)) })
        #expect(refused { $0.contents[0].value.author = String(repeating: "x", count: 1000) })
        #expect(refused { $0.places = Array(repeating: $0.places[0], count: 2) })
        // Another kind than the node has.
        var folder = NodeRecord(id: good.id, kind: .folder)
        folder.move(good.id.creation, to: NodePlace(.root, SyncName("a")))
        folder.permissions = RankedValue(Dot(replica, 1), 0o755)
        #expect(!folder.isWellFormed, "a change that is not known")
        folder.permissions = RankedValue(folder.id.creation, 0o1000)
        #expect(!folder.isWellFormed)
        folder.permissions?.value = 0o777
        #expect(folder.isWellFormed)
        #expect(index.receive([good]).isEmpty)
        #expect(index.receive([folder]) == [good.id])
        // A change with this replica's identifier that its index does not contain.
        var foreign = good
        foreign.version.add(Dot(replica, 1))
        #expect(index.receive([foreign]) == [good.id])
    }

    @Test("a name for a conflict has author, date and tag before the extension, and its length is bounded")
    func names() {
        let write = Dot(replicas[0], 7)
        let version = FileVersion(
            form: ContentForm(ContentDigest(1)), modified: ModificationTime(1_795_564_800),
            author: "lap/top\u{202E}\u{85}\u{200B}")
        let name = SyncName("plan.txt").conflict(of: version, write: write)
        #expect(name.text.hasPrefix("plan (conflict of laptop, 2026-11-25, ") && name.text.hasSuffix(").txt"))
        #expect(name.withoutConflict == SyncName("plan.txt"))
        #expect(SyncName("plan.txt").withoutConflict == nil && SyncName("plan (1).txt").withoutConflict == nil)
        let hidden = SyncName(".profile").conflict(of: version, write: write)
        #expect(hidden.text.hasPrefix(".profile (conflict of") && hidden.withoutConflict == SyncName(".profile"))
        let long = SyncName(String(repeating: "ä", count: 127)).conflict(of: version, write: write)
        #expect(long.isComponent && long.text.utf8.count <= 255)
        #expect(SyncName("\u{E9}") != SyncName("e\u{301}"))
        for (seconds, day) in [(Int64.min, "1970-01-01"), (951_782_400, "2000-02-29"), (.max, "2999-12-31")] {
            let content = FileVersion(form: version.form, modified: ModificationTime(seconds), author: "A")
            #expect(SyncName("a").conflict(of: content, write: write).text.hasPrefix("a (conflict of A, \(day), "))
        }
    }
}
