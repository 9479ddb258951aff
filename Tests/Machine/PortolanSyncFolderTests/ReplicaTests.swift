import Foundation
import PortolanSyncPlan
import PortolanValues
import Testing

@testable import PortolanSyncFolder

/// Folders of several devices, on real disks.
@Suite struct ReplicaTests {
    @Test("files, folders and links go to the others as they are")
    func newFiles() async throws {
        let folders = try await SyncFolders(2)
        try folders.makeFolder(0, "x/y")
        try folders.write(0, "a", "1")
        try folders.write(0, "x/y/b", "2")
        #expect(symlink("x/y/b", folders(0, "link")) == 0)
        #expect(chmod(folders(0, "a"), 0o750) == 0)
        var times = [timeval(tv_sec: 0, tv_usec: 0), timeval(tv_sec: 1_000_000_000, tv_usec: 0)]
        #expect(utimes(folders(0, "a"), &times) == 0)
        try await folders.settle()
        #expect(try folders.common() == ["a=1", "link->x/y/b", "x/", "x/y/", "x/y/b=2"])
        var status = stat()
        #expect(stat(folders(1, "a"), &status) == 0)
        #expect(status.st_mode & 0o777 == 0o750 && status.st_mtim.tv_sec == 1_000_000_000)
    }

    @Test("an edit goes to the others, and the replaced version to their history")
    func edit() async throws {
        let folders = try await SyncFolders(2)
        try folders.write(0, "a", "1")
        try await folders.settle()
        try folders.write(1, "a", "two")
        try await folders.settle()
        #expect(try folders.common() == ["a=two"])
        let record = try #require(try await folders.replicas[0].history(of: "a").first)
        #expect(record.reason == .replaced && record.size == 1 && record.kind == .file)
        #expect(folders.text(0, "\(ControlFolder.name)/history/\(record.file)") == "1")
        #expect(try await folders.replicas[1].history().isEmpty, "who edited has nothing that was replaced")
    }

    @Test("a rename fetches no content")
    func renaming() async throws {
        let folders = try await SyncFolders(2)
        try folders.makeFolder(0, "x")
        try folders.write(0, "x/a", "1")
        try folders.write(0, "b", "2")
        try await folders.settle()
        folders.move(0, "x", to: "y")
        folders.move(0, "b", to: "y/c")
        let reports = try await folders.settle()
        #expect(try folders.common() == ["y/", "y/a=1", "y/c=2"])
        #expect(reports.allSatisfy { $0.fetched == 0 && $0.copied == 0 })
        #expect(try await folders.replicas[1].history().isEmpty)
    }

    @Test("a copy of a file that is there fetches no content")
    func copying() async throws {
        let folders = try await SyncFolders(2)
        try folders.write(0, "a", "1")
        try await folders.settle()
        try folders.write(0, "b", "1")
        let reports = try await folders.settle()
        #expect(try folders.common() == ["a=1", "b=1"])
        #expect(reports.allSatisfy { $0.fetched == 0 } && reports.contains { $0.copied == 1 })
    }

    @Test("a deletion goes to the others, whose history keeps the file")
    func deletion() async throws {
        let folders = try await SyncFolders(3)
        try folders.makeFolder(0, "x")
        try folders.write(0, "x/a", "1")
        try folders.write(0, "b", "2")
        try await folders.settle()
        try folders.remove(0, "x")
        try await folders.settle()
        #expect(try folders.common() == ["b=2"])
        let record = try #require(try await folders.replicas[2].history(of: "x/a").first)
        #expect(record.reason == .deleted)
        #expect(folders.text(2, "\(ControlFolder.name)/history/\(record.file)") == "1")
    }

    @Test("both edit while apart: both versions stay on both")
    func conflict() async throws {
        let folders = try await SyncFolders(2)
        try folders.write(0, "a.txt", "1")
        try await folders.settle()
        try folders.write(0, "a.txt", "two")
        try folders.write(1, "a.txt", "three")
        try await folders.settle()
        let files = try folders.common()
        #expect(files.count == 2 && files.contains { $0.hasPrefix("a *.txt=") })
        #expect(Set(files.map { $0.split(separator: "=")[1] }) == ["two", "three"])
    }

    @Test("an edit beats a deletion")
    func editAgainstDeletion() async throws {
        let folders = try await SyncFolders(2)
        try folders.makeFolder(0, "x")
        try folders.write(0, "x/a", "1")
        try folders.write(0, "x/b", "1")
        try await folders.settle()
        try folders.remove(0, "x")
        try folders.write(1, "x/a", "two")
        try await folders.settle()
        #expect(try folders.common() == ["x/", "x/a=two"])
    }

    @Test("a file becomes a folder, and a folder a file")
    func kinds() async throws {
        let folders = try await SyncFolders(2)
        try folders.write(0, "a", "1")
        try folders.makeFolder(0, "x")
        try folders.write(0, "x/b", "2")
        try await folders.settle()
        try folders.remove(0, "a")
        try folders.makeFolder(0, "a")
        try folders.write(0, "a/c", "3")
        try folders.remove(0, "x")
        try folders.write(0, "x", "4")
        try await folders.settle()
        #expect(try folders.common() == ["a/", "a/c=3", "x=4"])
    }

    @Test("names change places")
    func exchange() async throws {
        let folders = try await SyncFolders(2)
        try folders.write(0, "a", "1")
        try folders.write(0, "b", "2")
        try await folders.settle()
        folders.move(0, "a", to: "c")
        folders.move(0, "b", to: "a")
        folders.move(0, "c", to: "b")
        let reports = try await folders.settle()
        #expect(try folders.common() == ["a=2", "b=1"])
        #expect(reports.allSatisfy { $0.fetched == 0 })
    }

    @Test("an ignored file stays where it is, also in a folder that is deleted elsewhere")
    func ignored() async throws {
        let folders = try await SyncFolders(2)
        try folders.write(0, IgnoreRules.fileName, "*.o\n")
        try folders.makeFolder(0, "x")
        try folders.write(0, "x/a", "1")
        try folders.write(0, "x/a.o", "2")
        try await folders.settle()
        #expect(folders.text(1, "x/a") == "1" && folders.text(1, "x/a.o") == nil)
        try folders.remove(1, "x")
        let reports = try await folders.settle()
        #expect(folders.text(0, "x/a.o") == "2" && folders.text(0, "x/a") == nil)
        #expect(reports.last?.waiting.isEmpty ?? false, "the last one is that of the device without the folder")
        let waiting = try await folders.synchronize(0).waiting
        #expect(waiting.contains { if case .folderInUse = $0 { true } else { false } })
    }

    @Test("a file that is kept alike remains so under names that are ignored, also after it was out of the way")
    func ignoredLater() async throws {
        let folders = try await SyncFolders(2)
        try folders.write(0, "a", "1")
        try folders.write(0, "b", "2")
        try await folders.settle()
        try folders.write(0, IgnoreRules.fileName, "a\nb\n")
        folders.move(0, "a", to: "c")
        folders.move(0, "b", to: "a")
        folders.move(0, "c", to: "b")
        try await folders.settle()
        try folders.write(1, "a", "edited")
        try await folders.settle()
        #expect(try folders.common() == ["\(IgnoreRules.fileName)=a\nb\n", "a=edited", "b=1"])
    }

    @Test("a name that another file has that is not kept alike is not taken, and the file is not touched")
    func inTheWay() async throws {
        let folders = try await SyncFolders(2)
        #expect(mkfifo(folders(1, "a"), 0o600) == 0)
        try folders.write(0, "a", "1")
        try await folders.settle()
        let report = try await folders.synchronize(1)
        #expect(report.waiting == [.inTheWay(SyncName("a"))])
        #expect(report.skipped == [SkippedFile(path: DisplayText("a"), reason: .special, place: [SyncName("a")])])
        #expect(try folders.listing(0) == ["a=1"], "nothing counts as deleted")
    }

    @Test("a pipe in the place of a folder keeps no other change of kind from happening")
    func inTheWayOfAFolder() async throws {
        let folders = try await SyncFolders(2)
        try folders.makeFolder(0, "x")
        try folders.write(0, "x/a", "1")
        try await folders.settle()
        #expect(mkfifo(folders(1, "p"), 0o600) == 0)
        try folders.makeFolder(0, "p")
        folders.move(0, "x/a", to: "spare")
        try folders.remove(0, "x")
        folders.move(0, "spare", to: "x")
        try await folders.synchronize(0)
        try await folders.pull(1, from: 0)
        let report = try await folders.synchronize(1)
        #expect(report.waiting == [.inTheWay(SyncName("p"))] && folders.text(1, "x") == "1")
    }
}
