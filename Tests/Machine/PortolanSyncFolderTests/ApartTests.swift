import Foundation
import PortolanSyncPlan
import Testing

@testable import PortolanSyncFolder

/// Changes by persons on devices without contact, on real disks.
@Suite struct ApartTests {
    private func withFiles(clocks: [Int: Int64] = [:]) async throws -> SyncFolders {
        let folders = try await SyncFolders(2, clocks: clocks)
        try folders.makeFolder(0, "x")
        try folders.makeFolder(0, "y")
        try folders.write(0, "x/a", "1")
        try folders.write(0, "y/b", "2")
        try await folders.settle()
        return folders
    }

    @Test("clocks that differ by years, and times that make no sense, decide nothing")
    func clocks() async throws {
        let year: Int64 = 31_536_000
        let folders = try await withFiles(clocks: [0: year, 1: -year])
        for (device, time) in [(0, 0), (1, 4_102_444_800)] {
            try folders.write(device, "new \(device)", "content")
            var times = [timeval(tv_sec: time, tv_usec: 0), timeval(tv_sec: time, tv_usec: 0)]
            #expect(utimes(folders(device, "new \(device)"), &times) == 0)
        }
        try folders.write(1, "x/a", "later")
        try await folders.settle()
        #expect(try folders.common() == ["new 0=content", "new 1=content", "x/", "x/a=later", "y/", "y/b=2"])
        try await folders.checkAll()
    }

    @Test("two renames that make a ring settle, and nothing is lost")
    func ring() async throws {
        let folders = try await withFiles()
        folders.move(0, "x", to: "y/x")
        folders.move(1, "y", to: "x/y")
        try await folders.settle()
        let files = try folders.common()
        #expect(Set(files.compactMap { $0.split(separator: "=").dropFirst().first }) == ["1", "2"] && files.count == 4)
        try await folders.checkAll()
    }

    @Test("a rename and an edit of the same file apart are both done")
    func renameAgainstEdit() async throws {
        let folders = try await withFiles()
        folders.move(0, "x/a", to: "y/c")
        try folders.write(1, "x/a", "edited")
        try await folders.settle()
        #expect(try folders.common() == ["x/", "y/", "y/b=2", "y/c=edited"])
        try await folders.checkAll()
    }

    @Test("content that is found on no member is withdrawn by the member that has the file, before others delete it")
    func withdrawal() async throws {
        let folders = try await withFiles()
        try folders.write(1, "x/a", "second")
        _ = try await folders.synchronize(1)
        try folders.remove(1, "x/a")
        _ = try await folders.synchronize(1)
        folders.move(0, "x/a", to: "x/b")
        let wanted = try await folders.settle().flatMap(\.waiting).compactMap { wait in
            if case .content(let digest) = wait { digest } else { nil }
        }
        let digest = try #require(wanted.last)
        #expect(try await folders.replicas[1].withdraw([digest], deletes: false) == [])
        #expect(try await folders.replicas[0].withdraw([digest], deletes: false) == [digest])
        try await folders.settle()
        #expect(try folders.common() == ["x/", "x/b=1", "y/", "y/b=2"])
        try await folders.checkAll()
    }

    @Test("both delete, and both edit")
    func deletionsAndEdits() async throws {
        let folders = try await withFiles()
        try folders.remove(0, "x/a")
        try folders.write(0, "y/b", "by A")
        try folders.write(1, "x/a", "by B")
        try folders.remove(1, "y/b")
        try await folders.settle()
        #expect(try folders.common() == ["x/", "x/a=by B", "y/", "y/b=by A"])
        try await folders.checkAll()
    }

    @Test("both rename one file")
    func renames() async throws {
        let folders = try await withFiles()
        folders.move(0, "x/a", to: "x/left")
        folders.move(1, "x/a", to: "y/right")
        try await folders.settle()
        let files = try folders.common()
        #expect(files.filter { $0.hasSuffix("=1") }.count == 1 && files.contains("y/b=2") && files.count == 4)
        try await folders.checkAll()
    }

    @Test("both delete one file, and one folder")
    func deletions() async throws {
        let folders = try await withFiles()
        for device in 0..<2 {
            try folders.remove(device, "x/a")
            try folders.remove(device, "y")
        }
        let reports = try await folders.settle()
        #expect(try folders.common() == ["x/"] && reports.allSatisfy(\.waiting.isEmpty))
        try await folders.checkAll()
    }

    @Test("a change of a file into a folder, or back, meets an edit")
    func kindsAgainstEdits() async throws {
        let folders = try await withFiles()
        try folders.remove(0, "x/a")
        try folders.makeFolder(0, "x/a")
        try folders.write(0, "x/a/c", "3")
        try folders.remove(0, "y")
        try folders.write(0, "y", "4")
        try folders.write(1, "x/a", "edited")
        try folders.write(1, "y/b", "edited, too")
        try await folders.settle()
        let files = try folders.common()
        #expect(files.contains("x/a/c=3") && files.contains("y/b=edited, too"))
        #expect(files.contains { $0.hasSuffix("=edited") } && files.contains { $0.hasSuffix("=4") })
        try await folders.checkAll()
    }

    @Test("a name changes its case only")
    func caseOfName() async throws {
        let folders = try await withFiles()
        folders.move(0, "x", to: "X")
        folders.move(0, "y/b", to: "y/B")
        try await folders.settle()
        #expect(try folders.common() == ["X/", "X/a=1", "y/", "y/B=2"])
        try await folders.checkAll()
    }

    @Test("a change that one device makes for the other is no news to either")
    func quiet() async throws {
        let folders = try await withFiles()
        try folders.write(0, "x/a", "edited")
        try await folders.settle()
        let before = try await folders.replicas[1].announcement(since: nil)
        for number in [0, 1, 0, 1] {
            let report = try await folders.synchronize(number)
            #expect(report.steps == 0 && report.waiting.isEmpty)
            #expect(try await !folders.pull(number, from: 1 - number))
        }
        #expect(try await folders.replicas[1].announcement(since: nil) == before)
    }

    @Test("the process ends between hearing of a deletion and making it")
    func interruptedBeforeDeletion() async throws {
        let folders = try await withFiles()
        try folders.remove(0, "x/a")
        try await folders.synchronize(0)
        try await folders.pull(1, from: 0)
        try await folders.replicas[1].close()
        let again = try await SyncFolders.open(folders.path, 1)
        let report = try await again.synchronize(from: folders.replicas[0])
        #expect(report.steps == 1 && report.newEpoch == nil)
        #expect(try folders.common() == ["x/", "y/", "y/b=2"])
        #expect(try await again.history(of: "x/a").count == 1)
    }

    @Test("the process ends between making a deletion and noting it")
    func interruptedAfterDeletion() async throws {
        let folders = try await withFiles()
        try folders.remove(0, "x/a")
        try await folders.synchronize(0)
        try await folders.pull(1, from: 0)
        folders.move(1, "x/a", to: "\(ControlFolder.name)/staging/old-1")
        try await folders.settle()
        #expect(try folders.common() == ["x/", "y/", "y/b=2"])
        #expect(try await folders.replicas[1].history().map(\.reason) == [.found])
        try await folders.checkAll()
    }

    @Test("the process ends between making a file and noting it")
    func interruptedAfterPlacing() async throws {
        let folders = try await withFiles()
        try folders.makeFolder(0, "z")
        try folders.write(0, "z/c", "3")
        try await folders.synchronize(0)
        try await folders.pull(1, from: 0)
        try folders.makeFolder(1, "z")
        try folders.write(1, "z/c", "3")
        folders.setTime(1, "z/c", try folders.time(0, "z/c"))
        let reports = try await folders.settle()
        #expect(try folders.common() == ["x/", "x/a=1", "y/", "y/b=2", "z/", "z/c=3"])
        #expect(reports.allSatisfy { $0.steps == 0 && $0.fetched == 0 }, "it is taken for what the step has made")
        try await folders.checkAll()
    }
}
