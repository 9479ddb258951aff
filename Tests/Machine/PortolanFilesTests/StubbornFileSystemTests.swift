import Glibc
import PortolanValues
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// File systems with permissions, owners or identities of their own, as those of FUSE, FAT and overlays.
@Suite(.aside) struct StubbornFileSystemTests {
    /// A file system that lets nobody change permissions.
    private struct FixedPermissions: PassThroughStorage {
        func setPermissions(_ mode: UInt16, of file: Descriptor) throws(SystemFailure) { throw SystemFailure(EPERM) }
    }

    /// A file system on which everything has the same permissions, and the same owner.
    private struct ForcedProperties: PassThroughStorage {
        let owner: uid_t

        func makeFile(_ name: String, in folder: Descriptor, mode: UInt32) throws(SystemFailure) -> Descriptor {
            let file = try disk.makeFile(name, in: folder, mode: mode)
            guard fchmod(file.number, 0o755) == 0, fchown(file.number, owner, getegid()) == 0 else { throw .last }
            return file
        }

        func makeFolder(_ name: String, in folder: Descriptor, mode: UInt32) throws(SystemFailure) {
            try disk.makeFolder(name, in: folder, mode: mode)
            guard fchmodat(folder.number, name, 0o755, 0) == 0, fchownat(folder.number, name, owner, getegid(), 0) == 0
            else { throw .last }
        }

        func setPermissions(_ mode: UInt16, of file: Descriptor) throws(SystemFailure) { throw SystemFailure(EPERM) }
    }

    private let temporary = TemporaryFolder()

    private func send(_ shipment: inout Shipment, to inbox: Inbox) throws -> PublishedItem {
        let partial = try inbox.receive(shipment.about(), called: name("tree"), asking: true)
        try shipment.send(to: partial)
        return try partial.publish(as: name("tree"))
    }

    /// The tree with another content of the same size in a large file and in one with two names.
    private func changedTree() throws -> Shipment {
        var changed = Shipment.tree()
        changed.entries[1].kind = .file(Shipment.noise(1_000_001, 21))
        changed.entries[4].kind = .file(Shipment.noise(20_000, 23))
        for index in [1, 4, 8] {
            changed.entries[index].modified = FileTime(timespec(tv_sec: 1_400_000_000, tv_nsec: 5))
        }
        return changed
    }

    @Test("an update arrives though permissions cannot be changed")
    func updateWithFixedPermissions() throws {
        var first = Shipment.tree()
        _ = try send(&first, to: temporary.inbox())
        var changed = try changedTree()
        changed.entries[1].permissions = 0o640
        let stored = try send(&changed, to: temporary.inbox(storage: FixedPermissions()))
        #expect(content(of: temporary("inbox/tree/large")) == Shipment.noise(1_000_001, 21))
        #expect(!stored.report.omissions.contains { $0.reason.lacksContent })
    }

    @Test("permissions that cannot be set are reported, and the item is stored")
    func fixedPermissionsAreReported() throws {
        var shipment = Shipment.readOnlyTree()
        let stored = try send(&shipment, to: temporary.inbox(storage: FixedPermissions()))
        #expect(content(of: temporary("inbox/tree/sub/small")) == Shipment.noise(5000, 1))
        #expect(Set(stored.report.omissions.map(\.reason)) == [.mode])
    }

    @Test("an item is stored where everything has the same permissions")
    func forcedPermissions() throws {
        var shipment = Shipment.tree()
        _ = try send(&shipment, to: temporary.inbox(storage: ForcedProperties(owner: geteuid())))
        #expect(content(of: temporary("inbox/tree/large")) == Shipment.noise(1_000_001, 1))
        #expect(names(in: temporary("inbox")) == ["tree"])
    }

    @Test("an item is stored where everything belongs to another user")
    func forcedOwner() throws {
        guard geteuid() == 0 else { return print("skipped: only root can give files to other users") }
        var shipment = Shipment.tree()
        _ = try send(&shipment, to: temporary.inbox(storage: ForcedProperties(owner: 54321)))
        #expect(content(of: temporary("inbox/tree/large")) == Shipment.noise(1_000_001, 1))
        #expect(names(in: temporary("inbox")) == ["tree"])
    }

    @Test("on an ordinary file system, a folder that others may read, or of another user, is taken for no workspace")
    func exchangedWorkspace() throws {
        let inbox = try temporary.inbox().open()
        let name = FileName.partialPrefix + "x"
        let path = temporary.folder("inbox/" + name)
        func isTaken() throws -> Bool {
            try Workspace.lock(name, in: inbox, features: .detected, storage: KernelStorage()) != nil
        }
        #expect(try !isTaken())
        #expect(chmod(path, 0o700) == 0)
        #expect(try isTaken())
        if geteuid() == 0 {
            #expect(chown(path, 54321, getegid()) == 0)
            #expect(try !isTaken())
        }
        #expect(names(in: temporary("inbox")) == [name])
    }

    @Test("a file with several names in the lower layer of an overlay is brought up to date")
    func hardLinksBelowAnOverlay() throws {
        var first = Shipment.tree()
        let lower = try temporary.inbox("lower")
        _ = try send(&first, to: lower)
        for name in ["upper", "work", "overlay"] { temporary.folder(name) }
        let options = "lowerdir=\(lower.path),upperdir=\(temporary("upper")),workdir=\(temporary("work"))"
        let path = temporary("overlay")
        guard geteuid() == 0, mount("overlay", path, "overlay", 0, options) == 0 else {
            return print("skipped: needs root to mount an overlay")
        }
        defer { umount2(path, Int32(MNT_DETACH)) }
        var changed = try changedTree()
        let stored = try send(&changed, to: temporary.inbox("overlay"))
        #expect(stored.report.isComplete, "\(stored.report)")
        #expect(snapshot(of: path) == changed.expected(as: "tree"))
    }
}
