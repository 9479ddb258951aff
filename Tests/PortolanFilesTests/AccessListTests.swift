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

    @Test func withoutAnAccessListNothingIsLimited() throws {
        #expect(try isLimited(0o600, hasList: false) == false)
    }
}
