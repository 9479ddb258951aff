import Glibc
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

/// From a source through a partial into an inbox, as a transfer does it.
@Suite struct RoundTripTests {
    let temporary = TemporaryFolder()

    private func setTime(_ path: String, _ seconds: Int, _ nanoseconds: Int) {
        let times = Array(repeating: timespec(tv_sec: seconds, tv_nsec: nanoseconds), count: 2)
        #expect(utimensat(AT_FDCWD, temporary(path), times, AT_SYMLINK_NOFOLLOW) == 0)
    }

    private func makeTree() {
        temporary.folder("tree", mode: 0o750)
        temporary.folder("tree/empty")
        temporary.folder("tree/sub")
        temporary.folder("tree/sub/deep", mode: 0o700)
        temporary.file("tree/empty file")
        temporary.file("tree/program", "#!/bin/sh\n", mode: 0o755)
        temporary.file("tree/private", "secret", mode: 0o600)
        temporary.file("tree/sub/large", String(repeating: "0123456789", count: 12_345))
        temporary.file("tree/sub/deep/caf\u{E9}", "composed")
        temporary.file("tree/sub/deep/cafe\u{301}", "decomposed")
        temporary.link("tree/sub/up", to: "../program")
        temporary.link("tree/nowhere", to: "sub/not there")
        temporary.link("tree/itself", to: ".")
        let paths = [
            "tree/sub/deep/caf\u{E9}", "tree/sub/deep", "tree/sub/large", "tree/sub/up", "tree/sub", "tree/empty",
            "tree/program", "tree/nowhere", "tree",
        ]
        for (number, path) in paths.enumerated() { setTime(path, 1_000_000_000 + number, 123_456_789 + number) }
        setTime("tree/private", -86_400, 999_999_999)
        setTime("tree/empty file", 4_000_000_000, 1)
        setTime("tree", 1_600_000_000, 5)
    }

    @Test(arguments: PublishingTests.kernels) func treeArrivesUnchanged(_ kernel: KernelFeatures) throws {
        makeTree()
        let before = snapshot(of: temporary("tree"))
        let partial = try temporary.inbox(features: kernel).newPartial()
        let source = try SourceTree(path: temporary("tree"))
        try copy(source, to: partial)
        let stored = try partial.publish(as: source.name)
        #expect(stored.report.isComplete && source.report.isComplete)
        #expect(stored.entries == UInt64(before.count) + 1)
        #expect(snapshot(of: temporary("inbox/tree")) == before)
        let root = try #require(status(of: temporary("inbox/tree")))
        #expect(root.mode == 0o750 && root.modified == status(of: temporary("tree"))?.modified)
        #expect(names(in: temporary("inbox")) == ["tree"])
    }

    @Test func fileArrivesUnchanged() throws {
        for (count, mode) in [(0, 0o644), (1, 0o755), (999, 0o600), (1000, 0o644), (1001, 0o700), (100_000, 0o640)] {
            let path = temporary.file("file-\(count)", String(repeating: "x", count: count), mode: mode_t(mode))
            setTime("file-\(count)", 1_111_111_111, count)
            let source = try SourceTree(path: path)
            let partial = try temporary.inbox().newPartial()
            try copy(source, to: partial)
            let stored = try partial.publish(as: source.name)
            let arrived = temporary("inbox/\(stored.name.text)")
            #expect(content(of: arrived) == content(of: path))
            let (there, here) = (try #require(status(of: arrived)), try #require(status(of: path)))
            #expect(there.mode == here.mode && there.modified == here.modified)
        }
    }

    @Test func aFolderOfManyFoldersKeepsEachTime() throws {
        temporary.folder("wide")
        for number in 0..<100 {
            temporary.folder("wide/\(number)")
            temporary.file("wide/\(number)/file", "\(number)")
            setTime("wide/\(number)", 1_500_000_000 + number, number)
        }
        let before = snapshot(of: temporary("wide"))
        let partial = try temporary.inbox().newPartial()
        try copy(SourceTree(path: temporary("wide")), to: partial)
        _ = try partial.publish(as: name("wide"))
        #expect(snapshot(of: temporary("inbox/wide")) == before)
    }

    @Test func sourceChangedDuringTheTransferDoesNotArrive() throws {
        for change in ["shrink", "rewrite"] {
            temporary.file("file", String(repeating: "x", count: 100_000))
            let partial = try temporary.inbox().newPartial()
            let source = try SourceTree(path: temporary("file"))
            if change == "shrink" {
                #expect(truncate(temporary("file"), 50_000) == 0)
            } else {
                temporary.file("file", String(repeating: "y", count: 200_000))
            }
            #expect(kind { try copy(source, to: partial) } == .sourceChanged)
            #expect(kind { _ = try partial.publish(as: name("file")) } == .malformedTree)
            partial.discard()
            #expect(names(in: temporary("inbox")).isEmpty)
        }
    }
}
