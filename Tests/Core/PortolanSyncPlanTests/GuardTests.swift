import SyncPlanSupport
import Testing

@testable import PortolanSyncPlan

@Suite struct GuardTests {
    @Test("a database and a folder that do not belong together begin a new epoch, or stop")
    func openings() {
        let database = Marker(epoch: 7, generation: 5)
        func opening(_ marker: Marker?, isEmpty: Bool? = false, same: Bool = true, _ own: Marker? = database)
            -> ReplicaStart
        {
            .decide(database: own, marker: marker, isEmpty: isEmpty, isSameFileSystem: same, hasEntries: true)
        }
        #expect(opening(database) == .goesOn)
        #expect(opening(Marker(epoch: 7, generation: 4)) == .goesOn, "a crash between two writes")
        #expect(opening(Marker(epoch: 7, generation: 6)) == .newEpoch(.databaseOld))
        #expect(opening(Marker(epoch: 7, generation: 3)) == .newEpoch(.folderOld))
        #expect(opening(Marker(epoch: 8, generation: 5)) == .newEpoch(.databaseForeign))
        #expect(opening(nil) == .newEpoch(.databaseForeign))
        #expect(opening(database, nil) == .newEpoch(.databaseMissing))
        #expect(opening(nil, nil) == .newEpoch(.firstStart))
        #expect(opening(nil, isEmpty: true) == .halts(.rootEmptied), "an empty disk mounted over the folder")
        #expect(
            opening(Marker(epoch: 8, generation: 0), isEmpty: true) == .halts(.rootEmptied), "a marker made by hand")
        #expect(opening(database, isEmpty: true) == .goesOn, "a person deleted everything")
        #expect(opening(nil, isEmpty: nil) == .halts(.rootMissing))
        #expect(opening(database, same: false) == .halts(.otherFileSystem))
    }

    private func index(_ number: UInt64) -> MemoryIndex {
        MemoryIndex(
            replica: ReplicaID(device: DeviceID(number), epoch: number), author: "A", rootHandle: FileHandleID(1))
    }

    private func file(_ number: UInt64, in parent: UInt64 = 1) -> ScannedFile {
        ScannedFile(
            handle: FileHandleID(number), parent: FileHandleID(parent), name: SyncName("file \(number)"), kind: .file,
            form: ContentForm(ContentDigest(number)))
    }

    private func folder(_ number: UInt64) -> ScannedFile {
        ScannedFile(
            handle: FileHandleID(number), parent: FileHandleID(1), name: SyncName("folder \(number)"), kind: .folder,
            form: nil)
    }

    private func complete(_ found: [ScannedFile]) -> Observation { Observation(found: found, isComplete: true) }

    @Test("a large deletion is held where it is found, until it is confirmed or rejected")
    func sender() throws {
        let files = (10..<50 as Range<UInt64>).map { file($0) }
        var index = index(1)
        let rail = DeletionGuard()
        _ = index.observe(complete(files), guard: rail)
        let few = index.observe(complete(Array(files.dropFirst(5))), guard: rail)
        #expect(few.held.isEmpty && index.tombstones.count == 5)
        let rest = Array(files.dropFirst(20))
        let held = try #require(index.observe(complete(rest), guard: rail).held.first)
        #expect(held.nodes.count == 15 && held.count == 15 && index.tombstones.count == 5)
        #expect(index.plan(guard: rail).steps.isEmpty, "what is held is not put back")
        #expect(index.observe(complete(rest), guard: rail).held == [held], "a second scan finds the same deletion")
        var confirmed = index
        #expect(confirmed.observe(complete(rest), guard: rail, confirmed: [held]).held.isEmpty)
        #expect(confirmed.tombstones.count == 20)
        index.reject(held)
        #expect(index.plan(guard: rail).steps.count == 15)
    }

    @Test("a folder in the root with few files is deleted without a person")
    func topFolder() {
        var index = index(1)
        let files = (10..<15 as Range<UInt64>).map { file($0, in: 2) }
        _ = index.observe(complete([folder(2)] + files), guard: DeletionGuard())
        #expect(index.observe(complete([]), guard: DeletionGuard()).held.isEmpty)
        #expect(index.tombstones.count == 6 && index.entryCount == 0)
    }

    @Test("a large deletion by another member is held before it is applied, and can be undone for all")
    func receiver() throws {
        let files = (10..<50 as Range<UInt64>).map { file($0) }
        var (sender, receiver) = (index(1), index(2))
        _ = sender.observe(complete(files), guard: .off)
        _ = receiver.receive(sender.announcement(since: nil).records)
        var handle: UInt64 = 100
        for step in receiver.plan(guard: DeletionGuard()).steps {
            receiver.commit(step, handle: FileHandleID(handle))
            handle += 1
        }
        #expect(receiver.plan(guard: DeletionGuard()).steps.isEmpty && receiver.dirty.isEmpty)
        _ = sender.observe(complete(Array(files.dropFirst(20))), guard: .off)
        _ = receiver.receive(sender.announcement(since: nil).records)
        let plan = receiver.plan(guard: DeletionGuard())
        let held = try #require(plan.held.first)
        #expect(plan.steps.isEmpty && plan.held.count == 1 && held.nodes.count == 20)
        var agreeing = receiver
        #expect(agreeing.plan(guard: DeletionGuard(), confirmed: [held]).steps.count == 20)
        receiver.revive(held.nodes)
        #expect(receiver.plan(guard: DeletionGuard()).steps.allSatisfy { if case .bind = $0 { true } else { false } })
        _ = sender.receive(receiver.announcement(since: nil).records)
        #expect(sender.tombstones.isEmpty && sender.plan(guard: .off).steps.count == 20)
    }

    @Test("the rest of a deletion that was agreed to needs no second agreement")
    func parts() throws {
        var (sender, receiver) = (index(1), index(2))
        var handle: UInt64 = 100
        func work(_ confirmed: Set<HeldDeletion> = []) {
            while case let steps = receiver.plan(guard: DeletionGuard(), confirmed: confirmed).steps, !steps.isEmpty {
                for step in steps {
                    receiver.commit(step, handle: FileHandleID(handle))
                    handle += 1
                }
            }
        }
        let files = (10..<20 as Range<UInt64>).map { file($0, in: 2) }
        _ = sender.observe(complete([folder(2)] + files), guard: .off)
        _ = receiver.receive(sender.announcement(since: nil).records)
        work()
        #expect(receiver.entryCount == 11)
        _ = sender.observe(complete([]), guard: .off)
        _ = receiver.receive(sender.announcement(since: nil).records)
        let held = try #require(receiver.plan(guard: DeletionGuard()).held.first)
        #expect(held.count == 11 && held.tops.count == 1)
        work([held])
        #expect(receiver.entryCount == 0)
    }

    @Test("a name that the file system takes for another one, or cannot hold, waits")
    func names() throws {
        var (sender, receiver) = (index(1), index(2))
        receiver.nameRules = NameRules(ignoresCase: true, maximumBytes: 20)
        var (upper, lower, long) = (file(10), file(11), file(12))
        (upper.name, lower.name, long.name) = (
            SyncName("Notes"), SyncName("notes"), SyncName(String(repeating: "x", count: 21))
        )
        _ = sender.observe(complete([upper, lower, long]), guard: .off)
        _ = receiver.receive(sender.announcement(since: nil).records)
        let first = try #require(receiver.plan(guard: .off).steps.first)
        receiver.commit(first, handle: FileHandleID(100))
        let plan = receiver.plan(guard: .off)
        #expect(plan.steps.isEmpty && plan.waiting.count == 2 && receiver.dirty.count == 2)
        upper.handle = FileHandleID(100)
        _ = receiver.observe(complete([upper]), guard: .off)
        #expect(receiver.tombstones.isEmpty, "what waits is not deleted")
    }

    @Test("additions go before removals")
    func order() {
        var (sender, receiver) = (index(1), index(2))
        _ = sender.observe(complete([file(10), file(11)]), guard: .off)
        _ = receiver.receive(sender.announcement(since: nil).records)
        for (step, handle) in zip(receiver.plan(guard: .off).steps, [FileHandleID(100), FileHandleID(101)]) {
            receiver.commit(step, handle: handle)
        }
        _ = sender.observe(complete([file(11), file(12)]), guard: .off)
        _ = receiver.receive(sender.announcement(since: nil).records)
        let steps = receiver.plan(guard: .off).steps
        #expect(steps.count == 2)
        if case .place = steps.first, case .remove = steps.last {} else { Issue.record("\(steps)") }
    }
}
