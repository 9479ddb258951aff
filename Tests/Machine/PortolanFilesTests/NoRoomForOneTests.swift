import Glibc
import PortolanValues
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Entries for which the destination has no room, while it has room for others of their folder.
@Suite(.aside) struct NoRoomForOneTests {
    private let temporary = TemporaryFolder.inMemory()
    private let later = FileTime(timespec(tv_sec: 1_400_000_000, tv_nsec: 5))
    private typealias Entry = Shipment.Entry

    /// The real disk, except that it refuses large files, and new names that begin with “crowded”.
    private struct NarrowStorage: PassThroughStorage {
        static let largest: UInt64 = 20_000

        func write(_ bytes: UnsafeRawBufferPointer, to file: Descriptor, at offset: UInt64) throws(SystemFailure) {
            guard offset + UInt64(bytes.count) <= Self.largest else { throw SystemFailure(EFBIG) }
            try disk.write(bytes, to: file, at: offset)
        }

        func resize(_ file: Descriptor, to size: UInt64) throws(SystemFailure) {
            guard size <= Self.largest else { throw SystemFailure(EFBIG) }
            try disk.resize(file, to: size)
        }

        func move(
            _ name: String, in folder: Descriptor, to other: String, in otherFolder: Descriptor, _ manner: MoveManner
        ) throws(SystemFailure) {
            guard !other.hasPrefix("crowded") || manner != .withoutReplacing else { throw SystemFailure(ENOSPC) }
            try disk.move(name, in: folder, to: other, in: otherFolder, manner)
        }
    }

    private func send(_ entries: [Entry], to inbox: Inbox, seed: UInt64 = 1) throws -> PublishedItem {
        var shipment = Shipment(entries, seed: seed)
        let partial = try inbox.receive(shipment.about(), called: name("tree"), asking: true)
        try shipment.send(to: partial)
        return try partial.publish(as: name("tree"))
    }

    private func losses(_ stored: PublishedItem) -> Set<String> {
        Set(stored.report.omissions.map { "\($0.shownPath.text) \($0.reason.rawValue)" })
    }

    /// The first file arrives in one piece, the second in ranges, and the third has another name.
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func fileTooLargeForTheFileSystemStopsNoOther(seed: UInt64) throws {
        let inbox = try temporary.inbox(storage: NarrowStorage())
        var entries = [
            Entry(parent: 0, name: "tree", kind: .folder, permissions: 0o755),
            Entry(parent: 0, name: "at once", kind: .file(Shipment.noise(30_000, 1))),
            Entry(parent: 0, name: "in ranges", kind: .file(Shipment.noise(600_000, 2))),
            Entry(parent: 0, name: "linked", kind: .file(Shipment.noise(600_000, 3))),
            Entry(parent: 0, name: "small", kind: .file([1])),
            Entry(parent: 0, name: "other name", kind: .hardLink(3)),
        ]
        let wrong: Set<String> = ["at once no-space", "in ranges no-space", "linked no-space", "other name no-space"]
        for value in 1...3 as ClosedRange<UInt8> {
            entries[4].kind = .file([value, value])
            entries[4].modified = FileTime(timespec(tv_sec: Int(value), tv_nsec: 0))
            let stored = try send(entries, to: inbox, seed: seed)
            #expect(losses(stored) == wrong, "round \(value)")
            #expect(names(in: inbox.path) == ["tree"] && names(in: inbox.path + "/tree") == ["small"])
            #expect(content(of: inbox.path + "/tree/small") == [value, value])
        }
    }

    @Test func fileTooLargeByAFinalHoleStopsNoOther() throws {
        let inbox = try temporary.inbox(storage: NarrowStorage())
        let partial = try inbox.newPartial()
        try partial.folder(0)
        try partial.add(1, "holes", .file(size: 1 << 20))
        try partial.file(2, in: 0, "small", "text")
        try partial.write(1, at: 0, "start")
        try partial.hole(1, at: 5, length: 1 << 20 - 5)
        try partial.finish(1, size: 1 << 20)
        let stored = try partial.publish(as: name("tree"))
        #expect(losses(stored) == ["holes no-space"] && names(in: inbox.path + "/tree") == ["small"])
    }

    /// An item that is itself too large fails: nothing of it would be stored.
    @Test func tooLargeItemFails() throws {
        let inbox = try temporary.inbox(storage: NarrowStorage())
        let partial = try inbox.newPartial()
        try partial.add(root: .file(size: nil))
        #expect(kind { try partial.write(0, at: NarrowStorage.largest, "x") } == .tooLarge)
        partial.discard()
    }

    @Test func fullFolderStillTakesReplacements() throws {
        let inbox = try temporary.inbox(storage: NarrowStorage())
        var entries = [
            Entry(parent: 0, name: "tree", kind: .folder, permissions: 0o755),
            Entry(parent: 0, name: "a", kind: .file([1])),
        ]
        _ = try send(entries, to: inbox)
        entries[1].kind = .file([2])
        entries[1].modified = later
        entries.append(Entry(parent: 0, name: "crowded", kind: .file([3])))
        entries.append(Entry(parent: 0, name: "crowded out", kind: .folder, permissions: 0o755))
        entries.append(Entry(parent: 3, name: "inside", kind: .file([4])))
        entries.append(Entry(parent: 0, name: "z", kind: .file([5])))
        for _ in 1...2 {
            let stored = try send(entries, to: inbox)
            #expect(losses(stored) == ["crowded no-space", "crowded out no-space"])
            #expect(names(in: inbox.path) == ["tree"] && names(in: inbox.path + "/tree").sorted() == ["a", "z"])
        }
        #expect(content(of: inbox.path + "/tree/a") == [2])
    }

    /// File system with no free inode for a further file.
    @Test(.enabled(if: geteuid() == 0 && SmallDisk.isPermitted, "mounting a small file system needs root"))
    func withoutInodesTheRestIsReported() throws {
        let disk = SmallDisk()
        let inbox = try Inbox(path: disk.path, createIfMissing: false)
        var entries = [
            Entry(parent: 0, name: "tree", kind: .folder, permissions: 0o755),
            Entry(parent: 0, name: "a", kind: .file([1])),
        ]
        _ = try send(entries, to: inbox)
        var others = 0
        while mknod(disk.path + "/tree/other \(others)", S_IFREG | 0o600, 0) == 0 { others += 1 }
        let refusal = errno
        #expect(refusal == ENOSPC && others > 1000)
        entries.append(Entry(parent: 0, name: "b", kind: .file([2])))
        entries.append(Entry(parent: 0, name: "folder", kind: .folder, permissions: 0o755))
        for _ in 1...2 {
            let stored = try send(entries, to: inbox)
            // Entries made here changed the time of the folder.
            #expect(losses(stored) == ["b no-space", "folder no-space", " modification-time"])
            #expect(names(in: disk.path) == ["tree"])
        }
    }
}
