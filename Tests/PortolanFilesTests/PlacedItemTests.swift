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
        #expect(try item("a.txt").move(to: inbox).text == "a (2).txt")
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
        #expect(try item("closed").move(to: inbox).text == "closed")
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
}
