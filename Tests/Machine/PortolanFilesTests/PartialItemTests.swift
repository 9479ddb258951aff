import Glibc
import PortolanValues
import Testing

@testable import FilesTestSupport
@testable import PortolanFiles

@Suite struct PartialItemTests {
    let temporary = TemporaryFolder.inMemory()

    @Test func nothingIsVisibleBeforePublication() throws {
        let inbox = try temporary.inbox()
        let partial = try inbox.newPartial()
        try partial.add(root: .file(size: 3))
        try partial.write(0, at: 0, "abc")
        try partial.finish(0, size: 3)
        #expect(names(in: inbox.path).allSatisfy { $0.hasPrefix(FileName.partialPrefix) })
        let stored = try partial.publish(as: name("a.txt"))
        #expect(stored.name == (try name("a.txt")))
        #expect(stored.bytes == 3 && stored.entries == 1 && stored.report.isComplete)
        #expect(names(in: inbox.path) == ["a.txt"])
        #expect(content(of: temporary("inbox/a.txt")) == Array("abc".utf8))
    }

    @Test func theWorkspaceIsForItsOwnerAlone() throws {
        let inbox = try temporary.inbox()
        let partial = try inbox.newPartial()
        let workspace = try #require(names(in: inbox.path).first)
        #expect(status(of: "\(inbox.path)/\(workspace)")?.mode == 0o700)
        partial.discard()
    }

    @Test func aDiscardedItemLeavesNothing() throws {
        let inbox = try temporary.inbox()
        let partial = try inbox.newPartial()
        try partial.folder(0)
        try partial.folder(1, in: 0, "sub")
        try partial.file(2, in: 1, "a", "text")
        try partial.link(3, in: 1, "link", to: "../sub/a")
        try partial.add(4, in: 0, "unfinished", .file(size: nil))
        partial.discard()
        #expect(names(in: inbox.path).isEmpty)
        #expect(kind { try partial.write(4, at: 0, "late") } == .stopped)
        #expect(kind { _ = try partial.publish(as: name("a")) } == .stopped)
    }

    @Test func releasedItemRemovesItself() throws {
        let inbox = try temporary.inbox()
        do {
            let partial = try inbox.newPartial()
            try partial.file(0, "a", "text")
        }
        #expect(names(in: inbox.path).isEmpty)
    }

    @Test func discardingAfterPublishingDoesNothing() throws {
        let inbox = try temporary.inbox()
        let partial = try inbox.newPartial()
        try partial.file(0, "a", "text")
        _ = try partial.publish(as: name("a"))
        partial.discard()
        #expect(names(in: inbox.path) == ["a"])
    }

    @Test(
        "A malformed tree is refused, and nothing of it stays",
        arguments: [
            "begins with entry 1", "root inside entry 5", "root is a link", "gap in numbers", "number twice",
            "unknown parent",
            "parent is a file", "parent is a link", "parent is itself", "parent comes later", "name twice",
            "file over folder",
            "link over file", "bytes for a folder", "bytes for nothing", "bytes after the end",
            "same bytes twice", "bytes before others again", "offset at the end of numbers", "too many pieces",
            "bytes after the end of the file", "content of another size", "content twice", "content after bytes",
            "parent was left", "hard link to nothing", "hard link to a file that is no target", "root is a hard link",
            "too many waiting", "more bytes than announced", "fewer bytes than announced",
            "other size at the end", "published unfinished", "published empty", "end of nothing", "too many open files",
        ])
    func aMalformedTreeIsRefused(_ fault: String) throws {
        let inbox = try temporary.inbox("inbox-\(fault.hashValue)")
        let partial = try inbox.newPartial()
        let thrown = kind { try Self.commit(fault, partial) }
        #expect(thrown == .malformedTree, "\(fault): \(String(describing: thrown))")
        // A refused item takes no further entries.
        #expect(kind { try partial.folder(9, in: 0, "later") } == .malformedTree)
        #expect(kind { _ = try partial.publish(as: name("item")) } == .malformedTree)
        partial.discard()
        #expect(names(in: inbox.path).isEmpty)
    }

    static func commit(_ fault: String, _ partial: PartialItem) throws {
        switch fault {
        case "begins with entry 1": return try partial.folder(1)
        case "root inside entry 5": return try partial.folder(0, in: 5)
        case "root is a hard link": return try partial.add(root: .hardLink(to: 0))
        case "root is a link": return try partial.link(0, "a", to: "b")
        case "published empty": return _ = try partial.publish(as: name("a"))
        default: break
        }
        try partial.folder(0)
        try partial.file(1, in: 0, "file", "text")
        switch fault {
        case "gap in numbers": try partial.folder(3, in: 0, "a")
        case "number twice": try partial.folder(1, in: 0, "a")
        case "unknown parent": try partial.folder(2, in: 77, "a")
        case "parent is itself": try partial.folder(2, in: 2, "a")
        case "parent is a file": try partial.folder(2, in: 1, "a")
        case "parent comes later": try partial.folder(2, in: 3, "a")
        case "name twice": try partial.file(2, in: 0, "file", "other")
        case "file over folder":
            try partial.folder(2, in: 0, "a")
            try partial.file(3, in: 0, "a")
        case "parent is a link":
            try partial.link(2, in: 0, "a", to: "file")
            try partial.file(3, in: 2, "a")
        case "link over file": try partial.link(2, in: 0, "file", to: "x")
        case "bytes for a folder": try partial.write(0, at: 0, "x")
        case "bytes for nothing": try partial.write(5, at: 0, "x")
        case "bytes after the end": try partial.write(1, at: 4, "x")
        case "parent was left":
            try partial.folder(2, in: 0, "a")
            try partial.folder(3, in: 0, "b")
            try partial.file(4, in: 2, "late")
        case "hard link to nothing": try partial.add(2, "a", .hardLink(to: 77))
        case "hard link to a file that is no target": try partial.add(2, "a", .hardLink(to: 1))
        case "content of another size":
            try partial.add(2, "a", .file(size: 4))
            try partial.content(2, "abc")
        case "content twice":
            try partial.add(2, "a", .file(size: 3))
            try partial.content(2, "abc")
            try partial.content(2, "abc")
        case "content after bytes":
            try partial.add(2, "a", .file(size: 3))
            try partial.write(2, at: 0, "a")
            try partial.content(2, "abc")
        case "too many waiting":
            for index in 2...UInt32(PartialItem.maximumWaitingFiles + 2) {
                try partial.add(index, "\(index)", .file(size: 1))
            }
        case "end of nothing": try partial.finish(7, size: 0)
        case "too many open files":
            for index in 2...UInt32(PartialItem.maximumOpenFiles + 2) {
                try partial.add(index, "\(index)", .file(size: nil))
                try partial.write(index, at: 0, "x")
            }
        default:
            try partial.add(2, in: 0, "open", .file(size: fault.contains("announced") ? 4 : nil))
            try partial.write(2, at: 0, "abc")
            switch fault {
            case "same bytes twice": try partial.write(2, at: 0, "abc")
            case "bytes before others again": try partial.write(2, at: 2, "xy")
            case "bytes after the end of the file":
                try partial.finish(2, size: 5)
                try partial.write(2, at: 3, "xyz")
            case "too many pieces":
                for piece in 2...UInt64(ByteRanges.limit + 3) { try partial.write(2, at: piece * 2, "x") }
            case "offset at the end of numbers": try partial.write(2, at: .max, "x")
            case "more bytes than announced": try partial.write(2, at: 3, "xy")
            case "fewer bytes than announced": try partial.finish(2, size: 3)
            case "other size at the end": try partial.finish(2, size: 2)
            case "published unfinished": _ = try partial.publish(as: name("a"))
            default: Issue.record("no such fault: \(fault)")
            }
        }
    }

    @Test func nestingEndsAt128() throws {
        let partial = try temporary.inbox().newPartial()
        try partial.folder(0)
        for index in 1...127 as ClosedRange<UInt32> {
            try partial.folder(index, in: index - 1, String(repeating: "d", count: 200))
        }
        try partial.file(128, in: 127, "deepest", "text")
        #expect(kind { try partial.folder(129, in: 127, "deeper") } == .malformedTree)
    }

    @Test func aDeepTreeWithLongNamesIsStoredWhole() throws {
        let inbox = try temporary.inbox()
        let partial = try inbox.newPartial()
        try partial.folder(0)
        let long = String(repeating: "d", count: 255)
        for index in 1...127 as ClosedRange<UInt32> { try partial.folder(index, in: index - 1, long) }
        // Up again, so that folders are closed and opened again on the way.
        for index in 128...255 as ClosedRange<UInt32> { try partial.file(index, in: 255 - index, "f\(index)", "x") }
        _ = try partial.publish(as: name("deep"))
        var folder = open(temporary("inbox/deep"), O_RDONLY)
        for _ in 1...127 {
            let inner = openat(folder, long, O_RDONLY)
            close(folder)
            folder = inner
        }
        #expect(folder >= 0)
        var found = stat()
        #expect(fstat(folder, &found) == 0 && FileStatus(found).modified == someTime)
        close(folder)
    }

    @Test func composedAndDecomposedNamesAreStoredSideBySide() throws {
        let partial = try temporary.inbox().newPartial()
        try partial.folder(0)
        try partial.file(1, in: 0, "caf\u{E9}", "composed")
        try partial.file(2, in: 0, "cafe\u{301}", "decomposed")
        try partial.file(3, in: 0, "CAF\u{C9}", "upper case")
        _ = try partial.publish(as: name("twins"))
        #expect(names(in: temporary("inbox/twins")).map { Array($0.utf8) }.count == 3)
        #expect(content(of: temporary("inbox/twins/cafe\u{301}")) == Array("decomposed".utf8))
    }

    @Test func anEmptyWriteAndAnEmptyFileAreFine() throws {
        let partial = try temporary.inbox().newPartial()
        try partial.add(root: .file(size: 0))
        try partial.write(0, at: 0, "")
        try partial.finish(0, size: 0)
        #expect(try partial.publish(as: name("empty")).bytes == 0)
        #expect(status(of: temporary("inbox/empty"))?.size == 0)
    }

    @Test func severalFilesMayBeOpenAtOnce() throws {
        let partial = try temporary.inbox().newPartial()
        try partial.folder(0)
        for index in 1...64 as ClosedRange<UInt32> { try partial.add(index, "\(index)", .file(size: nil)) }
        for index in 1...64 as ClosedRange<UInt32> { try partial.write(index, at: 0, "\(index)") }
        for index in 1...64 as ClosedRange<UInt32> { try partial.finish(index, size: index < 10 ? 1 : 2) }
        _ = try partial.publish(as: name("many"))
        #expect(content(of: temporary("inbox/many/42")) == Array("42".utf8))
    }

    @Test func fileThatFailedMidwayIsOmittedAndReported() throws {
        let partial = try temporary.inbox().newPartial()
        try partial.folder(0)
        try partial.folder(1, in: 0, "sub")
        try partial.add(2, in: 1, "shrank", .file(size: 10))
        try partial.write(2, at: 0, "12345")
        try partial.leaveOut(2, because: .changed)
        try partial.file(3, in: 1, "fine", "x")
        let stored = try partial.publish(as: name("tree"))
        #expect(stored.report.omissions.map { "\($0.shownPath) \($0.reason.rawValue)" } == ["sub/shrank changed"])
        #expect(names(in: temporary("inbox/tree/sub")) == ["fine"])
    }

    @Test func permissionsAreTheSendersAsFarAsTheUmaskLetsThem() throws {
        let partial = try temporary.inbox().newPartial()
        try partial.add(0, "tree", .folder, permissions: 0o500)
        try partial.add(1, "run", .file(size: 0), permissions: 0o777)
        try partial.finish(1, size: 0)
        try partial.add(2, "secret", .file(size: 1), permissions: 0o000)
        try partial.content(2, "x")
        try partial.add(3, "set-user", .file(size: 0), permissions: 0o4755)
        try partial.finish(3, size: 0)
        try partial.add(4, "fixed", .file(size: 1), permissions: 0o444)
        try partial.write(4, at: 0, "x")
        try partial.finish(4, size: 1)
        try partial.add(5, "open", .folder, permissions: 0o777)
        try partial.add(6, "closed", .folder, permissions: 0o000)
        try partial.add(7, in: 6, "inner", .file(size: 0), permissions: 0o600)
        try partial.finish(7, size: 0)
        let stored = try partial.publish(as: name("tree"))
        let allowed = ~currentUmask() & 0o777
        func mode(_ path: String) -> UInt16? { status(of: temporary("inbox/" + path))?.mode }
        #expect(mode("tree") == 0o500 & allowed)
        #expect(mode("tree/run") == 0o777 & allowed)
        #expect(mode("tree/secret") == 0)
        #expect(mode("tree/set-user") == 0o755 & allowed)
        #expect(mode("tree/fixed") == 0o444 & allowed)
        #expect(mode("tree/open") == 0o777 & allowed)
        #expect(mode("tree/closed") == 0)
        #expect(status(of: temporary("inbox/tree"))?.modified == someTime)
        #expect(status(of: temporary("inbox/tree/closed"))?.modified == someTime)
        // Permissions that the umask removed are reported.
        let lost = allowed == 0o777 ? [] : ["open mode", "run mode"]
        #expect(stored.report.omissions.map { "\($0.shownPath) \($0.reason.rawValue)" }.sorted() == lost)
    }

    private func currentUmask() -> UInt16 {
        let text = String(decoding: content(of: "/proc/self/status") ?? [], as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix("Umask:") }
        return line.flatMap { UInt16($0.dropFirst(6).drop(while: \.isWhitespace), radix: 8) } ?? 0o022
    }

    @Test func aTimeWithTooManyNanosecondsIsRefused() {
        #expect(kind { _ = try FileTime(seconds: 0, nanoseconds: 1_000_000_000) } == .malformedTree)
        // UTIME_NOW and UTIME_OMIT: orders, not times.
        #expect(kind { _ = try FileTime(seconds: 0, nanoseconds: 0x3FFF_FFFF) } == .malformedTree)
        #expect(kind { _ = try FileTime(seconds: 0, nanoseconds: 0x3FFF_FFFE) } == .malformedTree)
    }

    @Test func aFileBeyond4GiBKeepsItsOffsets() throws {
        let partial = try temporary.inbox().newPartial()
        try partial.add(root: .file(size: nil))
        try partial.write(0, at: 5 << 30, "end")
        try partial.hole(0, at: 0, length: 5 << 30)
        try partial.finish(0, size: 5 << 30 + 3)
        #expect(try partial.publish(as: name("large")).bytes == 5 << 30 + 3)
        let stored = try #require(status(of: temporary("inbox/large")))
        #expect(stored.size == 5 << 30 + 3 && stored.allocated < 1 << 20)
    }

    @Test func excessiveSizeIsRefusedAtOnce() throws {
        for size in [UInt64.max, 1 << 63, 1 << 62, 1 << 50] {
            let partial = try temporary.inbox().newPartial()
            let thrown = kind { try partial.add(root: .file(size: size)) }
            #expect(size >= 1 << 63 ? thrown == .malformedTree : thrown == .noSpace || thrown == .tooLarge)
        }
        #expect(names(in: temporary("inbox")).isEmpty)
    }
}
