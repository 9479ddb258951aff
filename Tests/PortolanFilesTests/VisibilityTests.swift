import CPortolanLinux
import Glibc
import PortolanTrust
import Testing

@testable import PortolanFiles

@Suite(.enabled(if: ExtendedAttributes.areKept, "the file system of /tmp keeps no extended attributes"))
struct StoredVisibilityTests {
    let temporary = TemporaryFolder()

    @Test func whatIsForEveryoneKeepsNothing() throws {
        let partial = try temporary.inbox().newPartial()
        try partial.file(0, "a", "text")
        _ = try partial.publish(as: name("a"))
        #expect(try StoredVisibility.read(temporary("inbox/a")) == .all)
        var value = [UInt8](repeating: 0, count: 32)
        let found = portolan_get_attribute_of_path(temporary("inbox/a"), StoredVisibility.attribute, &value, 32)
        #expect(found < 0 && errno == ENODATA)
    }

    @Test(arguments: [Visibility.team, .group, .ownProcess])
    func aLevelIsKeptWithEachFileAndFolder(_ level: Visibility) throws {
        let inbox = try temporary.inbox("inbox-\(level)")
        let partial = try inbox.newPartial(visibility: level)
        try partial.folder(0)
        try partial.folder(1, in: 0, "sub")
        try partial.file(2, in: 1, "file", "text")
        try partial.link(3, in: 1, "link", to: "file")
        _ = try partial.publish(as: name("tree"))
        for path in ["tree", "tree/sub", "tree/sub/file", "tree/sub/link"] {
            #expect(try StoredVisibility.read("\(inbox.path)/\(path)") == level)
        }
        #expect(try StoredVisibility.read(inbox.path) == .all)
        // On its own, too: it keeps the level when it is moved elsewhere.
        #expect(rename("\(inbox.path)/tree/sub/file", temporary("moved-\(level)")) == 0)
        #expect(try StoredVisibility.read(temporary("moved-\(level)")) == level)
    }

    @Test func aReplacedFileIsCoveredByItsFolder() throws {
        let partial = try temporary.inbox().newPartial(visibility: .team)
        try partial.folder(0)
        _ = try partial.publish(as: name("tree"))
        temporary.file("inbox/tree/new", "saved by an editor")
        #expect(try StoredVisibility.read(temporary("inbox/tree/new")) == .team)
        #expect(try SourceTree(path: temporary("inbox/tree/new"), shownTo: .team).visibility == .team)
    }

    @Test func anUnknownLevelIsTheStrictest() throws {
        for value in ["nobody", "", "team ", String(repeating: "x", count: 100)] {
            let file = open(temporary.file("file"), O_RDWR)
            #expect(portolan_set_attribute(file, StoredVisibility.attribute, value, UInt64(value.utf8.count)) == 0)
            close(file)
            #expect(try StoredVisibility.read(temporary("file")) == .ownProcess)
        }
    }

    @Test func whatIsKeptForFewerIsNotShownToMore() throws {
        temporary.folder("tree")
        temporary.folder("tree/plans")
        temporary.file("tree/plans/inner", "x")
        temporary.file("tree/secret", "x")
        temporary.file("tree/open", "x")
        try StoredVisibility.keep(.group, on: Descriptor(owning: open(temporary("tree/plans"), O_RDONLY)))
        try StoredVisibility.keep(.team, on: Descriptor(owning: open(temporary("tree/secret"), O_RDWR)))
        func shown(to level: Visibility) throws -> [String] {
            let tree = try SourceTree(path: temporary("tree"), shownTo: level)
            var names: [String] = []
            while let next = try tree.next() { names.append(next.entry.name.text) }
            return names + tree.report.omissions.map { "-\($0.path)" }
        }
        #expect(try shown(to: .all) == ["tree", "open", "-plans", "-secret"])
        #expect(try shown(to: .team) == ["tree", "open", "secret", "-plans"])
        #expect(try shown(to: .group) == ["tree", "open", "plans", "inner", "secret"])
        #expect(kind { _ = try SourceTree(path: temporary("tree/secret")) } == .keptFromOthers)
        #expect(kind { _ = try SourceTree(path: temporary("tree/plans/inner"), shownTo: .team) } == .keptFromOthers)
    }

    @Test func aFileSystemThatCannotKeepALevelIsRefused() throws {
        guard geteuid() == 0, SmallDisk.isPermitted else {
            print("skipped: needs root to mount a file system without extended attributes")
            return
        }
        let folder = TemporaryFolder()
        guard mount("none", folder.path, "ramfs", 0, nil) == 0 else {
            print("skipped: this kernel has no ramfs")
            return
        }
        defer { umount2(folder.path, Int32(MNT_DETACH)) }
        let inbox = try Inbox(path: folder.path, createIfMissing: false)
        #expect(kind { _ = try inbox.newPartial(visibility: .team) } == .visibilityNotKept)
        #expect(names(in: folder.path).isEmpty)
        let partial = try inbox.newPartial()
        try partial.file(0, "a", "text")
        #expect(try partial.publish(as: name("a")).name.text == "a")
    }
}

private enum ExtendedAttributes {
    static let areKept: Bool = {
        let folder = TemporaryFolder()
        let descriptor = Descriptor(owning: open(folder.path, O_RDONLY))
        return (try? StoredVisibility.keep(.team, on: descriptor)) != nil
    }()
}
