import SyncPlanSupport
import Testing

@testable import PortolanSyncPlan

/// Deletions that wait for a person, and changes beside them.
@Suite struct HoldTests {
    private let rail = DeletionGuard()

    private func index(_ number: UInt64) -> MemoryIndex {
        MemoryIndex(
            replica: ReplicaID(device: DeviceID(number), epoch: number), author: "A", rootHandle: FileHandleID(1))
    }

    private func file(_ number: UInt64, in parent: UInt64 = 1, content: UInt64? = nil) -> ScannedFile {
        ScannedFile(
            handle: FileHandleID(number), parent: FileHandleID(parent), name: SyncName("\(number)"), kind: .file,
            form: ContentForm(ContentDigest(content ?? number)))
    }

    private func folder(_ number: UInt64) -> ScannedFile {
        ScannedFile(
            handle: FileHandleID(number), parent: FileHandleID(1), name: SyncName("\(number)"), kind: .folder, form: nil
        )
    }

    private func files(_ numbers: Range<UInt64>, in parent: UInt64 = 1) -> [ScannedFile] {
        numbers.map { file($0, in: parent) }
    }

    private func complete(_ found: [ScannedFile]) -> Observation { Observation(found: found, isComplete: true) }

    /// Does the steps of the plans until there are none, as a device whose files have large handles.
    private func settle(
        _ index: inout MemoryIndex, confirmed: Set<HeldDeletion> = [], now: Int64 = 0
    ) -> SyncPlan {
        while true {
            let plan = index.plan(guard: rail, confirmed: confirmed, now: now)
            if plan.steps.isEmpty { return plan }
            for step in plan.steps {
                index.commit(step, handle: FileHandleID(100_000 + UInt64(index.newEntryID().number)), now: now)
            }
        }
    }

    private func hear(_ receiver: inout MemoryIndex, _ sender: MemoryIndex) {
        #expect(receiver.receive(sender.announcement(since: nil).records).isEmpty)
    }

    private func names(_ index: MemoryIndex) -> Set<String> {
        Set(index.allEntries.compactMap { index.entry($0)?.name.text })
    }

    // MARK: What is held, and what is not

    @Test("a new file, an edit and a move go on beside a held deletion, where it was made and where it comes to")
    func beside() throws {
        var (sender, receiver) = (index(1), index(2))
        _ = sender.observe(complete([folder(2)] + files(100..<200, in: 2)), guard: rail)
        hear(&receiver, sender)
        _ = settle(&receiver)
        #expect(receiver.entryCount == 101)
        var moved = file(142, in: 1)
        moved.name = SyncName("moved")
        let rest = [folder(2), file(141, in: 2, content: 7), moved] + files(143..<200, in: 2) + [file(300, in: 2)]
        let held = try #require(sender.observe(complete(rest), guard: rail).held.first)
        #expect(held.count == 41 && sender.tombstones.isEmpty)
        hear(&receiver, sender)
        #expect(settle(&receiver).held.isEmpty)
        #expect(receiver.entryCount == 102 && names(receiver).isSuperset(of: ["300", "moved"]))

        #expect(sender.observe(complete(rest), guard: rail, confirmed: [held]).held.isEmpty)
        var later = rest
        later[1] = file(141, in: 2, content: 8)
        #expect(sender.observe(complete(later + [file(301, in: 2)]), guard: rail).held.isEmpty)
        hear(&receiver, sender)
        let plan = settle(&receiver)
        #expect(plan.held.map(\.count) == [41] && plan.waiting.isEmpty)
        #expect(receiver.entryCount == 103 && names(receiver).contains("301"))
        let edited = receiver.allEntries.compactMap { receiver.entry($0) }.first { $0.name.text == "141" }
        #expect(edited?.form?.digest == ContentDigest(8))
        #expect(settle(&receiver, confirmed: Set(plan.held)).held.isEmpty && receiver.entryCount == 62)
    }

    @Test("two large folders are held each for itself, and the agreement to one covers only that one")
    func apart() throws {
        var (sender, receiver) = (index(1), index(2))
        let all = [folder(2), folder(3)] + files(100..<120, in: 2) + files(200..<220, in: 3) + [file(4)]
        _ = sender.observe(complete(all), guard: rail)
        hear(&receiver, sender)
        _ = settle(&receiver)
        let rest = complete([])
        let held = sender.observe(rest, guard: rail).held
        #expect(held.map(\.count) == [21, 21] && held.allSatisfy { $0.tops.count == 1 })
        #expect(sender.tombstones.count == 1, "a small deletion goes on beside large ones")
        let others = sender.observe(rest, guard: rail, confirmed: [held[0]]).held
        #expect(others == [held[1]] && sender.tombstones.count == 22)
        hear(&receiver, sender)
        let plan = settle(&receiver)
        #expect(plan.held == [held[0]] && receiver.entryCount == 42)
        sender.reject(held[1])
        #expect(sender.plan(guard: rail).steps.count == 1, "the folder comes first")
        #expect(sender.observe(rest, guard: rail).held.isEmpty && sender.tombstones.count == 22)
    }

    @Test("folders of middle size are all held if they are many together")
    func middle() {
        var index = index(1)
        let folders = (2..<12 as Range<UInt64>).flatMap { number in
            [folder(number)] + files(100 * number..<100 * number + 20, in: number)
        }
        _ = index.observe(complete(folders), guard: rail)
        let held = index.observe(complete([]), guard: rail).held
        #expect(held.map(\.count) == Array(repeating: 21, count: 10) && index.tombstones.isEmpty)
    }

    // MARK: The sum

    @Test("all files deleted eight at a time are held before a third of them is gone, and an agreement begins anew")
    func slowly() throws {
        var index = index(1)
        _ = index.observe(complete(files(100..<200)), guard: rail)
        func delete(to end: UInt64, _ confirmed: Set<HeldDeletion> = [], at now: Int64) -> [HeldDeletion] {
            index.observe(complete(files(end..<200)), guard: rail, confirmed: confirmed, now: now).held
        }
        for batch in 1...3 as ClosedRange<UInt64> { #expect(delete(to: 100 + 8 * batch, at: Int64(batch)).isEmpty) }
        #expect(index.tombstones.count == 24)
        let held = try #require(delete(to: 132, at: 4).first)
        #expect(held.count == 8 && index.tombstones.count == 24)
        #expect(delete(to: 132, at: 4000).first == held, "time alone ends no hold")
        #expect(delete(to: 132, [held], at: 5).isEmpty && index.tombstones.count == 32)
        #expect(delete(to: 140, at: 6).isEmpty && index.tombstones.count == 40, "the sum has begun anew")
    }

    @Test("files that were deleted long ago do not count")
    func longAgo() {
        var index = index(1)
        _ = index.observe(complete(files(100..<200)), guard: rail)
        for batch in 1...10 as ClosedRange<UInt64> {
            let found = complete(files(100 + 8 * batch..<200))
            #expect(index.observe(found, guard: rail, now: Int64(batch) * 700).held.isEmpty)
        }
        #expect(index.tombstones.count == 80)
    }

    @Test("deletions of one member that come slowly are held, and stay so; those of another one go on")
    func slowlyFromOthers() {
        var (sender, other, receiver) = (index(1), index(3), index(2))
        _ = sender.observe(complete(files(100..<200)), guard: rail)
        hear(&receiver, sender)
        hear(&other, sender)
        _ = settle(&receiver)
        let adopted = complete(files(100..<200))
        _ = other.observe(adopted, guard: .off)
        for batch in 1...4 as ClosedRange<UInt64> {
            _ = sender.observe(complete(files(100 + 8 * batch..<200)), guard: .off)
            hear(&receiver, sender)
            let plan = settle(&receiver, now: Int64(batch))
            #expect(plan.held.map(\.count) == (batch < 4 ? [] : [8]))
        }
        #expect(receiver.entryCount == 76)
        #expect(settle(&receiver, now: 10_000).held.map(\.device) == [DeviceID(1)], "time alone ends no hold")
        _ = other.observe(complete(files(100..<195)), guard: .off)
        hear(&receiver, other)
        #expect(settle(&receiver, now: 5).held.map(\.count) == [8] && receiver.entryCount == 71)
    }

    // MARK: What needs a name

    @Test("a file in the place of a held folder waits for the decision, and gets no conflict name")
    func inItsPlace() throws {
        var index = index(1)
        let others = files(300..<320)
        _ = index.observe(complete([folder(2)] + files(100..<120, in: 2) + others), guard: rail)
        var new = file(50)
        new.name = SyncName("2")
        let result = index.observe(complete([new] + others), guard: rail)
        let held = try #require(result.held.first)
        #expect(result.untold == [UnannouncedChange(parent: .root, name: SyncName("2"))] && held.count == 21)
        #expect(index.plan(guard: rail).steps.isEmpty && index.nodes.count == 41)
        let decided = index.observe(complete([new] + others), guard: rail, confirmed: [held])
        #expect(decided.held.isEmpty && decided.untold.isEmpty && index.plan(guard: rail).steps.isEmpty)
        #expect(names(index).contains("2") && index.entryCount == 21)
        #expect(index.entry(with: FileHandleID(50)).flatMap { index.entry($0) }?.isDisplaced == false)
    }

    @Test("a file that becomes a folder is no conflict of oneself")
    func otherKind() {
        for isWhole in [true, false] {
            var index = index(1)
            _ = index.observe(complete([file(10), file(11)]), guard: rail)
            var new = folder(50)
            new.name = SyncName("10")
            let found = isWhole ? [new, file(11), file(12, in: 50)] : [new, file(12, in: 50)]
            let result = index.observe(Observation(found: found, isComplete: isWhole), guard: rail)
            #expect(index.tombstones.count == 1 && result.missing.count == (isWhole ? 0 : 1))
            #expect(index.plan(guard: rail).steps.isEmpty && names(index) == ["10", "11", "12"])
        }
    }

    @Test("an item that needs the name of a held entry waits and says so, and nothing is put out of sight for it")
    func waiting() throws {
        var (sender, receiver) = (index(1), index(2))
        let inside = file(99, in: 2)
        _ = sender.observe(complete([folder(2), inside] + files(100..<120, in: 2) + files(300..<320)), guard: rail)
        hear(&receiver, sender)
        _ = settle(&receiver)
        var up = inside
        (up.parent, up.name) = (FileHandleID(1), SyncName("2"))
        _ = sender.observe(complete([up] + files(300..<320)), guard: .off)
        hear(&receiver, sender)
        let plan = settle(&receiver)
        let held = try #require(plan.held.first)
        #expect(plan.waiting == [.held(held.tops[0])] && held.count == 21)
        #expect(receiver.entries(in: .parking).isEmpty)
        let after = settle(&receiver, confirmed: [held])
        #expect(after.held.isEmpty && after.waiting.isEmpty && receiver.entryCount == 21)
        #expect(receiver.entry(in: .root, named: SyncName("2")).flatMap { receiver.entry($0) }?.kind == .file)
    }

    @Test("a folder that cannot be made keeps no other change of kind from happening")
    func refused() throws {
        var (sender, receiver) = (index(1), index(2))
        let inside = file(99, in: 2)
        _ = sender.observe(complete([folder(2), inside]), guard: rail)
        hear(&receiver, sender)
        _ = settle(&receiver)
        var up = inside
        (up.parent, up.name) = (FileHandleID(1), SyncName("2"))
        _ = sender.observe(complete([up, folder(3)]), guard: rail)
        hear(&receiver, sender)
        let plan = receiver.plan(guard: rail)
        let made = try #require(plan.steps.first)
        #expect(plan.steps.count == 1 && made.content == nil)
        let other = receiver.plan(guard: rail, refused: [made])
        #expect(other.steps.contains { if case .park = $0 { true } else { false } })
    }
}
