import Glibc
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// On a small file system of the test's own.
@Suite(.enabled(if: geteuid() == 0 && SmallDisk.isPermitted, "mounting a small file system needs root"))
struct FullDiskTests {
    let disk = SmallDisk()

    private func fill(_ partial: PartialItem) throws {
        try partial.add(root: .file(size: nil))
        for step in 0..<64 { try partial.write(0, at: UInt64(step) << 16, String(repeating: "x", count: 1 << 16)) }
    }

    @Test func anAnnouncedFileThatDoesNotFitIsRefusedAtOnce() throws {
        let inbox = try Inbox(path: disk.path, createIfMissing: false)
        let partial = try inbox.newPartial()
        #expect(kind { try partial.add(root: .file(size: 3 << 20)) } == .noSpace)
        partial.discard()
        #expect(try #require(try inbox.freeSpace()) > 1 << 20)
    }

    @Test func aDiskThatFillsMidwayEndsTheItemAndIsEmptyAgain() throws {
        let inbox = try Inbox(path: disk.path, createIfMissing: false)
        let before = try inbox.freeSpace()
        let partial = try inbox.newPartial()
        #expect(kind { try fill(partial) } == .noSpace)
        #expect(kind { _ = try partial.publish(as: name("a")) } == .noSpace)
        partial.discard()
        #expect(names(in: disk.path).isEmpty)
        #expect(try inbox.freeSpace() == before)
        // The next one fits.
        let next = try inbox.newPartial()
        try next.file(0, "a", "small")
        #expect(try next.publish(as: name("a")).bytes == 5)
    }

    @Test func manySmallEntriesCannotOverfillIt() throws {
        let inbox = try Inbox(path: disk.path, createIfMissing: false)
        let partial = try inbox.newPartial()
        try partial.folder(0)
        let thrown = kind {
            for index in 1...100_000 as ClosedRange<UInt32> { try partial.folder(index, in: 0, "\(index)") }
        }
        #expect(thrown == .noSpace)
        partial.discard()
        #expect(names(in: disk.path).isEmpty)
    }

    @Test func aReadOnlyDestinationIsNoticedAtTheStartAndMidway() throws {
        let inbox = try Inbox(path: disk.path, createIfMissing: false)
        #expect(disk.remount(readOnly: true))
        #expect(kind { _ = try Inbox(path: disk.path, createIfMissing: false) } == .readOnly)
        #expect(kind { _ = try inbox.newPartial() } == .readOnly)
        #expect(kind { _ = try Inbox(path: disk.path + "/new", createIfMissing: true) } == .readOnly)
        #expect(disk.remount(readOnly: false))
    }

    @Test func anUnmountedDestinationIsNotWrittenTo() throws {
        let inbox = try Inbox(path: disk.path, createIfMissing: false)
        disk.unmount()
        #expect(kind { _ = try inbox.newPartial() } == .destinationGone)
        #expect(names(in: disk.path).isEmpty)
    }
}

/// Two megabytes in memory, mounted on a temporary folder.
final class SmallDisk: Sendable {
    private let folder = TemporaryFolder()

    var path: String { folder.path }

    init() { #expect(mount("none", folder.path, "tmpfs", 0, "size=2m,nr_inodes=4096") == 0) }

    deinit { unmount() }

    /// Waits for nothing: what still holds a file there keeps it until it is closed.
    func unmount() { umount2(folder.path, Int32(MNT_DETACH)) }

    func remount(readOnly: Bool) -> Bool {
        // A file that is open for writing keeps the file system writable; there is none here.
        let flags = UInt(MS_REMOUNT) | (readOnly ? UInt(MS_RDONLY) : 0)
        return mount("none", folder.path, nil, flags, "size=2m") == 0
    }

    /// Root in a container may still not mount.
    static let isPermitted: Bool = {
        let folder = TemporaryFolder()
        guard mount("none", folder.path, "tmpfs", 0, "size=1m") == 0 else { return false }
        return umount(folder.path) == 0
    }()
}
