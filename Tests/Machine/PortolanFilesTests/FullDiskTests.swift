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

    @Test func tooLargeAnnouncedFileIsRefusedAtOnce() throws {
        let inbox = try Inbox(path: disk.path, createIfMissing: false)
        let partial = try inbox.newPartial()
        #expect(kind { try partial.add(root: .file(size: 3 << 20)) } == .noSpace)
        partial.discard()
        #expect(try #require(try inbox.freeSpace()) > 1 << 20)
    }

    @Test func diskThatFillsUpFailsTheItemAndIsFreedAgain() throws {
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

    @Test func manySmallEntriesRespectTheReserve() throws {
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

    private func about(_ number: UInt8) throws -> PartialAbout {
        PartialAbout(
            identity: .test(number), peerName: "", peerFingerprint: "", title: "", name: try name("a"),
            typeIdentifier: "", size: nil, isFolder: false)
    }

    @Test func partialThatFilledTheDiskFreesItsSpace() throws {
        let inbox = try Inbox(path: disk.path, createIfMissing: false)
        let before = try inbox.freeSpace()
        let partial = try inbox.receive(about(1), called: name("a"), reserve: 0, asking: false)
        #expect(kind { try fill(partial) } == .noSpace)
        // The item could be resumed, and no other item could be stored meanwhile.
        partial.suspend()
        #expect(names(in: disk.path).isEmpty)
        #expect(try inbox.freeSpace() == before)
    }

    @Test func partialWithinTheReserveIsRemovedOnlyForAnotherItem() throws {
        let inbox = try Inbox(path: disk.path, createIfMissing: false)
        let reserve: UInt64 = 512 << 10
        let partial = try inbox.receive(about(1), called: name("a"), reserve: reserve, asking: false)
        #expect(kind { try fill(partial) } == .noSpace)
        partial.suspend()
        #expect(try inbox.partials().map(\.isFull) == [true])
        #expect(try #require(try inbox.freeSpace()) > reserve / 2)
        // The partial stays for an item that fits beside it, and for its own item.
        try inbox.makeRoom(for: 1000, reserve: 0, besides: nil)
        try inbox.makeRoom(for: 1 << 20, reserve: reserve, besides: .test(1))
        #expect(try inbox.partials().count == 1)
        try inbox.makeRoom(for: 1 << 20, reserve: reserve, besides: .test(2))
        #expect(try inbox.partials().isEmpty)
        let next = try inbox.receive(nil, called: name("b"), reserve: reserve, asking: false)
        try next.file(0, "b", String(repeating: "y", count: 1 << 20))
        #expect(try next.publish(as: name("b")).bytes == 1 << 20)
    }

    @Test func partialThatDidNotRunOutOfSpaceIsKept() throws {
        let inbox = try Inbox(path: disk.path, createIfMissing: false)
        let partial = try inbox.receive(about(1), called: name("a"), reserve: 0, asking: false)
        try partial.add(root: .file(size: nil))
        try partial.write(0, at: 0, String(repeating: "x", count: 1 << 20))
        partial.suspend()
        try inbox.makeRoom(for: 2 << 20, reserve: 0, besides: nil)
        #expect(try inbox.partials().map(\.isFull) == [false])
    }

    @Test func aCopyOfAFileKeepsItsHolesAndTheReserve() throws {
        var kernel = KernelFeatures.detected
        kernel.hardLinks = false
        let inbox = try Inbox(path: disk.path, createIfMissing: false, features: kernel)
        let partial = try inbox.receive(nil, called: name("tree"), reserve: 64 << 10, asking: false)
        try partial.folder(0)
        // A hundred times as much as fits, nearly all of it a hole.
        try partial.add(1, "first", .file(size: nil), isLinkTarget: true)
        try partial.add(2, "known", .file(size: 1), isLinkTarget: true)
        try partial.content(2, "x")
        try partial.write(1, at: 0, "abc")
        try partial.hole(1, at: 3, length: 200 << 20)
        try partial.finish(1, size: 3 + 200 << 20)
        try partial.add(3, "second", .hardLink(to: 1))
        let stored = try partial.publish(as: name("tree"))
        #expect(stored.report.firsts[.hardLink] != nil)
        let copy = try #require(status(of: disk.path + "/tree/second"))
        #expect(copy.size == 3 + 200 << 20 && copy.allocated < 1 << 20)
    }

    @Test func onePercentStaysFreeByDefault() throws {
        let inbox = try Inbox(path: disk.path, createIfMissing: false)
        #expect(try inbox.usualReserve() == (2 << 20) / 100)
        #expect(try Inbox(path: "/", createIfMissing: false).usualReserve() <= 256 << 20)
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

    /// Detaches the disk at once: open files stay until they are closed.
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
