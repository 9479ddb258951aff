import Glibc
import PortolanValues
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Entries that are not stored, while the item goes on.
struct LeavingOutTests {
    let temporary = TemporaryFolder.inMemory()

    private func refused(
        _ index: UInt32, in parent: UInt32 = 0, _ name: [UInt8], isFolder: Bool = false, isLinkTarget: Bool = false
    ) -> RefusedEntry {
        RefusedEntry(
            index: index, parent: parent, name: name, isFolder: isFolder, isLinkTarget: isLinkTarget, reason: .name)
    }

    @Test func entryWithARefusedNameIsOmittedWithContentAndLinks() throws {
        let partial = try temporary.inbox().newPartial()
        try partial.folder(0)
        try partial.folder(1, "sub")
        try partial.add(refused(2, in: 1, [0xFF], isFolder: true))
        #expect(try partial.add(entry(3, in: 2, "inner", .file(size: 4), isLinkTarget: true)) == .nothing)
        try partial.add(refused(4, in: 2, Array("a\nb".utf8)))
        try partial.add(refused(5, Array("..".utf8), isLinkTarget: true))
        try partial.add(6, "second", .hardLink(to: 5))
        try partial.add(7, "third", .hardLink(to: 3))
        try partial.file(8, in: 0, "file", "text")
        let stored = try partial.publish(as: name("tree"))
        #expect(
            stored.report.omissions == [
                Loss(path: Array("sub/".utf8) + [0xFF], reason: .name), Loss(path: "..", reason: .name),
                Loss(path: "second", reason: .name), Loss(path: "third", reason: .name),
            ])
        #expect(stored.entries == 3 && stored.bytes == 4)
        #expect(names(in: temporary("inbox/tree")) == ["file", "sub"])
        #expect(names(in: temporary("inbox/tree/sub")).isEmpty)
    }

    @Test func programsFolderOfASynchronizedOneIsOmitted() throws {
        let partial = try temporary.inbox().newPartial()
        try partial.folder(0)
        try partial.folder(1, ".Portolan-sync")
        #expect(try partial.add(entry(2, in: 1, "rules", .file(size: 4))) == .nothing)
        try partial.file(3, in: 0, "file", "text")
        let stored = try partial.publish(as: name("tree"))
        #expect(stored.report.omissions == [Loss(path: ".Portolan-sync", reason: .name)])
        #expect(names(in: temporary("inbox/tree")) == ["file"])
    }

    @Test func linkOutOfTheItemIsOmitted() throws {
        let partial = try temporary.inbox().newPartial()
        try partial.folder(0)
        try partial.link(1, "out", to: "../x")
        try partial.folder(2, "sub")
        try partial.link(3, in: 2, "in", to: "../x")
        let stored = try partial.publish(as: name("tree"))
        #expect(stored.report.omissions == [Loss(path: "out", reason: .linkLeavesItem)])
        #expect(names(in: temporary("inbox/tree")) == ["sub"] && names(in: temporary("inbox/tree/sub")) == ["in"])
    }

    @Test func unstoredAttributesAreReported() throws {
        let partial = try temporary.inbox().newPartial()
        try partial.folder(0)
        _ = try partial.add(entry(1, "file", .file(size: 4), lacksAttributes: true))
        try partial.content(1, "text")
        _ = try partial.add(entry(2, "sub", .folder, lacksAttributes: true))
        let stored = try partial.publish(as: name("tree"))
        #expect(
            stored.report.omissions == ["file", "sub"].map { Loss(path: $0, reason: .attributes) })
        #expect(stored.entries == 3)
    }

    @Test(arguments: [Fidelity.content, .symbolicLinks, .attributes])
    func requiredPropertyFailsTheItem(_ required: Fidelity) throws {
        let partial = try temporary.inbox().receive(nil, called: name("tree"), keeping: required, asking: false)
        try partial.folder(0)
        let thrown = kind {
            switch required {
            case .content: try partial.add(refused(1, [0xFF]))
            case .symbolicLinks: try partial.link(1, "out", to: "../x")
            default: _ = try partial.add(entry(1, "sub", .folder, lacksAttributes: true))
            }
        }
        #expect(thrown == .fidelity)
    }

    @Test func hardLinkToAFailedFileIsOmittedForTheSameReason() throws {
        let partial = try temporary.inbox().newPartial()
        try partial.folder(0)
        _ = try partial.add(entry(1, "file", .file(size: 10), isLinkTarget: true))
        try partial.add(2, "before", .hardLink(to: 1))
        try partial.leaveOut(1, because: .unreadable)
        try partial.add(3, "after", .hardLink(to: 1))
        try partial.file(4, in: 0, "other", "text")
        let stored = try partial.publish(as: name("tree"))
        #expect(
            stored.report.omissions == ["file", "before", "after"].map { Loss(path: $0, reason: .unreadable) })
        #expect(stored.entries == 2 && names(in: temporary("inbox/tree")) == ["other"])
    }

    @Test(arguments: [ENAMETOOLONG, EINVAL, EILSEQ], PublishingTests.kernels)
    func entryWithANameThatTheFileSystemRefusesIsOmitted(_ number: Int32, _ kernel: KernelFeatures) throws {
        let inbox = try temporary.inbox(features: kernel, storage: NameRefusingStorage(number))
        let partial = try inbox.newPartial()
        try partial.folder(0)
        // In one piece, in several, with a failure of the sender's, without content, and as the target of a link.
        _ = try partial.add(entry(1, "bad whole", .file(size: 4)))
        try partial.content(1, "text")
        _ = try partial.add(entry(2, "bad pieces", .file(size: 8)))
        try partial.write(2, at: 4, "text")
        try partial.hole(2, at: 0, length: 4)
        try partial.finish(2, size: 8)
        _ = try partial.add(entry(3, "bad failing", .file(size: 8)))
        try partial.write(3, at: 4, "text")
        try partial.leaveOut(3, because: .changed)
        _ = try partial.add(entry(4, "bad empty", .file(size: 0)))
        try partial.finish(4, size: 0)
        #expect(try partial.add(entry(5, "bad target", .file(size: 4), isLinkTarget: true)) == .nothing)
        try partial.add(6, "second", .hardLink(to: 5))
        try partial.folder(7, "bad folder")
        #expect(try partial.add(entry(8, in: 7, "inner", .file(size: 4))) == .nothing)
        try partial.link(9, "bad link", to: "x")
        _ = try partial.add(entry(10, "good", .file(size: 4), isLinkTarget: true))
        try partial.add(11, "bad early name", .hardLink(to: 10))
        try partial.content(10, "text")
        try partial.add(12, "bad late name", .hardLink(to: 10))
        let stored = try partial.publish(as: name("tree"))
        let paths = [
            "bad early name", "bad empty", "bad failing", "bad folder", "bad late name", "bad link", "bad pieces",
            "bad target", "bad whole", "second",
        ]
        let names = stored.report.omissions.filter { $0.reason == .name }
        #expect(names.map(\.path).map { String(decoding: $0, as: UTF8.self) }.sorted() == paths)
        #expect(stored.report.omissions.allSatisfy { [.name, .hardLink].contains($0.reason) })
        #expect(stored.entries == 2 && stored.bytes == 4)
        #expect(FilesTestSupport.names(in: temporary("inbox/tree")) == ["good"])
    }

    @Test func otherRefusalFailsTheItem() throws {
        let storage = HookedStorage()
        let partial = try temporary.inbox(storage: storage).newPartial()
        try partial.folder(0)
        _ = try partial.add(entry(1, "file", .file(size: 4)))
        storage.onWrite { (_) throws(SystemFailure) in throw SystemFailure(EINVAL) }
        #expect(kind { try partial.content(1, "text") } == .inputOutput)
        #expect(partial.report.isComplete)
    }

    /// Two entries with the same name, of which one or both are left out.
    @Test(
        arguments: [
            "link, file", "file, link", "announced, link", "entry, file", "file, entry", "twice", "failed, file",
        ])
    func repeatedNameFailsTheItem(_ order: String) throws {
        let partial = try temporary.inbox().newPartial()
        try partial.folder(0)
        let link = RefusedEntry(index: 1, parent: 0, name: Array("a".utf8), reason: .linkLeavesItem)
        let thrown = kind {
            switch order {
            case "link, file":
                try partial.link(1, "a", to: "../x")
                try partial.file(2, "a", "text")
            case "file, link":
                try partial.file(1, "a", "text")
                try partial.link(2, "a", to: "../x")
            case "announced, link":
                try partial.add(1, "a", .file(size: 4))
                try partial.link(2, "a", to: "../x")
                try partial.content(1, "text")
            case "entry, file":
                try partial.add(link)
                try partial.file(2, "a", "text")
            case "file, entry":
                try partial.file(1, "a", "text")
                try partial.add(
                    RefusedEntry(index: 2, parent: 0, name: Array("a".utf8), reason: .linkLeavesItem))
            case "twice":
                try partial.add(refused(1, [0xFF]))
                try partial.add(refused(2, [0xFF]))
            default:
                try partial.add(1, "a", .file(size: 4))
                try partial.leaveOut(1, because: .unreadable)
                try partial.file(2, "a", "text")
            }
        }
        #expect(thrown == .malformedTree)
    }

    private func entry(
        _ index: UInt32, in parent: UInt32 = 0, _ name: String, _ kind: TreeEntry.Kind, isLinkTarget: Bool = false,
        lacksAttributes: Bool = false
    ) throws -> TreeEntry {
        TreeEntry(
            index: index, parent: parent, name: try FileName(name), kind: kind, permissions: 0o755,
            modified: someTime, isLinkTarget: isLinkTarget, lacksAttributes: lacksAttributes)
    }
}

/// The real disk, except that it refuses names that begin with “bad”.
private struct NameRefusingStorage: PassThroughStorage {
    private let failure: SystemFailure

    init(_ number: Int32) { failure = SystemFailure(number) }

    private func check(_ name: String) throws(SystemFailure) {
        if name.hasPrefix("bad") { throw failure }
    }

    func makeFile(_ name: String, in folder: Descriptor, mode: UInt32) throws(SystemFailure) -> Descriptor {
        try check(name)
        return try disk.makeFile(name, in: folder, mode: mode)
    }

    func makeFolder(_ name: String, in folder: Descriptor, mode: UInt32) throws(SystemFailure) {
        try check(name)
        try disk.makeFolder(name, in: folder, mode: mode)
    }

    func makeLink(_ name: String, to target: String, in folder: Descriptor) throws(SystemFailure) {
        try check(name)
        try disk.makeLink(name, to: target, in: folder)
    }

    func link(
        _ name: String, in folder: Descriptor, as other: String, in otherFolder: Descriptor
    ) throws(SystemFailure) {
        try check(other)
        try disk.link(name, in: folder, as: other, in: otherFolder)
    }
}
