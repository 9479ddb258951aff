import CPortolanLinux
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Senders' permissions that give others less than the inbox's default access control list.
@Suite(.aside) struct AccessListTests {
    private let temporary = TemporaryFolder()

    /// - Returns: true if the report says that the list has no effect; nil where the file system has no lists.
    private func isLimited(_ permissions: UInt16, hasList: Bool = true, isFolder: Bool = false) throws -> Bool? {
        let inbox = try temporary.inbox("inbox \(permissions) \(hasList) \(isFolder)")
        if hasList, !DefaultAccessList.grantAll(to: 65534, in: inbox.path) {
            print("skipped: the file system of \(inbox.path) has no access control lists")
            return nil
        }
        let partial = try inbox.newPartial()
        try partial.add(0, "item", isFolder ? .folder : .file(size: 0), permissions: permissions)
        if !isFolder { try partial.finish(0, size: 0) }
        _ = try partial.publish(as: name("item"))
        return partial.limitsAccessList
    }

    @Test(arguments: [(0o644, true), (0o600, true), (0o664, false), (0o660, false)] as [(UInt16, Bool)])
    func fileNotWritableByOthersLimitsTheAccessList(permissions: UInt16, isLimiting: Bool) throws {
        guard let isLimited = try isLimited(permissions) else { return }
        #expect(isLimited == isLimiting)
    }

    @Test(arguments: [(0o755, true), (0o775, false)] as [(UInt16, Bool)])
    func folderNotWritableByOthersLimitsTheAccessList(permissions: UInt16, isLimiting: Bool) throws {
        guard let isLimited = try isLimited(permissions, isFolder: true) else { return }
        #expect(isLimited == isLimiting)
    }

    /// Returns true if a file or folder has an access control list of its own, or a default one.
    private func hasList(_ path: String) -> Bool {
        let lists: [String] = ["system.posix_acl_access", "system.posix_acl_default"]
        return lists.contains { portolan_get_attribute_of_path(path, $0, nil, 0) >= 0 }
    }

    @Test func newInboxInheritsNoListFromTheFolderAround() throws {
        temporary.folder("around")
        guard DefaultAccessList.grantAll(to: 65534, in: temporary("around")) else {
            return print("skipped: the file system of \(temporary("around")) has no access control lists")
        }
        let inbox = try Inbox(path: temporary("around/above/inbox"), createIfMissing: true)
        let partial = try inbox.newPartial()
        try partial.add(0, "item", .file(size: 0), permissions: 0o664)
        try partial.finish(0, size: 0)
        _ = try partial.publish(as: name("item"))
        for made in ["around/above", "around/above/inbox"] {
            #expect(status(of: temporary(made))?.mode == 0o700)
            #expect(!hasList(temporary(made)), "\(made)")
        }
        #expect(!hasList(temporary("around/above/inbox/item")))
        #expect(!partial.limitsAccessList)
        #expect(hasList(temporary("around")))
    }

    @Test func folderOfASenderInheritsNoListFromTheInbox() throws {
        let inbox = try temporary.inbox("inbox")
        guard DefaultAccessList.grantAll(to: 65534, in: inbox.path) else {
            return print("skipped: the file system of \(inbox.path) has no access control lists")
        }
        let place = try ReceivingPlace.path(
            inbox.path + "/ada", owners: ["ada"], besides: .none, isQuarantine: false)
        #expect(status(of: place)?.mode == 0o700 && !hasList(place))
    }

    @Test func folderThatWasThereKeepsItsList() throws {
        temporary.folder("inbox")
        guard DefaultAccessList.grantAll(to: 65534, in: temporary("inbox")) else { return }
        _ = try Inbox(path: temporary("inbox"), createIfMissing: true)
        #expect(hasList(temporary("inbox")))
    }

    @Test func withoutAnAccessListNothingIsLimited() throws {
        #expect(try isLimited(0o600, hasList: false) == false)
    }
}
