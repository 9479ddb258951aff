import CPortolanLinux
import Glibc
import PortolanValues
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// Hard links and extended attributes, which are sent only when the options ask for them.
@Suite struct SourceOptionsTests {
    let temporary = TemporaryFolder.inMemory()

    private func walk(_ options: SourceOptions) throws -> (tree: SourceTree, found: [TreeEntry], omissions: [String]) {
        let tree = try SourceTree(path: temporary("tree"), options: options)
        let (entries, omissions) = try WalkMethod.all(tree)
        return (tree, entries.map(\.entry), omissions)
    }

    private func anotherName(_ new: String, of old: String) {
        #expect(link(temporary("tree/\(old)"), temporary("tree/\(new)")) == 0)
    }

    // MARK: - Hard links

    @Test(arguments: [false, true]) func otherNamesInsideTheItemAreHardLinks(_ looking: Bool) throws {
        temporary.folder("tree")
        temporary.folder("tree/sub")
        temporary.file("tree/a", "text")
        anotherName("b", of: "a")
        anotherName("sub/c", of: "a")
        temporary.file("tree/outside", "text")
        #expect(link(temporary("tree/outside"), temporary("elsewhere")) == 0)
        temporary.file("tree/single", "text")
        let found = try walk(SourceOptions(looking: looking, hardLinks: true)).found
        #expect(found.map(\.name.text) == ["tree", "a", "b", "outside", "single", "sub", "c"])
        #expect(
            found.map(\.kind) == [
                .folder, .file(size: 4), .hardLink(to: 1), .file(size: 4), .file(size: 4), .folder, .hardLink(to: 1),
            ])
        #expect(found.map(\.isLinkTarget) == [false, true, false, true, false, false, false])
        #expect(found.filter { $0.kind == .hardLink(to: 1) }.allSatisfy { $0.modified == found[1].modified })
        let plain = try walk(SourceOptions(looking: looking)).found
        #expect(plain.allSatisfy { !$0.isLinkTarget && ($0.kind == .folder || $0.kind == .file(size: 4)) })
    }

    @Test func omittedFileIsNoLinkTarget() throws {
        temporary.folder("tree")
        temporary.file("tree/a", "text")
        anotherName("b", of: "a")
        anotherName("c", of: "a")
        let tree = try SourceTree(path: temporary("tree"), options: SourceOptions(hardLinks: true))
        _ = try tree.next()
        let first = try #require(try tree.next())
        tree.leaveOut(first, because: FileError(.sourceChanged, "It was changed."))
        let second = try #require(try tree.next()).entry
        #expect(second.kind == .file(size: 4) && second.isLinkTarget)
        #expect(try tree.next()?.entry.kind == .hardLink(to: 2))
    }

    @Test func fileChangedSinceItsFirstNameIsSeparate() throws {
        temporary.folder("tree")
        temporary.file("tree/a", "text")
        anotherName("b", of: "a")
        let tree = try SourceTree(path: temporary("tree"), options: SourceOptions(hardLinks: true))
        _ = try tree.next()
        _ = try tree.next()
        #expect(truncate(temporary("tree/a"), 10) == 0)
        #expect(try tree.next()?.entry.kind == .file(size: 10))
    }

    @Test func aBoundedNumberOfFilesIsRemembered() {
        var links = LinkedFiles()
        func status(_ number: Int, links: UInt = 2) -> FileStatus {
            var status = stat()
            status.st_mode = S_IFREG
            status.st_ino = __ino_t(number)
            status.st_nlink = __nlink_t(links)
            return FileStatus(status)
        }
        #expect(links.find(status(1, links: 1), for: .everyone, in: .everyone) == .single)
        for number in 0..<LinkedFiles.maximum {
            #expect(links.find(status(number), for: .everyone, in: .everyone) == .first)
            links.remember(status(number), for: .everyone, as: UInt32(number))
        }
        #expect(links.find(status(7), for: .everyone, in: .everyone) == .another(7))
        // No receiver accepts more link targets, even when all names of one have been sent.
        #expect(links.find(status(7), for: .everyone, in: .everyone) == .single)
        #expect(links.find(status(7), for: .everyone, in: .everyone) == .lost)
        #expect(links.find(status(1_000_001), for: .everyone, in: .everyone) == .single)
        #expect(links.find(status(1_000_002), for: .everyone, in: .everyone) == .single)
        #expect(links.find(status(1_000_001), for: .everyone, in: .everyone) == .lost)
        links.forget(status(8).identity)
        #expect(links.find(status(8), for: .everyone, in: .everyone) == .single)
    }

    // MARK: - Attributes

    private func attribute(_ name: String, _ value: [UInt8]) throws -> FileAttribute {
        try #require(FileAttribute(name: Array(name.utf8), value: value))
    }

    private func set(_ name: String, of path: String, to value: [UInt8]) -> Bool {
        setAttribute(Array(name.utf8), of: temporary(path), to: value)
    }

    @Test(arguments: [false, true]) func attributesAreOrderedByName(_ looking: Bool) throws {
        temporary.folder("tree")
        temporary.file("tree/file", "text")
        guard set("user.b", of: "tree/file", to: [1, 0, 2]) else {
            print("skipped: no attributes here")
            return
        }
        #expect(set("user.a.long.name", of: "tree/file", to: []))
        #expect(set("user.folder", of: "tree", to: Array("yes".utf8)))
        #expect(set("user.portolan.source", of: "tree/file", to: [1]))
        if geteuid() == 0 { #expect(set("trusted.not.ours", of: "tree/file", to: [1])) }
        let (_, found, omissions) = try walk(SourceOptions(looking: looking, attributes: true))
        #expect(try found[0].attributes == [attribute("folder", Array("yes".utf8))])
        #expect(try found[1].attributes == [attribute("a.long.name", []), attribute("b", [1, 0, 2])])
        #expect(omissions.isEmpty)
        #expect(try walk(SourceOptions(looking: looking)).found.allSatisfy(\.attributes.isEmpty))
    }

    @Test func unsendableAttributesAreReportedAndOthersAreSent() throws {
        temporary.folder("tree")
        for name in ["binary", "large", "many"] { temporary.file("tree/\(name)", "text") }
        guard set("user.small", of: "tree/large", to: [1]), set("user.a", of: "tree/binary", to: [1]),
            (0..<70).allSatisfy({ set("user.\(1000 + $0)", of: "tree/many", to: [1]) })
        else {
            print("skipped: no attributes here, or few")
            return
        }
        #expect(setAttribute(Array("user.".utf8) + [0xFF], of: temporary("tree/binary"), to: [1]))
        let isLarge =
            set("user.one", of: "tree/large", to: [UInt8](repeating: 1, count: 40_000))
            && set("user.two", of: "tree/large", to: [UInt8](repeating: 2, count: 40_000))
        if !isLarge { print("skipped: no large attributes here") }
        let (_, found, omissions) = try walk(SourceOptions(attributes: true))
        #expect(omissions == ["binary attributes"] + (isLarge ? ["large attributes"] : []) + ["many attributes"])
        #expect(found[1].attributes.map(\.name) == ["a"])
        #expect(found[2].attributes.map(\.name) == (isLarge ? ["one", "small"] : ["small"]))
        #expect(found[3].attributes.count == FileAttribute.maximumCount)
    }

    /// With and without attributes, opened and only looked at, by name or not.
    @Test(arguments: WalkMethod.kernels, [false, true])
    func everyOmittedEntryIsReported(_ kernel: KernelFeatures, attributes: Bool) throws {
        temporary.folder("tree")
        for name in ["colour", "list", "plain", "power", "set-group", "set-user"] {
            temporary.file("tree/\(name)", "text")
        }
        temporary.folder("tree/sticky")
        #expect(chmod(temporary("tree/set-user"), 0o4755) == 0 && chmod(temporary("tree/set-group"), 0o2755) == 0)
        #expect(chmod(temporary("tree/sticky"), 0o1777) == 0)
        var expected = ["set-group mode", "set-user mode", "sticky mode"]
        // Version 2, and entries of tag, permissions and number: owner, one user, group, mask, others.
        let list: [UInt8] =
            [2, 0, 0, 0] + [1, 0, 6, 0] + none + [2, 0, 4, 0, 1, 0, 0, 0] + [4, 0, 4, 0] + none + [16, 0, 4, 0] + none
            + [32, 0, 4, 0] + none
        if set("system.posix_acl_access", of: "tree/list", to: list) { expected.append("list mode") }
        // Revision 2, CAP_NET_BIND_SERVICE permitted and in effect.
        let power: [UInt8] = [1, 0, 0, 2, 0, 4, 0, 0] + [UInt8](repeating: 0, count: 12)
        if set("security.capability", of: "tree/power", to: power) { expected.append("power attributes") }
        if set("user.colour", of: "tree/colour", to: [1]), !attributes { expected.append("colour attributes") }
        for looking in [false, true] {
            let tree = try SourceTree(
                path: temporary("tree"), options: SourceOptions(looking: looking, attributes: attributes),
                features: kernel)
            let (entries, omissions) = try WalkMethod.all(tree)
            #expect(omissions.sorted() == expected.sorted(), "looking: \(looking)")
            #expect(entries.count == 8 && tree.report.missing == 0)
            #expect(tree.report.firsts[.mode] != nil)
        }
    }

    /// The number of an entry of an access control list that has none.
    private let none: [UInt8] = [255, 255, 255, 255]

    @Test func anAttributeOfAPeerIsCheckedOnce() throws {
        for name in ["", "portolan.visibility", "a\0b", String(repeating: "n", count: 251)] {
            #expect(FileAttribute(name: Array(name.utf8), value: []) == nil)
        }
        #expect(FileAttribute(name: [0xFF], value: []) == nil)
        #expect(FileAttribute(name: Array("a".utf8), value: [UInt8](repeating: 0, count: 65_536)) == nil)
        #expect(try attribute(String(repeating: "n", count: 250), []).weight == 253)
        // Names are compared by their bytes, as the system does.
        #expect(try attribute("caf\u{E9}", []) != attribute("cafe\u{301}", []))
    }

    // MARK: - Where it lies

    @Test func sourceHasOneIdentityForAllPaths() throws {
        temporary.folder("real")
        temporary.file("real/file", "text")
        temporary.link("way", to: "real")
        let resolved = try SourcePath.resolved(temporary("real/file"))
        #expect(try SourcePath.resolved(temporary("way/../way/./file")) == resolved)
        #expect(resolved.first == UInt8(ascii: "/") && !resolved.contains(0))
        #expect(kind { _ = try SourcePath.resolved(temporary("nothing")) } == .notFound)
    }
}
