import Glibc
import PortolanValues
import Synchronization
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Entries of a folder that its receiver may not see.
@Suite(.enabled(if: ExtendedAttributes.areKept, "the file system of /tmp keeps no extended attributes"))
struct WithholdingTests {
    let temporary = TemporaryFolder()

    private func tree(
        shownTo shown: Restriction = .everyone, _ options: SourceOptions = SourceOptions(),
        _ kernel: KernelFeatures = .detected, filter: SourceFilter? = nil
    ) throws -> SourceTree {
        try SourceTree(path: temporary("tree"), shownTo: shown, filter: filter, options: options, features: kernel)
    }

    private func paths(_ tree: SourceTree) throws -> [String] {
        try WalkMethod.all(tree).entries.map(\.place.path)
    }

    @Test func entryHasARestrictionOnlyIfItDiffersFromItsFolders() throws {
        for name in ["tree", "tree/team", "tree/team/group"] { temporary.folder(name) }
        for name in ["open", "mine", "team/file", "team/mine", "team/wider", "team/group/file", "team/group/half"] {
            temporary.file("tree/\(name)")
        }
        try keep(.team(.acme), on: temporary("tree/mine"))
        for name in ["team", "team/mine"] { try keep(.team(.acme), on: temporary("tree/\(name)")) }
        for name in ["team/group", "team/wider"] {
            try keep(.group(.acme, "design", "print"), on: temporary("tree/\(name)"))
        }
        try keep(.group(.acme, "design", "sales"), on: temporary("tree/team/group/half"))
        func restrictions(shownTo shown: Restriction) throws -> [String: Restriction?] {
            let entries = try WalkMethod.all(tree(shownTo: shown) { _ in true }).entries
            return Dictionary(uniqueKeysWithValues: entries.map { ($0.place.path, $0.entry.restriction) })
        }
        let two = Restriction.group(.acme, "design", "print")
        let none: Restriction? = nil
        #expect(
            try restrictions(shownTo: .everyone) == [
                "": none, "open": none, "mine": .team(.acme), "team": .team(.acme), "team/file": none,
                "team/mine": none, "team/wider": two, "team/group": two, "team/group/file": none,
                "team/group/half": .group(.acme, "design"),
            ])
        // The restriction of the representation is that of its root.
        #expect(
            try restrictions(shownTo: .group(.acme, "print")) == [
                "": none, "open": none, "mine": none, "team": none, "team/file": none, "team/mine": none,
                "team/wider": none, "team/group": none, "team/group/file": none, "team/group/half": .nobody,
            ])
    }

    /// The names of links, their targets, and whether a target reveals something hidden.
    private static let links: [(name: String, target: String, isHidden: Bool)] = [
        ("to-open", "open/file", false), ("to-folder", "open", false), ("to-pipe", "pipe", false),
        ("to-secret", "secret", true), ("to-hidden", "hidden", true), ("to-hidden-slash", "./hidden//", true),
        ("below", "hidden/inner", true), ("nothing-below", "hidden/none", true), ("far-below", "hidden/x/y/z", true),
        ("behind-file", "secret/x", true), ("nothing", "none", false), ("nothing-there", "open/none/x", false),
        ("behind-open-file", "open/file/secret", false),
        ("open/up", "../secret", true), ("open/up-hidden", "../hidden/none", true), ("open/up-open", "../open", false),
        ("open/self", "up-open/file", false),
        ("alias", "to-secret", true), ("alias-of-alias", "alias", true), ("way", "hidden", true),
        ("through", "way/inner", true), ("through-nothing", "way/none", true), ("back", "open/up", true),
        ("through-open", "to-folder/file", false), ("through-up", "to-folder/up", true),
        ("circle", "circle", false), ("one", "other", false), ("other", "one", false), ("growing", "growing/x", true),
        ("via-turning", "turning/inner", true), ("via-leaving", "leaving/secret", false),
        ("via-absolute", "absolute/secret", false), ("hidden/link", "../open/file", true),
    ]

    @Test(arguments: WalkMethod.kernels, [false, true])
    func linkToAHiddenEntryIsHidden(_ kernel: KernelFeatures, looking: Bool) throws {
        for name in ["tree", "tree/open", "tree/hidden"] { temporary.folder(name) }
        for name in ["open/file", "secret", "hidden/inner"] { temporary.file("tree/\(name)") }
        #expect(mkfifo(temporary("tree/pipe"), 0o600) == 0)
        for (name, target, _) in Self.links { temporary.link("tree/\(name)", to: target) }
        // The links are not sent themselves, but are on the path to a target.
        temporary.link("tree/turning", to: "open/../hidden")
        temporary.link("tree/leaving", to: "../../elsewhere")
        temporary.link("tree/absolute", to: "/etc")
        for number in 0..<50 { temporary.link("tree/l\(number)", to: number == 49 ? "secret" : "l\(number + 1)") }
        try keep(.team(.acme), on: temporary("tree/secret"))
        try keep(.group(.acme, "design"), on: temporary("tree/hidden"))

        let stranger = try tree(options(looking), kernel)
        let shown = Self.links.filter { !$0.isHidden }.map(\.name)
        #expect(try Set(paths(stranger)) == Set(shown + ["", "open", "open/file"]))
        #expect(Set(stranger.report.omissions.map(\.shownPath.text)) == ["pipe", "turning", "leaving", "absolute"])
        let hidden = Self.links.filter { $0.isHidden && $0.name != "hidden/link" }.map(\.name)
        let chain = (0..<50).map { "l\($0)" }
        #expect(Set(stranger.withheld.entries.map(\.path.text)) == Set(hidden + chain + ["secret", "hidden"]))

        // For a member the folder looks unrestricted, except for links that the walk does not follow to their end.
        let member = try tree(options(looking), kernel) { $0 != .nobody }
        let all = Set(Self.links.map(\.name) + chain + ["", "open", "open/file", "secret", "hidden", "hidden/inner"])
        let endless = Set(["growing"] + chain.prefix(9))
        #expect(try Set(paths(member)) == all.subtracting(endless))
        #expect(Set(member.withheld.entries.map(\.path.text)) == endless)
    }

    private func options(_ looking: Bool) -> SourceOptions { SourceOptions(looking: looking, hardLinks: true) }

    @Test(arguments: [false, true])
    func fileWithAHiddenFirstNameIsSentUnderItsNextName(_ looking: Bool) throws {
        for name in ["tree", "tree/a-hidden", "tree/b-open"] { temporary.folder(name) }
        temporary.file("tree/a-hidden/first", "text")
        for name in ["b-open/second", "b-open/third", "z"] {
            #expect(link(temporary("tree/a-hidden/first"), temporary("tree/\(name)")) == 0)
        }
        try keep(.team(.acme), on: temporary("tree/a-hidden"))
        let found = try WalkMethod.all(tree(options(looking))).entries.map(\.entry)
        #expect(found.map(\.name.text) == ["tree", "b-open", "second", "third", "z"])
        #expect(found.map(\.index) == [0, 1, 2, 3, 4])
        #expect(found.map(\.kind) == [.folder, .folder, .file(size: 4), .hardLink(to: 2), .hardLink(to: 2)])
        #expect(found[2].isLinkTarget)
    }

    @Test func nameWithAnotherRestrictionIsASeparateFile() throws {
        for name in ["tree", "tree/b-group"] { temporary.folder(name) }
        temporary.file("tree/a", "text")
        temporary.file("tree/b-group/first", "other")
        for (old, new) in [("a", "b-group/a"), ("b-group/first", "c"), ("b-group/first", "b-group/second")] {
            #expect(link(temporary("tree/\(old)"), temporary("tree/\(new)")) == 0)
        }
        try keep(.group(.acme, "design"), on: temporary("tree/b-group"))
        let tree = try tree(options(false)) { _ in true }
        let (entries, omissions) = try WalkMethod.all(tree)
        let kinds = Dictionary(uniqueKeysWithValues: entries.map { ($0.place.path, $0.entry.kind) })
        // The folder restricts one name of the file, and not the other.
        #expect(kinds["b-group/a"] == .hardLink(to: 1) && kinds["b-group/second"] == .hardLink(to: 4))
        #expect(kinds["c"] == .file(size: 5) && entries.last?.entry.isLinkTarget == false)
        #expect(omissions == ["c hard-link"])
    }

    @Test func hiddenEntriesDoNotCountInTheTotal() throws {
        for name in ["tree", "tree/hidden"] { temporary.folder(name) }
        temporary.file("tree/open", String(repeating: "o", count: 1000))
        temporary.file("tree/secret", String(repeating: "s", count: 300))
        temporary.file("tree/hidden/inner", String(repeating: "i", count: 20))
        temporary.file("tree/mine", String(repeating: "m", count: 4))
        try keep(.nobody, on: temporary("tree/secret"))
        try keep(.team(.other), on: temporary("tree/hidden"))
        try keep(.team(.acme), on: temporary("tree/mine"))
        func count(_ filter: SourceFilter?) throws -> [UInt64] {
            try WalkMethod.all(tree(filter: filter)).entries.map(\.contentSize)
        }
        #expect(try count(nil) == [0, 1000])
        #expect(try count { $0.allows(.team(.acme)) } == [0, 4, 1000])
        #expect(try count { $0.allows(.team(.other)) } == [0, 0, 20, 1000])
    }

    @Test func unsendableHiddenEntriesAreNoOmissions() throws {
        temporary.folder("tree")
        for name in ["open\nbreak", "secret\nbreak"] { temporary.file("tree/\(name)") }
        for name in ["open", "secret"] { temporary.folder("tree/\(FileName.partialPrefix)\(name)") }
        try keep(.team(.acme), on: temporary("tree/secret\nbreak"))
        try keep(.team(.acme), on: temporary("tree/\(FileName.partialPrefix)secret"))
        let tree = try tree()
        #expect(try paths(tree) == [""])
        #expect(tree.report.omissions.map(\.reason) == [.partial, .name])
        #expect(tree.withheld.entries.map(\.cause) == [.restricted(.team(.acme)), .restricted(.team(.acme))])
    }

    @Test(arguments: WalkMethod.kernels)
    func fileRestrictedAfterItsAnnouncementIsNotOpened(_ kernel: KernelFeatures) throws {
        temporary.folder("tree")
        for name in ["hidden", "narrower", "wider"] { temporary.file("tree/\(name)") }
        try keep(.team(.acme), on: temporary("tree/wider"))
        let tree = try tree(SourceOptions(looking: true), kernel) { $0.visibility < .ownProcess }
        let entries = try WalkMethod.all(tree).entries
        try keep(.nobody, on: temporary("tree/hidden"))
        try keep(.team(.acme), on: temporary("tree/narrower"))
        #expect(unrestrict(temporary("tree/wider")))
        func failure(_ name: String) throws -> FileError {
            let entry = try #require(entries.first { $0.place.path == name })
            do {
                _ = try entry.open()
            } catch {
                tree.leaveOut(entry, because: error)
                return error
            }
            throw Opened()
        }
        #expect(try failure("hidden").kind == .keptFromOthers)
        // The receiver was told another restriction, and would store that.
        #expect(try failure("narrower").kind == .sourceChanged)
        #expect(try failure("wider").kind == .sourceChanged)
        #expect(tree.report.omissions.map(\.shownPath.text) == ["narrower", "wider"])
        #expect(tree.withheld.entries == [WithheldEntry(path: DisplayText("hidden"), cause: .restrictedMeanwhile)])
    }

    private struct Opened: Error {}

    private func unrestrict(_ path: String) -> Bool {
        setAttribute(Array(StoredVisibility.attribute.utf8), of: path, to: Array("all".utf8))
    }

    @Test func peerRemovedMeanwhileSeesNothingMore() throws {
        temporary.folder("tree")
        for number in 0..<10 { try keep(.team(.acme), on: temporary.file("tree/\(number)")) }
        temporary.file("tree/open")
        let isMember = Atomic(true)
        let filter: SourceFilter = { _ in isMember.load(ordering: .relaxed) }
        let partly = try tree(filter: filter)
        let whole = try tree(shownTo: .team(.acme), filter: filter)
        for _ in 0..<4 {
            #expect(try partly.next() != nil)
            #expect(try whole.next() != nil)
        }
        isMember.store(false, ordering: .relaxed)
        // The pause is as long as an answer is reused.
        usleep(200_000)
        #expect(try paths(partly) == ["open"])
        #expect(partly.withheld.count == 7 && partly.withheld.entries.count == 7)
        // An item of which nothing may be sent fails; it is not sent empty.
        #expect(kind { _ = try whole.next() } == .keptFromOthers)
    }

    @Test func filterIsNotCalledForUnrestrictedEntries() throws {
        temporary.folder("tree")
        for number in 0..<10 { temporary.file("tree/\(number)") }
        let asked = Atomic(0)
        let filter: SourceFilter = { _ in
            asked.add(1, ordering: .relaxed)
            return true
        }
        #expect(try paths(tree(filter: filter)).count == 11)
        #expect(asked.load(ordering: .relaxed) == 0)
        for number in 0..<10 { try keep(.team(.acme), on: temporary("tree/\(number)")) }
        #expect(try paths(tree(filter: filter)).count == 11)
        #expect(asked.load(ordering: .relaxed) > 0)
    }

    @Test func failingFilterEndsTheWalk() throws {
        temporary.folder("tree")
        try keep(.team(.acme), on: temporary.file("tree/file"))
        let tree = try tree { _ throws(FileError) in throw FileError(.unreadable, "The teams cannot be read.") }
        #expect(try tree.next() != nil)
        #expect(kind { _ = try tree.next() } == .unreadable)
    }
}
