import SyncPlanSupport
import Testing

@testable import PortolanSyncPlan

/// Entries to which a scan assigns files.
@Suite struct MatchTests {
    private var index = MemoryIndex(
        replica: ReplicaID(device: DeviceID(1), epoch: 1), author: "A", rootHandle: FileHandleID(1))

    private func file(_ handle: UInt64, _ name: String, content: UInt64, size: UInt64 = 5) -> ScannedFile {
        ScannedFile(
            handle: FileHandleID(handle), parent: FileHandleID(1), name: SyncName(name), kind: .file,
            form: ContentForm(ContentDigest(content)), size: size)
    }

    private mutating func observe(_ files: [ScannedFile], isComplete: Bool = true) {
        _ = index.observe(Observation(found: files, isComplete: isComplete), guard: .off)
    }

    private func place(_ node: NodeID) -> String? { index.record(node)?.place?.name.text }

    @Test("a file that is gone and one that is new with its content are one that was moved")
    mutating func copied() throws {
        observe([file(10, "a", content: 1), file(11, "b", content: 2)])
        let node = try #require(index.nodes.first { place($0) == "a" })
        observe([file(12, "c", content: 1), file(11, "b", content: 2)])
        #expect(place(node) == "c" && index.tombstones.isEmpty && index.nodes.count == 2)
        #expect(index.entry(with: FileHandleID(12)) != nil && index.entry(with: FileHandleID(10)) == nil)
    }

    @Test("an ambiguous move counts as deletion and new file")
    mutating func ambiguous() {
        observe([file(10, "a", content: 1), file(11, "b", content: 1)])
        observe([file(12, "c", content: 1), file(13, "d", content: 1)])
        #expect(index.tombstones.count == 2 && index.nodes.count == 4)
    }

    @Test("empty files are not taken for moved, nor is anything after a scan that has not seen all")
    mutating func doubtful() {
        observe([file(10, "a", content: 1, size: 0), file(11, "b", content: 2)])
        observe([file(12, "c", content: 1, size: 0), file(11, "b", content: 2)])
        #expect(index.tombstones.count == 1 && index.nodes.count == 3)
        observe([file(12, "c", content: 1, size: 0), file(13, "d", content: 2)], isComplete: false)
        #expect(index.nodes.count == 4 && index.tombstones.count == 1)
    }

    @Test("the contents of a missing folder are missing, except those found elsewhere")
    mutating func lostFolder() {
        func folder(_ handle: UInt64, _ name: String, in parent: UInt64) -> ScannedFile {
            ScannedFile(
                handle: FileHandleID(handle), parent: FileHandleID(parent), name: SyncName(name), kind: .folder,
                form: nil)
        }
        func inside(_ handle: UInt64, _ name: String, in parent: UInt64, content: UInt64) -> ScannedFile {
            var item = file(handle, name, content: content)
            item.parent = FileHandleID(parent)
            return item
        }
        func see(_ found: [ScannedFile], gone name: String) {
            let place = ObservedPlace(parent: FileHandleID(1), name: SyncName(name))
            _ = index.observe(Observation(found: found, gone: [place], isComplete: true), guard: .off)
        }
        observe([
            folder(20, "k", in: 1), folder(21, "u", in: 20), folder(22, "v", in: 21),
            inside(30, "f", in: 22, content: 1), inside(31, "g", in: 21, content: 2),
            inside(32, "h", in: 20, content: 3),
        ])
        // The folder moves, and all that is in it with it, of which the scan says nothing.
        see([folder(20, "l", in: 1)], gone: "k")
        #expect(index.entryCount == 6 && index.tombstones.isEmpty)
        // A folder in it is found at another place, and stays with what is in it.
        see([folder(22, "w", in: 1)], gone: "l")
        #expect(index.entryCount == 2 && index.tombstones.count == 4)
        #expect(index.entry(with: FileHandleID(30)) != nil && index.entry(with: FileHandleID(31)) == nil)
        // Another folder takes the place of one.
        see([folder(40, "w", in: 1)], gone: "none")
        #expect(index.entryCount == 1 && index.tombstones.count == 5)
    }

    @Test("a folder that is reported twice at its place is one folder")
    mutating func twice() {
        func folder(_ handle: UInt64, _ name: String, in parent: UInt64) -> ScannedFile {
            ScannedFile(
                handle: FileHandleID(handle), parent: FileHandleID(parent), name: SyncName(name), kind: .folder,
                form: nil)
        }
        let way = [folder(20, "k", in: 1), folder(21, "u", in: 20)]
        observe(way)
        observe(way + way + [folder(22, "new", in: 21)])
        #expect(index.nodes.count == 3 && index.tombstones.isEmpty && index.entryCount == 3)
        observe(way + [folder(22, "new", in: 21), folder(23, "v", in: 21), folder(23, "v", in: 21)])
        #expect(index.nodes.count == 4 && index.entryCount == 4)
    }
}
