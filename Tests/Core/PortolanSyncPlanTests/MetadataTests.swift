import SyncPlanSupport
import Testing

@testable import PortolanSyncPlan

/// Times of files and permissions of folders, whose change makes no version.
@Suite struct MetadataTests {
    private let name = SyncName("x")
    private let early = ModificationTime(100, 1)
    private let late = ModificationTime(200, 999_999_999)

    private func index(_ number: UInt64) -> MemoryIndex {
        MemoryIndex(
            replica: ReplicaID(device: DeviceID(number), epoch: number), author: "A", rootHandle: FileHandleID(1))
    }

    private func file(_ handle: UInt64, _ time: ModificationTime, content: UInt64 = 1) -> ScannedFile {
        ScannedFile(
            handle: FileHandleID(handle), parent: FileHandleID(1), name: name, kind: .file,
            form: ContentForm(ContentDigest(content)), size: 5, metadata: .time(time))
    }

    /// Makes changes that raise the count of a member.
    private func makeFolders(_ index: inout MemoryIndex) {
        for number in 100..<120 as Range<UInt64> {
            var found = folder(number, 0o755)
            found.name = SyncName("\(number)")
            look(&index, found)
        }
    }

    /// Handle of the item that all tests are about.
    private func handle(_ index: MemoryIndex) throws -> UInt64 {
        try #require(index.allEntries.lazy.compactMap { index.entry($0) }.first { $0.name == name }).handle.number
    }

    private func folder(_ handle: UInt64, _ bits: UInt16) -> ScannedFile {
        ScannedFile(
            handle: FileHandleID(handle), parent: FileHandleID(1), name: name, kind: .folder, form: nil,
            metadata: .permissions(bits))
    }

    /// Looks at one item; the others are unchanged.
    private func look(_ index: inout MemoryIndex, _ found: ScannedFile) {
        _ = index.observe(Observation(found: [found], gone: [], isComplete: true), guard: .off)
    }

    private func remove(_ index: inout MemoryIndex) {
        let place = ObservedPlace(parent: FileHandleID(1), name: name)
        _ = index.observe(Observation(found: [], gone: [place], isComplete: true), guard: .off)
    }

    private func exchange(_ one: inout MemoryIndex, _ other: inout MemoryIndex) {
        let records = one.announcement(since: nil).records
        #expect(one.receive(other.announcement(since: nil).records).isEmpty)
        #expect(other.receive(records).isEmpty)
        #expect(one.nodes.allSatisfy { one.record($0) == other.record($0) })
    }

    /// Does all steps on a disk that shows what it gets.
    ///
    /// - Returns: the steps, without those that change nothing on the disk.
    @discardableResult
    private func work(_ index: inout MemoryIndex, handle: UInt64 = 50, shown: ItemMetadata? = nil) -> [SyncStep] {
        var done: [SyncStep] = []
        for _ in 0..<20 {
            let steps = index.plan(guard: .off).steps
            if steps.isEmpty { return done }
            for step in steps {
                index.commit(step, handle: FileHandleID(handle + UInt64(done.count)), shown: shown)
                if case .bind = step { continue }
                done.append(step)
            }
        }
        Issue.record("Plans do not end.")
        return done
    }

    private func times(_ index: MemoryIndex) -> [ModificationTime] {
        index.nodes.compactMap { index.record($0) }.flatMap { $0.versions.map(\.value.time) }
    }

    private func permissions(_ index: MemoryIndex) -> [UInt16?] {
        index.nodes.compactMap { index.record($0) }.map { $0.permissions?.value }
    }

    /// Two members that have one file.
    private func members(_ time: ModificationTime) -> (MemoryIndex, MemoryIndex) {
        var (one, other) = (index(1), index(2))
        look(&one, file(10, time))
        exchange(&one, &other)
        work(&one)
        #expect(work(&other, handle: 20).count == 1 && times(other) == [time])
        return (one, other)
    }

    private func isSetting(_ step: SyncStep) -> Bool { if case .set = step { true } else { false } }

    @Test("a new time is a change of the record, and a step that fetches nothing, but no version")
    func touch() throws {
        var (one, other) = members(early)
        let before = try #require(one.record(one.nodes[0]))
        look(&other, file(20, late))
        exchange(&one, &other)
        let after = try #require(one.record(one.nodes[0]))
        #expect(after.contents.map(\.dot) == before.contents.map(\.dot) && after.life == before.life)
        #expect(after.contents[0].value.modified == early && times(one) == [late] && after.isWellFormed)
        let steps = work(&one)
        #expect(steps.count == 1 && steps.allSatisfy(isSetting) && steps[0].content == nil)
        #expect(one.entry(with: FileHandleID(10)).flatMap { one.entry($0) }?.metadata == .time(late))
        let sequence = one.sequence
        look(&one, file(10, late))
        #expect(one.sequence == sequence && work(&one).isEmpty)
    }

    @Test("two times that were set while apart are no conflict: one of them stays on both")
    func twoTouches() throws {
        var (one, other) = members(early)
        look(&one, file(10, late))
        look(&other, file(20, ModificationTime(150)))
        exchange(&one, &other)
        #expect(times(one).count == 1 && times(one) == times(other))
        #expect((work(&one) + work(&other)).count == 1)
        #expect(one.allEntries.count == 1 && other.allEntries.count == 1)
    }

    @Test("a time that was set by a member who knew the other one stays, though that member has made fewer changes")
    func laterTouch() throws {
        var (one, other) = members(early)
        look(&one, file(10, late))
        makeFolders(&one)
        exchange(&one, &other)
        work(&other, handle: 30)
        #expect(times(other) == [late] && other.counter < one.counter)
        look(&other, file(try handle(other), ModificationTime(150)))
        exchange(&one, &other)
        #expect(times(one) == [ModificationTime(150)] && times(other) == times(one))
        #expect(work(&one).count == 1)
        look(&one, file(10, early))
        exchange(&one, &other)
        #expect(times(one) == [early] && times(other) == [early])
    }

    @Test("permissions of a member who knew the other ones stay, though that member has made fewer changes")
    func laterPermissions() throws {
        var (one, other) = (index(1), index(2))
        makeFolders(&one)
        look(&one, folder(10, 0o755))
        look(&one, folder(10, 0o711))
        exchange(&one, &other)
        work(&one)
        work(&other, handle: 30)
        look(&other, folder(try handle(other), 0o700))
        exchange(&one, &other)
        #expect(permissions(one).contains(0o700) && permissions(one) == permissions(other))
        #expect(work(&one).count == 1)
    }

    @Test("a write goes before a new time, and so does a deletion")
    func touchAndChange() throws {
        var (one, other) = members(early)
        look(&one, file(10, late, content: 2))
        look(&other, file(20, ModificationTime(300)))
        exchange(&one, &other)
        #expect(times(one) == [late] && work(&one).isEmpty)
        let steps = work(&other)
        #expect(steps.count == 1 && steps[0].content?.form.digest == ContentDigest(2))

        (one, other) = members(early)
        remove(&one)
        look(&other, file(20, late))
        exchange(&one, &other)
        #expect(one.tombstones.count == 1 && other.tombstones.count == 1)
        work(&other)
        #expect(other.allEntries.isEmpty, "the time revives nothing")
    }

    @Test("the permissions of a folder follow, and one of two that were set while apart stays")
    func chmod() throws {
        var (one, other) = (index(1), index(2))
        look(&one, folder(10, 0o755))
        exchange(&one, &other)
        work(&one)
        work(&other, handle: 20)
        look(&other, folder(20, 0o700))
        exchange(&one, &other)
        #expect(permissions(one) == [0o700])
        #expect(work(&one).allSatisfy(isSetting) && work(&other).isEmpty)
        look(&one, folder(10, 0o711))
        look(&other, folder(20, 0o750))
        exchange(&one, &other)
        #expect((work(&one) + work(&other)).count == 1 && permissions(one) == permissions(other))
        #expect(one.allEntries.count == 1 && other.allEntries.count == 1)
    }

    @Test("a folder of two nodes has the latest permissions of them, and a change is one of both")
    func twoNodes() throws {
        var (one, other) = (index(1), index(2))
        look(&one, folder(10, 0o755))
        look(&other, folder(20, 0o700))
        exchange(&one, &other)
        work(&one)
        work(&other)
        let entries = [(one, 10 as UInt64), (other, 20)].map { index, handle in
            index.entry(with: FileHandleID(handle)).flatMap { index.entry($0) }
        }
        #expect(entries.map { $0?.metadata } == [.permissions(0o700), .permissions(0o700)])
        look(&one, folder(10, 0o750))
        #expect(permissions(one) == [0o750, 0o750])
    }

    @Test("a new folder gets its permissions when everything is in it")
    func openedLast() throws {
        var (one, other) = (index(1), index(2))
        var inside = file(11, early)
        inside.parent = FileHandleID(10)
        let found = [folder(10, 0o755), inside]
        _ = one.observe(Observation(found: found, gone: [], isComplete: true), guard: .off)
        exchange(&one, &other)
        let steps = work(&other, handle: 20, shown: .permissions(0o700))
        #expect(steps.count == 3 && isSetting(steps[2]) && steps[1].content != nil)
    }

    @Test("metadata that the disk cannot hold counts as held, until a person changes it")
    func coarse() throws {
        var (one, other) = (index(1), index(2))
        look(&one, file(10, late))
        exchange(&one, &other)
        work(&one)
        work(&other, handle: 20, shown: .time(ModificationTime(200)))
        let sequence = other.sequence
        look(&other, file(20, ModificationTime(200)))
        #expect(other.sequence == sequence && work(&other).isEmpty && times(other) == [late])
        look(&other, file(20, ModificationTime(300)))
        #expect(times(other) == [ModificationTime(300)] && other.sequence > sequence)
    }

    @Test("a folder that was opened for steps is closed again, and that is no change by a person")
    func closed() throws {
        var one = index(1)
        look(&one, folder(10, 0o555))
        let id = try #require(one.entry(with: FileHandleID(10)))
        let sequence = one.sequence
        work(&one)
        for found in [0o755, 0o555] as [UInt16] {
            var entry = try #require(one.entry(id))
            entry.metadata = .permissions(0o755)
            one.set(entry)
            one.mark(entry.seen.map(\.node))
            look(&one, folder(10, found))
            #expect(one.sequence == sequence && permissions(one) == [0o555])
            #expect(work(&one).count == (found == 0o755 ? 1 : 0))
            #expect(one.entry(id)?.metadata == .permissions(0o555))
        }
    }

    @Test("an entry without known metadata takes those of the disk without a change or a step")
    func unknown() throws {
        var (one, _) = members(ModificationTime(100))
        let id = try #require(one.allEntries.first)
        var entry = try #require(one.entry(id))
        entry.metadata = nil
        one.set(entry)
        one.mark(entry.seen.map(\.node))
        #expect(work(&one).isEmpty)
        let sequence = one.sequence
        look(&one, file(10, ModificationTime(100, 5)))
        #expect(one.sequence == sequence && work(&one).isEmpty)
        look(&one, file(10, ModificationTime(100, 6)))
        #expect(times(one) == [ModificationTime(100, 6)])
    }
}
