import Glibc
import PortolanValues
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Items that leave a quarantine.
@Suite struct PlacedItemTests {
    let temporary = TemporaryFolder()

    private func item(_ text: String) throws -> PlacedItem {
        try PlacedItem(name(text), in: temporary("apart"))
    }

    @Test func fileMovesToTheFirstFreeName() throws {
        temporary.folder("apart")
        temporary.file("apart/a.txt", "new")
        let inbox = try Inbox(path: temporary("in"), createIfMissing: true)
        temporary.file("in/a.txt", "old")
        #expect(try item("a.txt").move(to: inbox).name.text == "a (2).txt")
        #expect(names(in: inbox.path) == ["a (2).txt", "a.txt"])
        #expect(content(of: temporary("in/a.txt")) == Array("old".utf8))
        #expect(content(of: temporary("in/a (2).txt")) == Array("new".utf8))
        #expect(names(in: temporary("apart")) == [])
        #expect(kind { _ = try item("a.txt").move(to: inbox) } == .notFound)
    }

    @Test func unwritableFolderMovesAndStaysUnwritable() throws {
        temporary.folder("apart")
        temporary.folder("apart/closed")
        temporary.file("apart/closed/inner", "x")
        chmod(temporary("apart/closed"), 0o500)
        let inbox = try Inbox(path: temporary("in"), createIfMissing: true)
        #expect(try item("closed").move(to: inbox).name.text == "closed")
        #expect(status(of: temporary("in/closed"))?.mode == 0o500)
        #expect(content(of: temporary("in/closed/inner")) == Array("x".utf8))
        chmod(temporary("in/closed"), 0o700)
    }

    @Test func removalDeletesContentsButNotLinkTargets() throws {
        temporary.folder("apart")
        temporary.folder("apart/tree")
        temporary.folder("apart/tree/inner")
        temporary.file("apart/tree/inner/file", "x")
        temporary.folder("kept")
        temporary.file("kept/file", "x")
        temporary.link("apart/tree/link", to: temporary("kept"))
        temporary.link("apart/link", to: temporary("kept"))
        for removed in ["tree", "link", "never there"] { try item(removed).remove() }
        #expect(names(in: temporary("apart")) == [])
        #expect(names(in: temporary("kept")) == ["file"])
    }

    private static let hasTwoFileSystems: Bool = {
        var (here, there) = (stat(), stat())
        return stat("/tmp", &here) == 0 && stat("/dev/shm", &there) == 0 && here.st_dev != there.st_dev
    }()

    @Test(
        "an item is copied to another file system, where nothing else is left; a link in its place is not followed",
        .enabled(if: hasTwoFileSystems, "there is one file system only"))
    func farAway() throws {
        let far = TemporaryFolder.inMemory()
        let inbox = try Inbox(path: far("in"), createIfMissing: true)
        temporary.folder("apart")
        temporary.file("apart/a.txt", "new")
        temporary.link("apart/b.txt", to: temporary("apart/a.txt"))
        let (given, isCopy) = try item("a.txt").move(to: inbox)
        #expect(given.text == "a.txt" && isCopy)
        #expect(content(of: far("in/a.txt")) == Array("new".utf8))
        #expect(throws: FileError.self) { _ = try item("b.txt").move(to: inbox) }
        #expect(names(in: inbox.path) == ["a.txt"])
        #expect(names(in: temporary("apart")) == ["a.txt", "b.txt"])
    }

    @Test(
        "another user's file in the place of an item is not moved",
        .enabled(if: geteuid() == 0, "only root can give a file to another user"))
    func foreign() throws {
        temporary.folder("apart", mode: 0o777)
        temporary.file("apart/a.txt", "theirs")
        #expect(chown(temporary("apart/a.txt"), 65534, 65534) == 0)
        let inbox = try Inbox(path: temporary("in"), createIfMissing: true)
        #expect(kind { _ = try item("a.txt").move(to: inbox) } == .tamperedWith)
        #expect(names(in: inbox.path) == [])
    }
}
