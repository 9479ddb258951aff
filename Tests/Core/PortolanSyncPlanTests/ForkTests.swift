import SyncPlanSupport
import Testing

@testable import PortolanSyncPlan

/// Dots that a replica gave twice, because its machine was set back.
@Suite struct ForkTests {
    private let replicas = (1...3).map { ReplicaID(device: DeviceID($0), epoch: $0) }

    private func content(_ number: UInt64, by author: String = "") -> FileVersion {
        FileVersion(form: ContentForm(ContentDigest(number)), author: author)
    }

    private var base: NodeRecord {
        var record = NodeRecord(id: NodeID(Dot(replicas[0], 1)), kind: .file)
        record.move(Dot(replicas[0], 1), to: NodePlace(.root, SyncName("a")))
        record.write(Dot(replicas[0], 1), content(0), replacing: [])
        return record
    }

    /// States of one node that a second replica, which was set back again and again, and a third one made.
    private var states: [NodeRecord] {
        let twice = Dot(replicas[1], 1)
        func changed(_ record: NodeRecord, _ change: (inout NodeRecord) -> Void) -> NodeRecord {
            var record = record
            change(&record)
            return record
        }
        let first = Dot(replicas[0], 1)
        let one = changed(base) { $0.write(twice, content(1), replacing: [first]) }
        let other = changed(base) { $0.write(twice, content(2), replacing: [first]) }
        return [
            base, one, other, changed(base) { $0.write(twice, content(3), replacing: []) },
            changed(base) { $0.write(twice, content(1, by: "b"), replacing: [first]) },
            changed(base) { $0.delete(twice, seen: [first]) },
            changed(base) { $0.move(twice, to: NodePlace(.root, SyncName("b"))) },
            changed(one) { $0.write(Dot(replicas[2], 1), content(4), replacing: [twice]) },
            changed(other) { $0.delete(Dot(replicas[2], 2), seen: [twice]) },
            merged(one, other), changed(base) { _ = $0.set(.time(ModificationTime(5)), twice, of: [first]) },
            changed(base) { _ = $0.set(.time(ModificationTime(7)), twice, of: [first]) },
            changed(one) { _ = $0.set(.time(ModificationTime(6)), Dot(replicas[2], 3), of: [twice]) },
        ]
    }

    private func merged(_ one: NodeRecord, _ other: NodeRecord) -> NodeRecord {
        var one = one
        one.merge(other)
        return one
    }

    @Test("merging values of one dot is commutative, associative and idempotent, and its results are well formed")
    func laws() {
        let states = states
        for one in states {
            #expect(merged(one, one) == one)
            for other in states {
                let both = merged(one, other)
                #expect(both == merged(other, one))
                #expect(merged(both, other) == both && merged(one, both) == both)
                #expect(both.isWellFormed)
                for third in states {
                    #expect(merged(both, third) == merged(one, merged(other, third)))
                }
            }
        }
    }

    @Test("two contents of one dot are versions in conflict, and a change of one leaves the other")
    func contents() {
        let states = states
        let both = merged(states[1], states[2])
        #expect(both.versions.map(\.value) == [content(1), content(2)])
        var counter: UInt64 = 10
        func newDot() -> Dot {
            counter += 1
            return Dot(replicas[2], counter)
        }
        let seen = [Dot(replicas[1], 1)]
        var written = both
        written.part(seen, from: content(1).form, newDot)
        written.write(newDot(), content(5), replacing: seen)
        #expect(written.versions.map(\.value) == [content(2), content(5)])
        #expect(written.isWellFormed && merged(both, written) == written)
        var deleted = both
        deleted.part(seen, from: content(2).form, newDot)
        deleted.delete(newDot(), seen: seen)
        #expect(deleted.versions.map(\.value) == [content(1)] && !deleted.isDeleted)
        #expect(merged(both, deleted) == deleted)
        // Without a second value, no dot is given.
        var alone = states[1]
        alone.part(seen, from: content(9).form, newDot)
        #expect(alone == states[1])
    }

    @Test("a new time is that of all contents of one dot, by any device")
    func touch() {
        let states = states
        let both = merged(states[2], states[12])
        #expect(both.versions.map(\.value.form) == [content(1).form, content(2).form])
        #expect(both.versions.allSatisfy { $0.value.time == ModificationTime(6) } && both.isWellFormed)
        #expect(merged(states[10], states[11]).versions.map(\.value.time) == [ModificationTime(7)])
    }

    @Test("a dot that is a write and a deletion leaves the file alive")
    func writeAndDeletion() {
        let states = states
        let both = merged(states[1], states[5])
        #expect(!both.isDeleted && both.versions.map(\.value) == [content(1)])
        var deleted = both
        deleted.delete(Dot(replicas[2], 9), seen: [Dot(replicas[1], 1)])
        #expect(deleted.isDeleted && merged(both, deleted).isDeleted)
    }

    @Test("a dot that is a write, and a move or a new time, loses no file: who has one writes it", arguments: [6, 10])
    func writeAndOther(state: Int) throws {
        let states = states
        let (written, moved) = (states[1], states[state])
        #expect(merged(written, moved).lacksContent)
        var indexes = [written, moved].enumerated().map { number, record in
            var index = MemoryIndex(
                replica: ReplicaID(device: DeviceID(UInt64(number) + 10), epoch: 1), author: "",
                rootHandle: FileHandleID(1))
            #expect(index.receive([record]).isEmpty)
            while let step = index.plan(guard: .off).steps.first { index.commit(step, handle: FileHandleID(10)) }
            return index
        }
        for _ in 0..<2 {
            for (one, other) in [(0, 1), (1, 0)] {
                let news = indexes[other].announcement(since: nil).records
                #expect(indexes[one].receive(news).isEmpty)
            }
        }
        let both = try indexes.map { try #require($0.record(written.id)) }
        #expect(both[0] == both[1] && both[0].versions.map(\.value) == [content(1)])
    }

    @Test("versions of one dot have different names for a conflict, and a person deletes one of them")
    func names() throws {
        var index = MemoryIndex(replica: replicas[2], author: "C", rootHandle: FileHandleID(1))
        let third = Dot(replicas[0], 9)
        var record = merged(states[1], states[2])
        record.write(third, content(7), replacing: [])
        #expect(index.receive([record]).isEmpty)
        let items = RecordView(index).items(in: [.root], named: SyncName("a"))
        #expect(items.count == 3 && Set(items.map(\.name)).count == 3)
        // All are placed; then one of those with the dot that was given twice is deleted.
        var handle: UInt64 = 10
        while let step = index.plan(guard: .off).steps.first {
            index.commit(step, handle: FileHandleID(handle))
            handle += 1
        }
        let entries = index.allEntries.compactMap { index.entry($0) }
        #expect(entries.count == 3)
        let gone = try #require(entries.first { $0.form == content(1).form })
        let found = entries.filter { $0.id != gone.id }.map { entry in
            ScannedFile(
                handle: entry.handle, parent: FileHandleID(1), name: entry.name, kind: .file, form: entry.form, size: 1)
        }
        _ = index.observe(Observation(found: found, isComplete: true), guard: .off)
        let left = try #require(index.record(record.id))
        #expect(Set(left.versions.map(\.value.form)) == [content(2).form, content(7).form])
    }
}
