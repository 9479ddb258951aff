import Foundation
import PortolanSyncPlan
import Testing

@testable import PortolanSyncFolder

/// Times of files and links, and permissions of folders.
@Suite struct MetadataTests {
    private let early = ModificationTime(1_700_000_001, 123_456_789)
    private let late = ModificationTime(1_700_000_101, 987_654_321)

    private struct Nothing: ContentProvider {
        func content(_ digest: ContentDigest) async throws -> (any ContentSource)? { nil }
    }

    @Test("times of files and links come with all their nanoseconds, both ways")
    func nanoseconds() async throws {
        let folders = try await SyncFolders(2)
        for (number, name) in [(0, "a"), (1, "b")] {
            try folders.write(number, name, name)
            folders.setTime(number, name, early)
            let link = folders(number, "link to \(name)")
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: name)
            folders.setTime(number, "link to \(name)", late)
        }
        try await folders.settle()
        for number in 0..<2 {
            for name in ["a", "b"] {
                #expect(try folders.time(number, name) == early)
                #expect(try folders.time(number, "link to \(name)") == late)
            }
        }
    }

    @Test("a new time alone goes to the others, fetches nothing and puts nothing into the history")
    func touch() async throws {
        let folders = try await SyncFolders(2)
        try folders.write(0, "a", "1")
        try FileManager.default.createSymbolicLink(atPath: folders(0, "link"), withDestinationPath: "a")
        try await folders.settle()
        for name in ["a", "link"] { folders.setTime(1, name, late) }
        let reports = try await folders.settle()
        for name in ["a", "link"] { #expect(try folders.time(0, name) == late) }
        #expect(reports.allSatisfy { $0.fetched == 0 && $0.copied == 0 })
        for replica in folders.replicas { #expect(try await replica.history().isEmpty) }
        #expect(try folders.common() == ["a=1", "link->a"])
    }

    @Test("new times on both sides, or a new time and an edit, are no conflict")
    func apart() async throws {
        let folders = try await SyncFolders(2)
        for name in ["a", "b"] { try folders.write(0, name, name) }
        try await folders.settle()
        for name in ["a", "b"] { folders.setTime(0, name, early) }
        folders.setTime(1, "a", late)
        try folders.write(1, "b", "edited")
        let edited = try folders.time(1, "b")
        try await folders.settle()
        #expect(try folders.common() == ["a=a", "b=edited"])
        #expect(try folders.time(0, "a") == folders.time(1, "a"))
        #expect(try folders.time(0, "b") == edited && folders.time(1, "b") == edited)
    }

    @Test("equal files that two made while apart get one time")
    func equalFiles() async throws {
        let folders = try await SyncFolders(2)
        for (number, time) in [(0, early), (1, late)] {
            try folders.write(number, "a", "1")
            folders.setTime(number, "a", time)
        }
        try await folders.settle()
        #expect(try folders.common() == ["a=1"])
        #expect(try folders.time(0, "a") == folders.time(1, "a"))
    }

    @Test("a folder is as private on the other side, and later permissions follow without a conflict")
    func privateFolder() async throws {
        let folders = try await SyncFolders(2)
        try folders.makeFolder(0, "x")
        try folders.write(0, "x/a", "1")
        folders.setMode(0, "x", 0o700)
        try await folders.settle()
        #expect(try folders.mode(1, "x") == 0o700)
        folders.setMode(1, "x", 0o750)
        try await folders.settle()
        #expect(try folders.mode(0, "x") == 0o750)
        folders.setMode(0, "x", 0o1770)
        try await folders.settle()
        #expect(try folders.mode(0, "x") == 0o1770 && folders.mode(1, "x") == 0o770, "the sticky bit stays here")
        folders.setMode(1, "x", 0o711)
        folders.setMode(0, "x", 0o1755)
        try await folders.settle()
        #expect(try folders.mode(0, "x") == folders.mode(1, "x") | 0o1000)
        #expect(try folders.common() == ["x/", "x/a=1"])
    }

    @Test("a new folder is its owner's alone until its content is there")
    func openedLast() async throws {
        let folders = try await SyncFolders(2)
        try folders.makeFolder(0, "x/y")
        try folders.write(0, "x/y/a", "1")
        for name in ["x", "x/y"] { folders.setMode(0, name, 0o755) }
        try await folders.synchronize(0)
        try await folders.synchronize(1)
        try await folders.pull(1, from: 0)
        let report = try await folders.replicas[1].synchronize(from: Nothing())
        #expect(report.steps == 2 && report.waiting.count == 1)
        #expect(try folders.mode(1, "x") == 0o700 && folders.mode(1, "x/y") == 0o700)
        try await folders.settle()
        #expect(try folders.mode(1, "x") == 0o755 && folders.mode(1, "x/y") == 0o755)
        #expect(try folders.mode(0, "x") == 0o755 && folders.mode(0, "x/y") == 0o755)
    }

    @Test("a folder that its owner may not write to gets the files that others put into it, and stays so")
    func closedFolder() async throws {
        let folders = try await SyncFolders(2, storage: [1: UnprivilegedStorage()])
        try folders.makeFolder(0, "x")
        try folders.write(0, "x/a", "1")
        folders.setMode(0, "x", 0o555)
        try await folders.settle()
        #expect(try folders.mode(1, "x") == 0o555 && folders.text(1, "x/a") == "1")
        folders.setMode(0, "x", 0o755)
        try folders.write(0, "x/b", "2")
        try folders.makeFolder(0, "x/z")
        try folders.write(0, "x/a", "edited")
        folders.setMode(0, "x", 0o555)
        try await folders.settle()
        #expect(try folders.common() == ["x/", "x/a=edited", "x/b=2", "x/z/"])
        folders.setMode(0, "x", 0o755)
        try folders.remove(0, "x/b")
        folders.setMode(0, "x", 0o555)
        let before = try await folders.replicas[0].position()?.sequence
        try await folders.settle()
        #expect(try folders.common() == ["x/", "x/a=edited", "x/z/"])
        for number in 0..<2 { #expect(try folders.mode(number, "x") == 0o555) }
        #expect(try await folders.replicas[0].position()?.sequence == (before ?? 0) + 1, "the deletion alone")
        for number in 0..<2 { folders.setMode(number, "x", 0o755) }
    }

    @Test("metadata that a disk cannot hold counts as held, also after a rename")
    func coarseDisk() async throws {
        let folders = try await SyncFolders(2, storage: [1: CoarseStorage()])
        try folders.makeFolder(0, "x")
        try folders.write(0, "x/a", "1")
        folders.setTime(0, "x/a", early)
        folders.setMode(0, "x", 0o700)
        try await folders.settle()
        let known = try await folders.replicas[0].position()
        #expect(try folders.time(1, "x/a") == ModificationTime(1_700_000_000) && folders.mode(1, "x") == 0o755)
        folders.move(1, "x/a", to: "x/b")
        try await folders.settle()
        #expect(try folders.time(0, "x/b") == early && folders.mode(0, "x") == 0o700)
        #expect(try await folders.replicas[0].position()?.sequence == (known?.sequence ?? 0) + 1, "the rename alone")
        folders.setTime(1, "x/b", late)
        folders.setMode(1, "x", 0o711)
        try await folders.settle()
        #expect(try folders.time(0, "x/b") == late && folders.mode(0, "x") == 0o711)
    }

    @Test("attributes that an earlier version of the program did not keep alike are no change")
    func earlierIndex() async throws {
        let folders = try await SyncFolders(2)
        try folders.makeFolder(0, "x")
        folders.setMode(0, "x", 0o755)
        try folders.write(0, "x/a", "1")
        folders.setTime(0, "x/a", early)
        try await folders.settle()
        for number in 0..<2 { try await folders.restart(number) { try folders.setBackIndex(number) } }
        let cut = ModificationTime(early.seconds)
        folders.setTime(1, "x/a", cut)
        folders.setMode(1, "x", 0o700)
        let before = (try await folders.replicas[0].position(), try await folders.replicas[1].position())
        let reports = try await folders.settle()
        #expect(reports.allSatisfy { $0.steps == 0 && $0.newEpoch == nil })
        #expect(try await folders.replicas[0].position() == before.0 && before.0 != nil)
        #expect(try await folders.replicas[1].position() == before.1 && before.1 != nil)
        #expect(try folders.time(0, "x/a") == early && folders.time(1, "x/a") == cut)
        #expect(try folders.mode(0, "x") == 0o755 && folders.mode(1, "x") == 0o700)
        folders.setTime(1, "x/a", late)
        folders.setMode(1, "x", 0o750)
        try await folders.settle()
        #expect(try folders.time(0, "x/a") == late && folders.mode(0, "x") == 0o750)
    }

    @Test("a version that is put back has its time, also on the others")
    func restored() async throws {
        let folders = try await SyncFolders(2)
        try folders.write(0, "a", "first")
        folders.setTime(0, "a", early)
        try await folders.settle()
        try folders.write(1, "a", "second")
        try await folders.settle()
        let history = try #require(try await folders.history(0))
        try await history.restore(try #require(try await history.records(of: "a").first))
        try await folders.settle()
        #expect(try folders.common() == ["a=first"])
        for number in 0..<2 { #expect(try folders.time(number, "a") == early) }
    }
}
