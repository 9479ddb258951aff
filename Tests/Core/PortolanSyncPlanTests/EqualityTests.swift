import SyncPlanSupport
import Testing

@testable import PortolanSyncPlan

/// Files with the same bytes and different permissions.
@Suite struct EqualityTests {
    private func index(_ number: UInt64) -> MemoryIndex {
        MemoryIndex(
            replica: ReplicaID(device: DeviceID(number), epoch: number), author: "A", rootHandle: FileHandleID(1))
    }

    private func file(_ handle: UInt64, _ name: String, _ permissions: UInt64) -> ScannedFile {
        ScannedFile(
            handle: FileHandleID(handle), parent: FileHandleID(1), name: SyncName(name), kind: .file,
            form: ContentForm(ContentDigest(1), attributes: permissions), size: 5,
            metadata: .time(ModificationTime(Int64(handle))))
    }

    private func complete(_ found: [ScannedFile]) -> Observation { Observation(found: found, isComplete: true) }

    private func settle(_ index: inout MemoryIndex) {
        while case let steps = index.plan(guard: .off).steps, !steps.isEmpty {
            for step in steps { index.commit(step, handle: FileHandleID(1000 + UInt64(index.newEntryID().number))) }
        }
    }

    private func exchange(_ one: inout MemoryIndex, _ other: inout MemoryIndex) {
        _ = other.receive(one.announcement(since: nil).records)
        _ = one.receive(other.announcement(since: nil).records)
        settle(&one)
        settle(&other)
    }

    private func entries(_ index: MemoryIndex) -> [AgreedEntry] { index.allEntries.compactMap { index.entry($0) } }

    @Test("permissions that two set differently while apart are no conflict: the later change counts")
    func permissions() {
        var (one, other) = (index(1), index(2))
        _ = one.observe(complete([file(10, "a", 0o644)]), guard: .off)
        exchange(&one, &other)
        let handle = entries(other)[0].handle.number
        _ = one.observe(complete([file(10, "a", 0o600)]), guard: .off)
        _ = other.observe(complete([file(handle, "a", 0o755)]), guard: .off)
        exchange(&one, &other)
        for index in [one, other] {
            #expect(entries(index).map(\.name.text) == ["a"] && entries(index)[0].form?.attributes == 0o600)
        }
        #expect(entries(one)[0].seen == entries(other)[0].seen)
    }

    @Test("files of one name and content that two made with different permissions are one")
    func newFiles() {
        var (one, other) = (index(1), index(2))
        _ = one.observe(complete([file(9, "b", 0o644), file(10, "a", 0o644)]), guard: .off)
        _ = other.observe(complete([file(11, "a", 0o755)]), guard: .off)
        exchange(&one, &other)
        for index in [one, other] {
            #expect(Set(entries(index).map(\.name.text)) == ["a", "b"])
            let permissions = entries(index).first { $0.name.text == "a" }?.form?.attributes
            #expect(permissions == 0o644, "the second change of a replica is later than the first of another")
        }
    }

    @Test("after a new epoch, files with the same bytes and folders stand for those of the others")
    func adopted() {
        var (one, other) = (index(1), index(2))
        let folder = ScannedFile(
            handle: FileHandleID(5), parent: FileHandleID(1), name: SyncName("x"), kind: .folder, form: nil)
        var inside = file(10, "a", 0o644)
        inside.parent = folder.handle
        _ = one.observe(complete([folder, inside]), guard: .off)
        _ = other.receive(one.announcement(since: nil).records)
        inside.form = ContentForm(
            ContentDigest(1), attributes: 0o755, extended: [ExtendedAttribute(SyncName("tag"), [1])])
        inside.metadata = .time(ModificationTime(7))
        for ways in [SyncWays(), SyncWays(.receiveOnly)] {
            var other = other
            #expect(other.observe(complete([folder, inside]), guard: .off, ways: ways).untold.isEmpty)
            #expect(other.counter == 0 && other.nodes.count == 2 && other.entryCount == 2)
            let steps = other.plan(guard: .off, ways: ways).steps
            #expect(steps.count == 1)
            if case .replace(_, let item)? = steps.first {
                #expect(item.content?.form == ContentForm(ContentDigest(1), attributes: 0o644))
            } else {
                Issue.record("\(steps)")
            }
        }
    }
}
