import CPortolanLinux
import Glibc
import PortolanValues
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Permissions of files that are stored already: changes by the sender are applied, and changes made here stay.
extension UpdatingTests {
    private func file(_ permissions: UInt16) -> Shipment {
        Shipment([
            Shipment.Entry(
                parent: 0, name: "a.sh", kind: .file(Shipment.noise(1000, 1)), permissions: permissions)
        ])
    }

    private func omissions(_ stored: PublishedItem) -> Set<String> {
        Set(stored.report.omissions.map { "\($0.shownPath.text) \($0.reason.rawValue)" })
    }

    @Test func aChangeOfPermissionsAtTheSendersIsCarriedOver() throws {
        let inbox = try temporary.inbox()
        guard keepsAttributes(inbox) else { return }
        var shipment = Shipment.tree()
        _ = try send(&shipment, to: inbox)
        // The permissions change, change back, and become those of a file that only its owner may read.
        for permissions in [0o755, 0o600, 0o400, 0o700] as [UInt16] {
            var again = Shipment.tree()
            for index in [1, 3, 4, 9] { again.entries[index].permissions = permissions }
            let stored = try send(&again, to: inbox)
            #expect(again.sent == 0 && stored.updated && stored.report.isComplete)
            #expect(stored.keptEntries == stored.entries && stored.keptBytes == stored.bytes)
            for path in ["large", "sub/small", "sub/linked", "sub/deep/other name", "sub/after"] {
                #expect(status(of: "\(inbox.path)/tree/\(path)")?.mode == permissions, "\(path)")
            }
            #expect(snapshot(of: inbox.path) == again.expected(as: "tree"))
        }
        // The file still counts as received: a later version replaces it.
        var changed = Shipment.tree()
        changed.entries[3].kind = .file(Shipment.noise(6000, 77))
        changed.entries[3].modified = FileTime(timespec(tv_sec: 1_400_000_000, tv_nsec: 5))
        #expect(try send(&changed, to: inbox).report.isComplete)
        #expect(snapshot(of: inbox.path) == changed.expected(as: "tree"))
    }

    @Test func aChangeOfPermissionsOfASingleFileIsCarriedOver() throws {
        let inbox = try temporary.inbox()
        guard keepsAttributes(inbox) else { return }
        for permissions in [0o644, 0o755, 0o444, 0o600] as [UInt16] {
            var shipment = file(permissions)
            let stored = try send(&shipment, to: inbox, called: "a.sh")
            #expect(stored.report.isComplete && stored.updated == (shipment.sent == 0))
            #expect(status(of: inbox.path + "/a.sh")?.mode == permissions)
        }
        #expect(names(in: inbox.path) == ["a.sh"])
    }

    @Test func permissionsOfReadOnlyFilesAreUpdated() throws {
        let inbox = try temporary.inbox()
        guard keepsAttributes(inbox) else { return }
        try obeyingPermissions {
            var shipment = Shipment.readOnlyTree()
            _ = try send(&shipment, to: inbox)
            for permissions in [0o644, 0o444, 0o555, 0o400, 0o755] as [UInt16] {
                var again = Shipment.readOnlyTree()
                again.entries[2].permissions = permissions
                let stored = try send(&again, to: inbox)
                #expect(again.sent == 0 && stored.report.isComplete)
                #expect(status(of: inbox.path + "/tree/sub/small")?.mode == permissions)
            }
        }
    }

    @Test func locallyChangedPermissionsStay() throws {
        let inbox = try temporary.inbox()
        guard keepsAttributes(inbox) else { return }
        var shipment = Shipment.tree()
        _ = try send(&shipment, to: inbox)
        #expect(chmod(inbox.path + "/tree/large", 0o4644) == 0 && chmod(inbox.path + "/tree/last", 0o600) == 0)
        for permissions in [0o644, 0o755] as [UInt16] {
            var again = Shipment.tree()
            again.entries[1].permissions = permissions
            again.entries[12].permissions = permissions
            again.entries[11].permissions = 0o700
            let stored = try send(&again, to: inbox)
            let expected = ["last mode", "empty folder mode"] + (permissions == 0o644 ? [] : ["large mode"])
            #expect(omissions(stored) == Set(expected))
            #expect(status(of: inbox.path + "/tree/large")?.mode == 0o4644)
            #expect(status(of: inbox.path + "/tree/last")?.mode == 0o600)
            #expect(status(of: inbox.path + "/tree/empty folder")?.mode == 0o755)
        }
        // Taken back here, they are the sender's again.
        #expect(chmod(inbox.path + "/tree/last", 0o644) == 0)
        var again = Shipment.tree()
        again.entries[12].permissions = 0o755
        #expect(try send(&again, to: inbox).report.isComplete)
        #expect(status(of: inbox.path + "/tree/last")?.mode == 0o755)
    }

    @Test func permissionsRemovedByTheUmaskAreReportedAgain() throws {
        let inbox = try temporary.inbox()
        guard keepsAttributes(inbox) else { return }
        var umask = Umask()
        let bits = umask.bits()
        let kept = 0o777 & ~(try #require(bits))
        var first = file(0o600)
        _ = try send(&first, to: inbox, called: "a.sh")
        var changed: [FileTime?] = []
        for _ in 1...2 {
            var again = file(0o777)
            let stored = try send(&again, to: inbox, called: "a.sh")
            #expect(again.sent == 0 && stored.report.isComplete == (kept == 0o777))
            let found = status(of: inbox.path + "/a.sh")
            #expect(found?.mode == kept)
            changed.append(found?.changed)
        }
        // The second time nothing had to be changed.
        #expect(changed[0] == changed[1])
    }

    @Test func umaskIsParsedFromTheSystemsText() {
        #expect(Umask.bits(in: "Name:\tportolan\nUmask:\t0027\nState:\tR (running)\n") == 0o027)
        for other in ["", "Name:\tUmask:\t0022\nState:\tR\n", "Umask:\t\n", "Umask:\tnone\n"] {
            #expect(Umask.bits(in: other) == nil)
        }
    }

    @Test(arguments: ["", " ", " 64", " 6444", " 648", " 644 ", "644"])
    func markWithoutPermissionsDoesNotChangeThem(_ rest: String) throws {
        let inbox = try temporary.inbox()
        guard keepsAttributes(inbox) else { return }
        var shipment = file(0o644)
        _ = try send(&shipment, to: inbox, called: "a.sh")
        let folder = try inbox.open()
        let stored = try Beneath.openToRead("a.sh", in: folder, features: .detected)
        func mark() -> String {
            var value = [UInt8](repeating: 0, count: 64)
            let count = portolan_get_attribute(stored.number, ReceivedMark.attribute, &value, 64)
            return String(decoding: value.prefix(max(0, Int(count))), as: UTF8.self)
        }
        #expect(mark() == "1000 1234567890.123456789 644")
        let old = "1000 1234567890.123456789"
        try KernelStorage().setAttribute(ReceivedMark.attribute, Array((old + rest).utf8), of: stored)
        // Without a space there is another time.
        let isMark = rest != "644"
        #expect(ReceivedMark.isTrue(of: stored) == isMark)
        #expect(ReceivedMark.permissions(1000, someTime, on: stored) == nil)
        var again = file(0o755)
        let result = try send(&again, to: inbox, called: "a.sh")
        #expect(result.updated == isMark && (again.sent == 0) == isMark)
        #expect(omissions(result).count == (isMark ? 1 : 0))
        #expect(status(of: inbox.path + "/a.sh")?.mode == 0o644 && mark() == old + rest)
    }

    /// A single file, and folders of few and of many files.
    @Test(arguments: [0, 1, 40]) func carriedPermissionsSurviveALossOfPower(_ files: Int) throws {
        let item = files == 0 ? "a.sh" : "tree"
        func shipment(_ permissions: UInt16) -> Shipment {
            guard files > 0 else { return file(permissions) }
            var entries = [Shipment.Entry(parent: 0, name: item, kind: .folder, permissions: 0o755)]
            for number in 1...files {
                entries.append(
                    Shipment.Entry(parent: 0, name: "\(number)", kind: .file([1]), permissions: permissions))
            }
            return Shipment(entries)
        }
        let disk = SimulatedDisk(seed: 1)
        for permissions in [0o644, 0o755, 0o444] as [UInt16] {
            let inbox = try Inbox(path: disk.path, createIfMissing: false, features: .detected, storage: disk)
            guard keepsAttributes(inbox) else { return }
            var version = shipment(permissions)
            let stored = try send(&version, to: inbox, called: item)
            #expect(stored.updated == (permissions != 0o644) && stored.report.isComplete)
            disk.losePower()
            #expect(snapshot(of: disk.path) == version.expected(as: item))
        }
    }

    /// Setting them, the mark, the sync of the file and that of the inbox.
    @Test(arguments: 1...4) func unstorablePermissionsAreReported(_ call: Int) throws {
        let disk = SimulatedDisk(seed: 1)
        let inbox = try Inbox(path: disk.path, createIfMissing: false, features: .detected, storage: disk)
        guard keepsAttributes(inbox) else { return }
        var first = file(0o644)
        _ = try send(&first, to: inbox, called: "a.sh")
        var second = file(0o755)
        disk.plan(.error(EIO), in: call)
        #expect(kind { _ = try send(&second, to: inbox, called: "a.sh") } == .inputOutput)
        disk.cancelPlan()
        var third = file(0o755)
        #expect(try send(&third, to: inbox, called: "a.sh").report.isComplete && third.sent == 0)
        #expect(status(of: disk.path + "/a.sh")?.mode == 0o755)
    }
}
