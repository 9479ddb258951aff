import Glibc
import PortolanValues
import TestSupport
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

@Suite(.aside) struct SourceTreeTests {
    let temporary = TemporaryFolder.inMemory()

    private func entries(of tree: SourceTree) throws -> [TreeEntry] {
        var entries: [TreeEntry] = []
        while let next = try tree.next() { entries.append(next.entry) }
        return entries
    }

    private func omissions(of tree: SourceTree) -> [String] {
        tree.report.omissions.map { "\($0.shownPath) \($0.reason.rawValue)" }
    }

    @Test func entriesAreDepthFirstInByteOrder() throws {
        temporary.folder("tree")
        for name in ["tree/b", "tree/a", "tree/Z", "tree/b/y"] { temporary.folder(name) }
        temporary.file("tree/b/x", "12")
        temporary.file("tree/c", "1")
        temporary.link("tree/a/link", to: "../c")
        let tree = try SourceTree(path: temporary("tree"))
        let found = try entries(of: tree)
        #expect(found.map(\.name.text) == ["tree", "Z", "a", "link", "b", "x", "y", "c"])
        #expect(found.map(\.index) == Array(0...7))
        #expect(found.map(\.parent) == [0, 0, 0, 2, 0, 4, 4, 0])
        #expect(found[5].kind == .file(size: 2))
        #expect(found[3].kind == .symbolicLink(try LinkTarget(Array("../c".utf8))))
        #expect(tree.isFolder && tree.size == nil && tree.report.isComplete)
        #expect(try tree.next() == nil)
    }

    @Test func singleFileIsATreeOfOneEntry() throws {
        let path = temporary.file("photo.jpg", "12345", mode: 0o754)
        let tree = try SourceTree(path: path)
        #expect(tree.name.text == "photo.jpg" && tree.size == 5 && !tree.isFolder)
        let entry = try #require(try tree.next()).entry
        #expect(entry.permissions == 0o754 && entry.kind == .file(size: 5))
        #expect(entry.modified == status(of: path)?.modified)
        #expect(try tree.next() == nil)
    }

    @Test func linkNamedByTheUserIsFollowedUnderItsOwnName() throws {
        temporary.folder("real")
        temporary.file("real/inner", "x")
        temporary.link("link", to: "real")
        let tree = try SourceTree(path: temporary("link/"))
        #expect(tree.name.text == "link")
        #expect(try entries(of: tree).map(\.name.text) == ["link", "inner"])
    }

    @Test func pathWithoutANameGetsTheFoldersRealName() throws {
        temporary.folder("named")
        temporary.folder("named/sub")
        for path in ["named/.", "named/sub/..", "named//./"] {
            #expect(try SourceTree(path: temporary(path)).name.text == "named")
        }
        #expect(try SourceTree(path: "/").name.text == "unnamed")
    }

    @Test func specialFileIsRefusedWithoutOpeningIt() {
        #expect(mkfifo(temporary("pipe"), 0o600) == 0)
        temporary.link("nowhere", to: "nothing")
        temporary.link("loop", to: "loop")
        #expect(kind { _ = try SourceTree(path: temporary("pipe")) } == .notFileOrFolder)
        #expect(kind { _ = try SourceTree(path: "/dev/null") } == .notFileOrFolder)
        #expect(kind { _ = try SourceTree(path: temporary("missing")) } == .notFound)
        #expect(kind { _ = try SourceTree(path: temporary("nowhere")) } == .notFound)
        #expect(kind { _ = try SourceTree(path: temporary("loop")) } == .notFound)
        #expect(kind { _ = try SourceTree(path: "") } == .notFound)
    }

    @Test func unsendableEntriesAreReported() throws {
        temporary.folder("tree")
        temporary.folder("tree/sub")
        #expect(mkfifo(temporary("tree/sub/pipe"), 0o600) == 0)
        let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(temporary("tree/socket").utf8)) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(bound == 0)
        temporary.link("tree/absolute", to: "/etc/passwd")
        temporary.link("tree/escaping", to: "../outside")
        temporary.link("tree/sub/escaping", to: "../../outside")
        temporary.link("tree/sub/winding", to: "a/../b")
        temporary.link("tree/fine", to: "sub/x")
        temporary.file("tree/new\nline", "x")
        temporary.file("tree/gpj.\u{202E}exe", "x")
        let invalid = Array(temporary("tree/bad-").utf8CString.dropLast()) + [CChar(bitPattern: 0xFF), 0]
        #expect(mkdir(invalid, 0o700) == 0)
        temporary.folder("tree/.portolan-partial-x")
        let tree = try SourceTree(path: temporary("tree"))
        #expect(try entries(of: tree).map(\.name.text) == ["tree", "fine", "sub"])
        #expect(
            Set(omissions(of: tree)) == [
                "sub/pipe pipe", "socket socket", "absolute link-leaves-item", "escaping link-leaves-item",
                "sub/escaping link-leaves-item", "sub/winding link-leaves-item", "new\\u{A}line name",
                "gpj.\\u{202E}exe name", "bad-\\xFF name", ".portolan-partial-x partial",
            ])
        #expect(tree.report.omitted == 10)
    }

    @Test func aDeviceInATreeIsReportedAndNotOpened() throws {
        temporary.folder("tree")
        guard mknod(temporary("tree/null"), S_IFCHR | 0o600, 1 << 8 | 3) == 0 else {
            print("skipped: making a device needs privileges")
            return
        }
        let tree = try SourceTree(path: temporary("tree"))
        #expect(try entries(of: tree).count == 1)
        #expect(omissions(of: tree) == ["null device"])
    }

    @Test func theReportIsBounded() throws {
        temporary.folder("tree")
        for number in 0..<1000 { temporary.link("tree/\(number)", to: "/") }
        #expect(mkfifo(temporary("tree/pipe"), 0o600) == 0)
        let tree = try SourceTree(path: temporary("tree"))
        #expect(try entries(of: tree).count == 1)
        #expect(tree.report.omitted == 1001 && tree.report.omissions.count == FidelityReport.listedOmissions)
        // The entry comes after all listed ones, but its kind is known and must be reported.
        #expect(tree.report.firsts[.pipe]?.shownPath.text == "pipe")
        #expect(tree.report.firsts.count == 2)
    }

    @Test func foldersBeyondTheDepthOfAnItemAreReported() throws {
        var path = temporary.folder("tree")
        for _ in 1...130 {
            path += "/d"
            #expect(mkdir(path, 0o700) == 0)
        }
        let tree = try SourceTree(path: temporary("tree"))
        #expect(try entries(of: tree).count == TreeEntry.maximumFolders)
        #expect(tree.report.omissions.map(\.reason) == [.tooDeep])
    }

    @Test func tenThousandNestedFoldersNeitherFailNorHang() throws {
        temporary.folder("tree")
        var folder = open(temporary("tree"), O_RDONLY)
        let start = folder
        for _ in 1...10_000 {
            #expect(mkdirat(folder, "d", 0o700) == 0)
            let inner = openat(folder, "d", O_RDONLY)
            if folder != start { close(folder) }
            folder = inner
        }
        close(folder)
        defer { unnest(start) }
        #expect(try entries(of: SourceTree(path: temporary("tree"))).count == TreeEntry.maximumFolders)
    }

    /// Moves nested folders out of each other, from the outermost on, since the removal used by tests does not go that
    /// deep.
    private func unnest(_ root: Int32) {
        while renameat(root, "d/d", root, "inner") == 0 {
            unlinkat(root, "d", AT_REMOVEDIR)
            renameat(root, "inner", root, "d")
        }
        close(root)
    }

    @Test(arguments: WalkMethod.kernels, [false, true])
    func fileRemovedOrReplacedDuringTheWalkIsReported(_ kernel: KernelFeatures, looking: Bool) throws {
        temporary.folder("tree")
        for name in ["a", "b", "c", "d"] { temporary.file("tree/" + name, name) }
        temporary.folder("tree/e")
        temporary.file("outside", "secret")
        temporary.folder("elsewhere")
        temporary.file("elsewhere/secret", "secret")
        let tree = try SourceTree(
            path: temporary("tree"), options: SourceOptions(looking: looking), features: kernel)
        _ = try tree.next()
        #expect(unlink(temporary("tree/a")) == 0)
        #expect(unlink(temporary("tree/b")) == 0)
        temporary.link("tree/b", to: "../outside")
        #expect(unlink(temporary("tree/c")) == 0)
        #expect(mkfifo(temporary("tree/c"), 0o600) == 0)
        #expect(rmdir(temporary("tree/e")) == 0)
        temporary.link("tree/e", to: "../elsewhere")
        #expect(try entries(of: tree).map(\.name.text) == ["d"])
        // Their restrictions are unknown, so their names are withheld from everyone.
        #expect(tree.report.omissions.isEmpty && tree.report.missing == 4)
        let expected: [(String, Loss.Reason)] = [
            ("a", .vanished), ("b", .changed), ("c", .changed), ("e", .changed),
        ]
        #expect(tree.withheld.entries == expected.map { WithheldEntry(path: DisplayText($0.0), cause: .unknown($0.1)) })
    }

    @Test(arguments: WalkMethod.kernels, [false, true])
    func aFolderSwappedForALinkDuringTheWalkIsNotFollowed(_ kernel: KernelFeatures, looking: Bool) throws {
        temporary.folder("tree")
        temporary.folder("tree/sub")
        temporary.file("tree/sub/mine", "mine")
        temporary.folder("elsewhere")
        temporary.file("elsewhere/mine", "secret")
        let tree = try SourceTree(
            path: temporary("tree"), options: SourceOptions(looking: looking), features: kernel)
        _ = try tree.next()
        _ = try tree.next()
        #expect(rename(temporary("tree/sub"), temporary("tree/moved")) == 0)
        temporary.link("tree/sub", to: "../elsewhere")
        let file = try #require(try tree.next()).open()
        var buffer = [UInt8](repeating: 0, count: 10)
        let count = try buffer.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
        #expect(buffer.prefix(count) == Array("mine".utf8)[...])
    }

    @Test func aMillionNamesAreSortedInLittleMemory() throws {
        // A tenth of the number is used here: the test shows that a name costs its bytes and little more.
        temporary.folder("tree")
        let folder = open(temporary("tree"), O_RDONLY | O_DIRECTORY)
        defer { close(folder) }
        for number in 0..<5000 { close(openat(folder, "\(number &* 7919 % 5000)", O_CREAT | O_WRONLY, 0o600)) }
        let listing = try DirectoryListing(of: Descriptor(owning: dup(folder)))
        let sorted = listing.map { String(decoding: $0.name, as: UTF8.self) }
        #expect(sorted == sorted.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } && sorted.count == 5000)
    }
}

@Suite struct SourceFileTests {
    let temporary = TemporaryFolder.inMemory()

    private func opened(_ content: String) throws -> SourceFile {
        temporary.file("source", content)
        return try #require(try SourceTree(path: temporary("source")).next()?.file)
    }

    private func read(_ file: SourceFile, at offset: UInt64, atMost count: Int = 100) throws -> String {
        var buffer = [UInt8](repeating: 0, count: count)
        let count = try buffer.withUnsafeMutableBytes { try file.read(into: $0, at: offset) }
        return String(decoding: buffer.prefix(count), as: UTF8.self)
    }

    @Test func fileIsReadToItsSizeAtOpening() throws {
        let file = try opened("0123456789")
        #expect(try read(file, at: 0, atMost: 4) == "0123")
        #expect(try read(file, at: 4) == "456789")
        #expect(try read(file, at: 10) == "")
        #expect(try read(file, at: .max) == "")
        #expect(throws: Never.self) { try file.confirmUnchanged() }
    }

    @Test func shrinkingFileIsDetectedDuringReading() throws {
        let file = try opened("0123456789")
        #expect(truncate(temporary("source"), 4) == 0)
        #expect(try read(file, at: 0) == "0123")
        #expect(kind { _ = try read(file, at: 4) } == .sourceChanged)
        #expect(kind { try file.confirmUnchanged() } == .sourceChanged)
    }

    @Test func growingFileIsDetectedAtTheEnd() throws {
        let file = try opened("0123456789")
        #expect(truncate(temporary("source"), 20) == 0)
        #expect(try read(file, at: 0) == "0123456789")
        #expect(try read(file, at: 10) == "")
        #expect(try Array("0123456789".utf8).withUnsafeBytes { try file.confirmUnchanged($0) })
    }

    @Test func aFileRewrittenInPlaceIsNoticedAtTheEnd() throws {
        let file = try opened("0123456789")
        let before = try #require(status(of: temporary("source")))
        usleep(20_000)
        let other = open(temporary("source"), O_WRONLY)
        #expect(pwrite(other, "X", 1, 3) == 1)
        // Even when the culprit sets the modification time back.
        try Descriptor(owning: other).setModified(before.modified)
        #expect(status(of: temporary("source"))?.modified == before.modified)
        #expect(kind { try file.confirmUnchanged() } == .sourceChanged)
    }

    @Test func aReplacedFileIsReadToItsEnd() throws {
        let file = try opened("the old one")
        #expect(unlink(temporary("source")) == 0)
        temporary.file("source", "the new one, longer")
        #expect(try read(file, at: 0) == "the old one")
    }
}
