import Glibc
import PortolanValues
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Shared path, and replacements of its target.
@Suite struct HeldSourceTests {
    let temporary = TemporaryFolder()

    /// A file that is held, in a folder beside others that only the owner may read.
    private func held(_ path: String = "open/note.txt") throws -> HeldSource {
        temporary.folder("open")
        temporary.folder("closed", mode: 0o700)
        temporary.file("closed/note.txt", "secret", mode: 0o600)
        temporary.file("open/note.txt", "public")
        temporary.link("link.txt", to: "open/note.txt")
        return try HeldSource(path: temporary(path))
    }

    /// Returns the content that is sent of a held source.
    private func sent(_ held: HeldSource, from path: String = "open/note.txt") throws -> String {
        let tree = try SourceTree(path: temporary(path), on: .local(holding: held, without: .none))
        let file = try #require(try tree.next()?.file)
        var buffer = [UInt8](repeating: 0, count: Int(file.size))
        try buffer.withUnsafeMutableBytes { try file.fill($0, from: 0) }
        return String(decoding: buffer, as: UTF8.self)
    }

    private func move(_ name: String, to other: String) { #expect(rename(temporary(name), temporary(other)) == 0) }

    @Test func changedContentAndRegularReplacementAreAccepted() throws {
        let held = try held()
        #expect(try held.look().size == 6)
        temporary.file("open/note.txt", "longer than that")
        #expect(try held.look().size == 16)
        #expect(try sent(held) == "longer than that")
        // The file is replaced as an editor saves.
        temporary.file("open/note.txt.new", "new")
        move("open/note.txt.new", to: "open/note.txt")
        #expect(try held.look().size == 3)
        #expect(try sent(held) == "new")
    }

    @Test("a private file, or one in a folder that others may write, does not replace a held one")
    func replacementByOthersIsRefused() throws {
        let held = try held()
        temporary.file("open/key", "secret", mode: 0o600)
        move("open/key", to: "open/note.txt")
        #expect(kind { _ = try held.look() } == .sourceChanged)
        #expect(kind { _ = try sent(held) } == .sourceChanged)
        temporary.file("open/saved", "new")
        move("open/saved", to: "open/note.txt")
        #expect(try sent(held) == "new")
        #expect(chmod(temporary("open"), 0o777) == 0)
        #expect(kind { _ = try sent(held) } == .sourceChanged)
    }

    enum Replacement: CaseIterable {
        case link, linkToParent, parent, parentByLink, folder, pipe, otherName, circle
    }

    @Test(arguments: Replacement.allCases)
    func otherReplacementsAreRefused(_ replacement: Replacement) throws {
        let held = try held()
        if ![.parent, .parentByLink].contains(replacement) { move("open/note.txt", to: "open/old") }
        switch replacement {
        case .link: temporary.link("open/note.txt", to: temporary("closed/note.txt"))
        case .linkToParent: temporary.link("open/note.txt", to: "..")
        case .parent:
            move("open", to: "away")
            temporary.folder("open")
            temporary.file("open/note.txt", "public")
        case .parentByLink:
            move("open", to: "away")
            temporary.link("open", to: "closed")
        case .folder: temporary.folder("open/note.txt")
        case .pipe: #expect(mkfifo(temporary("open/note.txt"), 0o644) == 0)
        case .otherName: #expect(link(temporary("closed/note.txt"), temporary("open/note.txt")) == 0)
        case .circle: temporary.link("open/note.txt", to: "note.txt")
        }
        #expect(kind { _ = try held.look() } == .sourceChanged)
        #expect(kind { _ = try sent(held) } == .sourceChanged)
    }

    @Test func pathThroughALinkIsBoundToItsTarget() throws {
        let held = try held("link.txt")
        #expect(try sent(held, from: "link.txt") == "public")
        #expect(unlink(temporary("link.txt")) == 0)
        temporary.link("link.txt", to: "closed/note.txt")
        #expect(kind { _ = try held.look() } == .sourceChanged)
        #expect(kind { _ = try sent(held, from: "link.txt") } == .sourceChanged)
    }

    @Test func replacedFolderIsRefused() throws {
        temporary.folder("tree")
        let held = try HeldSource(path: temporary("tree"))
        temporary.file("tree/a", "x")
        #expect(try held.look().size == nil)
        move("tree", to: "away")
        #expect(kind { _ = try held.look() } == .notFound)
        temporary.folder("tree")
        #expect(kind { _ = try held.look() } == .sourceChanged)
        #expect(unlink(temporary("tree")) != 0 && rmdir(temporary("tree")) == 0)
        temporary.file("tree", "x")
        #expect(kind { _ = try held.look() } == .sourceChanged)
        #expect(rename(temporary("tree"), temporary("file")) == 0)
        move("away", to: "tree")
        #expect(throws: Never.self) { try held.look() }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file to another user"))
    func fileOfAnotherOwnerIsRefused() throws {
        let held = try held()
        temporary.file("open/new", "theirs")
        #expect(chown(temporary("open/new"), 12345, 12345) == 0)
        move("open/new", to: "open/note.txt")
        #expect(kind { _ = try held.look() } == .sourceChanged)
    }

    @Test func theRootIsAFolderAsAnyOther() throws {
        let held = try HeldSource(path: "/")
        #expect(held.isFolder)
        #expect(throws: Never.self) { try held.look() }
    }

    @Test(.enabled(if: ExtendedAttributes.areKept, "the file system of /tmp keeps no extended attributes"))
    func restrictionIsReadFromTheOpenFile() throws {
        let held = try held()
        try StoredVisibility.keep(
            .team(.acme), on: Descriptor(owning: open(temporary("open/note.txt"), O_RDONLY)))
        #expect(try held.look().restriction == .team(.acme))
        #expect(kind { _ = try sent(held) } == .keptFromOthers)
    }
}
