import Glibc
import PortolanValues
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Folders to receive into, in folders that others may write.
@Suite struct FolderPathTests {
    let temporary = TemporaryFolder()

    private func inbox(_ name: String, making: Bool = true) throws -> Inbox {
        try Inbox(path: temporary(name), createIfMissing: making)
    }

    /// A private folder, and one that everybody may write, with a link to it.
    private func makeTrap(_ link: String = "shared/in", mode: mode_t = 0o777) {
        temporary.folder("private", mode: 0o700)
        temporary.folder("shared", mode: mode)
        temporary.link(link, to: temporary("private"))
    }

    @Test("a link in a folder that others may write is not followed, and the sentence names both")
    func planted() throws {
        makeTrap()
        for (name, making) in [("shared/in", true), ("shared/in", false), ("shared/in/new", true)] {
            let error = #expect(throws: FileError.self, "\(name)") { _ = try inbox(name, making: making) }
            #expect(error?.kind == .notPermitted)
            #expect(error?.description.contains("“\(temporary("shared/in"))” is a symbolic link") == true)
            #expect(error?.description.contains("everybody may write in “\(temporary("shared"))”") == true)
        }
        #expect(names(in: temporary("private")).isEmpty)
    }

    @Test("a link below such a folder is not followed either, and one above it is")
    func below() throws {
        makeTrap("above")
        temporary.folder("shared/ours")
        temporary.link("shared/ours/in", to: temporary("private"))
        temporary.link("way", to: "shared")
        #expect(kind { _ = try inbox("shared/ours/in") } == .notPermitted)
        #expect(kind { _ = try inbox("above") } == nil)
        #expect(kind { _ = try inbox("way/new") } == nil)
        #expect(kind { _ = try inbox("way/ours/in") } == .notPermitted)
        #expect(kind { _ = try inbox("shared/../above") } == nil)
        #expect(kind { _ = try inbox("shared/ours/../../above") } == .notPermitted)
    }

    @Test("in a sticky folder one's own link is followed")
    func sticky() throws {
        makeTrap(mode: 0o1777)
        #expect(kind { _ = try inbox("shared/in") } == nil)
    }

    @Test(
        "in a sticky folder another user's link is not followed, nor in a folder of another user",
        .enabled(if: geteuid() == 0, "only root can give a file to another user"))
    func foreign() throws {
        makeTrap(mode: 0o1777)
        #expect(lchown(temporary("shared/in"), 65534, 65534) == 0)
        #expect(kind { _ = try inbox("shared/in") } == .notPermitted)
        temporary.folder("theirs")
        temporary.link("theirs/in", to: temporary("private"))
        #expect(chown(temporary("theirs"), 65534, 65534) == 0)
        let error = #expect(throws: FileError.self) { _ = try inbox("theirs/in") }
        #expect(error?.description.contains("the user 65534 may write in") == true)
    }

    @Test("a folder that another user may have exchanged is not written into; a link in its place is not followed")
    func exchanged() throws {
        makeTrap("spare")
        let folder = try inbox("shared/new/in")
        #expect(status(of: temporary("shared/new"))?.mode == 0o700)
        #expect(status(of: folder.path)?.mode == 0o700)
        #expect(rename(temporary("shared/new"), temporary("shared/old")) == 0)
        temporary.folder("shared/new")
        temporary.folder("shared/new/in")
        #expect(kind { _ = try folder.newPartial() } == .destinationGone && !folder.isUnchanged)
        #expect(rmdir(temporary("shared/new/in")) == 0 && rmdir(temporary("shared/new")) == 0)
        temporary.link("shared/new", to: temporary("private"))
        #expect(kind { _ = try folder.newPartial() } == .notPermitted)
        #expect(unlink(temporary("shared/new")) == 0)
        #expect(rename(temporary("shared/old"), temporary("shared/new")) == 0)
        #expect(kind { try folder.newPartial().discard() } == nil && folder.isUnchanged)
    }

    @Test("an item is not received among the program's own files, by any path, also when a link leads there later")
    func own() throws {
        temporary.folder("home")
        temporary.folder("home/lent")
        temporary.folder("ours")
        temporary.link("alias", to: "home")
        temporary.link("later", to: "ours")
        let own = OwnFiles([temporary("home")], lent: [temporary("home/lent")])
        for name in ["home", "home/new/deep", "alias", "alias/new", "home/lent"] {
            #expect(
                kind { _ = try Inbox(path: temporary(name), createIfMissing: true, besides: own) } == .notPermitted,
                "\(name)")
            #expect(
                kind {
                    _ = try ReceivingPlace.path(
                        temporary(name) + "/x", owners: [nil], besides: own, isQuarantine: false)
                } == .notPermitted, "\(name)")
        }
        #expect(names(in: temporary("home")) == ["lent"] && names(in: temporary("home/lent")).isEmpty)
        _ = try Inbox(path: temporary("home/lent"), createIfMissing: true, besides: own, isQuarantine: true)
        let folder = try Inbox(path: temporary("later"), createIfMissing: true, besides: own)
        #expect(unlink(temporary("later")) == 0)
        temporary.link("later", to: "home")
        #expect(kind { _ = try folder.newPartial() } == .notPermitted)
    }
}

/// Folders of senders below a folder into which items come.
@Suite struct ReceivingPlaceTests {
    let temporary = TemporaryFolder()

    private func place(_ names: String, _ owners: String?...) throws -> String {
        let path = try ReceivingPlace.path(
            temporary("inbox/" + names), owners: owners, besides: .none, isQuarantine: false)
        return String(path.dropFirst(temporary("inbox/").count))
    }

    /// Stores a folder as an item.
    ///
    /// - Parameter identity: nil for a sender that does not name the source.
    private func receive(_ text: String, of identity: ItemIdentity? = nil) throws -> String {
        let partial = try temporary.inbox().receive(
            nil, as: identity, called: name(text), asking: false)
        try partial.folder(0)
        return try partial.publish(as: name(text)).name.text
    }

    @Test("an item with the name of a sender's folder, which came before it, is not taken for it")
    func before() throws {
        let identity = try #require(ItemIdentity(bytes: [UInt8](repeating: 1, count: ItemIdentity.length)))
        #expect(try receive("laptop") == "laptop")
        #expect(try receive("phone", of: identity) == "phone")
        temporary.file("inbox/tablet")
        for _ in 0..<2 {
            #expect(try place("laptop/2026", "contact laptop", nil) == "laptop (2)/2026")
            #expect(try place("phone", "contact phone") == "phone (2)")
            #expect(try place("tablet", "contact tablet") == "tablet (2)")
        }
        #expect(names(in: temporary("inbox/laptop")).isEmpty)
    }

    @Test("an item that comes after the folder gets another name, and is not taken for it when the folder is gone")
    func after() throws {
        #expect(try place("laptop", "contact laptop") == "laptop")
        #expect(try receive("laptop") == "laptop (2)")
        #expect(try place("laptop", "contact laptop") == "laptop")
        #expect(rmdir(temporary("inbox/laptop")) == 0)
        #expect(try receive("laptop") == "laptop")
        #expect(try place("laptop", "contact laptop") == "laptop (3)")
    }

    @Test("two senders whose names are one to the file system have two folders")
    func namesakes() throws {
        for _ in 0..<2 {
            #expect(try place("laptop", "contact laptop") == "laptop")
            #expect(try place("laptop", "key mfzw") == "laptop (2)")
            #expect(try place("laptop", nil) == "laptop (3)")
        }
    }

    @Test("a folder that the user made is taken, and so is a link of the user's")
    func made() throws {
        temporary.folder("inbox")
        temporary.folder("inbox/laptop")
        temporary.folder("disk")
        temporary.link("inbox/phone", to: "../disk")
        #expect(try place("laptop", "contact laptop") == "laptop")
        #expect(try place("phone", "contact phone") == "phone")
        #expect(try place("phone", "contact other") == "phone (2)")
    }

    @Test(
        "a folder of another user is passed over where others may write",
        .enabled(if: geteuid() == 0, "only root can give a file to another user"))
    func foreign() throws {
        temporary.folder("inbox", mode: 0o777)
        temporary.folder("inbox/laptop", mode: 0o777)
        #expect(chown(temporary("inbox/laptop"), 65534, 65534) == 0)
        #expect(try place("laptop", "contact laptop") == "laptop (2)")
        #expect(status(of: temporary("inbox/laptop (2)"))?.mode == 0o700)
    }
}
