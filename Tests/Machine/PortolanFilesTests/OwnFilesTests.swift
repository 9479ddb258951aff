import Glibc
import PortolanValues
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// The program's own files, which go to nobody.
@Suite struct OwnFilesTests {
    let temporary = TemporaryFolder()

    /// A home in `tree/home`, which the program knows by a link, with a lent folder.
    private func makeHome() -> OwnFiles {
        for name in ["tree", "tree/home", "tree/home/sub", "tree/home/lent", "tree/other"] { temporary.folder(name) }
        for name in ["home/device.key", "home/sub/state", "home/lent/copy", "other/file"] {
            temporary.file("tree/\(name)", "secret")
        }
        temporary.link("link", to: "tree/home")
        return OwnFiles([temporary("link"), temporary("none")], lent: [temporary("link/lent")])
    }

    private func tree(_ name: String, _ own: OwnFiles) throws(FileError) -> SourceTree {
        try SourceTree(path: temporary(name), on: .local(without: own))
    }

    @Test("a walk leaves out the folder of own files and other names of them, and says so to the sender alone")
    func walk() throws {
        let own = makeHome()
        #expect(link(temporary("tree/home/sub/state"), temporary("tree/other/name")) == 0)
        temporary.link("tree/other/absolute", to: temporary("tree/home"))
        for looking in [false, true] {
            let tree = try SourceTree(
                path: temporary("tree"), options: SourceOptions(looking: looking), on: .local(without: own))
            let (entries, omissions) = try WalkMethod.all(tree)
            #expect(entries.map(\.place.path) == ["", "other", "other/file"] && omissions.isEmpty)
            #expect(
                tree.withheld.entries
                    == ["home", "other/absolute", "other/name"].map {
                        WithheldEntry(path: DisplayText($0), cause: .own)
                    })
        }
        #expect(try WalkMethod.all(tree("tree", .none)).entries.count == 10)
    }

    @Test("own files are no items, by any path; files in a lent folder are", arguments: ["tree/home", "link"])
    func roots(home: String) throws {
        let own = makeHome()
        #expect(link(temporary("tree/home/device.key"), temporary("key")) == 0)
        for name in [home, home + "/device.key", home + "/sub", home + "/sub/state", "key"] {
            #expect(own.hold(temporary(name)) && own.hold(temporary(name), lent: true), "\(name)")
            let error = #expect(throws: FileError.self, "\(name)") { try tree(name, own) }
            #expect(error?.kind == .keptFromOthers, "\(name)")
        }
        for name in [home + "/lent", home + "/lent/copy"] {
            #expect(!own.hold(temporary(name)) && own.hold(temporary(name), lent: true), "\(name)")
            _ = try tree(name, own)
        }
        for name in ["tree", "tree/other", "tree/other/file"] { #expect(!own.hold(temporary(name)), "\(name)") }
        #expect(own.hold(temporary(home + "/new/deep")) && !own.hold(temporary("tree/new")))
        #expect(own.areBelow(temporary("tree")) && !own.areBelow(temporary("tree/other")))
    }

    @Test("the program's folder in a synchronized one is sent to no peer, with its contents, by any path")
    func synchronized() throws {
        for name in ["", "/.portolan-sync", "/.portolan-sync/history", "/sub", "/sub/.Portolan-Sync"] {
            temporary.folder("tree\(name)")
        }
        for name in [".portolan-sync/history/old", "sub/.Portolan-Sync/marker", "sub/file"] {
            temporary.file("tree/\(name)", "secret")
        }
        temporary.link("link", to: temporary("tree/.portolan-sync/history"))
        let own = OwnFiles([temporary("none")], lent: [])
        for looking in [false, true] {
            let tree = try SourceTree(
                path: temporary("tree"), options: SourceOptions(looking: looking), on: .local(without: own))
            let (entries, omissions) = try WalkMethod.all(tree)
            #expect(entries.map(\.place.path) == ["", "sub", "sub/file"] && omissions.isEmpty)
            #expect(
                tree.withheld.entries
                    == [".portolan-sync", "sub/.Portolan-Sync"].map {
                        WithheldEntry(path: DisplayText($0), cause: .own)
                    })
        }
        for name in ["tree/.portolan-sync", "tree/.portolan-sync/history/old", "link", "link/old"] {
            #expect(own.hold(temporary(name)) && own.hold(temporary(name), lent: true), "\(name)")
            let error = #expect(throws: FileError.self, "\(name)") { try tree(name, own) }
            #expect(error?.kind == .keptFromOthers, "\(name)")
        }
        #expect(!own.hold(temporary("tree")) && !own.hold(temporary("tree/sub/file")))
    }

    @Test("files that the program makes later count, too")
    func later() async throws {
        temporary.folder("tree")
        let own = OwnFiles([temporary("home")], lent: [])
        temporary.folder("home")
        temporary.file("home/key")
        #expect(link(temporary("home/key"), temporary("tree/key")) == 0)
        #expect(own.hold(temporary("tree/key")))
        temporary.folder("home/late")
        let lending = OwnFiles([temporary("home")], lent: [temporary("home/lent")])
        for _ in 0..<2 {
            #expect(!lending.hold(temporary("home/lent/x")) && lending.hold(temporary("home/lent/x"), lent: true))
            #expect(lending.hold(temporary("home/lent-not")))
            if access(temporary("home/lent"), F_OK) != 0 { temporary.folder("home/lent") }
        }
        #expect(own.hold(temporary("home/late")))
    }
}
