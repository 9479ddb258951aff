import Foundation
import PortolanFiles
import PortolanSyncPlan
import PortolanValues
import Synchronization
import Testing

@testable import PortolanSyncFolder

@Suite final class ScanTests {
    private let path: String
    private let index: FolderIndex
    private let opened: OpenFolder
    private let disk = WatchedStorage()

    init() throws {
        var template = Array("/tmp/portolan-scan-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { fatalError("no temporary folder") }
        path = String(cString: made)
        #expect(mkdir("\(path)/folder", 0o755) == 0)
        index = try FolderIndex(path: "\(path)/index.sqlite", author: "A")
        let opener = FolderOpener(path: "\(path)/folder", device: DeviceID(1), index: index, storage: disk)
        guard case .open(let opened, .firstStart?) = try opener.open() else { fatalError("a new folder halts") }
        self.opened = opened
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    private func callAsFunction(_ name: String) -> String { "\(path)/folder/\(name)" }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: self(name)))
    }

    private func makeFolder(_ name: String) { #expect(mkdir(self(name), 0o755) == 0) }

    /// Scans, and stores the result in the index.
    private func scan(now: FileTime = .later, tellsAll: Bool = true) throws -> ScanResult {
        var scan = FolderScan(opened.root, opened.control, index, tellsAll: tellsAll, now: { now })
        let result = try scan.run()
        try index.transact { index in
            for (place, file) in result.updates { index.remember(file, at: place) }
            for place in result.gone { index.forget(place) }
            for folder in result.goneFolders { index.forgetFiles(in: folder) }
        }
        return result
    }

    private func names(_ result: ScanResult) -> [String] { result.observation.found.map(\.name.text) }

    @Test("files, folders and links are found in order, a folder before its entries, and links are not followed")
    func order() throws {
        makeFolder("b")
        try write("b/x", "1")
        try write("a", "2")
        try write("c", "3")
        #expect(symlink("b", self("d")) == 0)
        let result = try scan()
        #expect(names(result) == ["a", "b", "x", "c", "d"])
        #expect(result.observation.found.map(\.kind) == [.file, .folder, .file, .file, .link])
        #expect(result.observation.isComplete && result.isChanged && result.skipped.isEmpty && !result.isRacy)
        let folder = try #require(result.observation.found.first { $0.name == SyncName("b") })
        #expect(result.observation.found.first { $0.name == SyncName("x") }?.parent == folder.handle)
        let again = try scan()
        #expect(!again.isChanged && again.updates.isEmpty && again.observation.found == result.observation.found)
    }

    @Test("a change since the last scan is seen, and nothing else is read")
    func changes() throws {
        try write("a", "1")
        try write("b", "2")
        makeFolder("x")
        try write("x/c", "3")
        _ = try scan()
        try write("a", "one")
        #expect(unlink(self("b")) == 0)
        #expect(rename(self("x"), self("y")) == 0)
        let result = try scan()
        #expect(result.isChanged && names(result) == ["a", "y", "c"])
        #expect(result.updates.map(\.place.name.text) == ["a", "y"], "what is in a renamed folder is known")
        #expect(Set(result.gone.map(\.name.text)) == ["b", "x"])
        #expect(try !scan().isChanged)
        #expect(chmod(self("a"), 0o600) == 0)
        #expect(try scan().isChanged, "permissions are kept alike")
    }

    @Test("a file that has just been changed is read again, although the system says the same of it")
    func racy() throws {
        try write("a", "1")
        var status = stat()
        #expect(stat(self("a"), &status) == 0)
        let time = try FileTime(seconds: Int64(status.st_ctim.tv_sec), nanoseconds: 0)
        let first = try scan(now: time)
        #expect(first.isRacy && first.updates.first?.file.isRacy ?? false)
        let second = try scan(now: try FileTime(seconds: time.seconds + 3, nanoseconds: 0))
        #expect(!second.isRacy && !second.isChanged && second.updates.count == 1, "it is known to be at rest")
        #expect(try scan().updates.isEmpty)
    }

    @Test("pipes and names that cannot be told to peers are left out and listed")
    func skipped() throws {
        #expect(mkfifo(self("pipe"), 0o600) == 0)
        try write("a\nb", "1")
        try write("c", "2")
        let result = try scan()
        #expect(names(result) == ["c"] && result.observation.isComplete)
        #expect(Set(result.skipped.map(\.reason)) == [.special, .name])
    }

    @Test("a known folder that cannot be read makes the scan incomplete, an unknown one does not")
    func unreadableFolder() throws {
        makeFolder("x")
        try write("x/a", "1")
        _ = try scan()
        makeFolder("y")
        disk.refuse(["x", "y"])
        let result = try scan()
        #expect(!result.observation.isComplete && Set(result.skipped.map(\.path.text)) == ["x", "y"])
        disk.refuse(["y"])
        #expect(try scan().observation.isComplete)
    }

    @Test("a file that cannot be read is there all the same")
    func unreadableFile() throws {
        try write("known", "1")
        _ = try scan()
        try write("known", "two")
        try write("new", "3")
        disk.refuse(["known", "new"])
        let hidden = try scan()
        #expect(hidden.observation.isComplete && names(hidden) == ["known"] && hidden.gone.isEmpty)
        #expect(hidden.skipped.count == 2 && !hidden.isChanged)
        disk.refuse([])
        let result = try scan()
        #expect(result.isChanged && names(result) == ["known", "new"])
    }

    @Test("an ignored entry is left out, unless it is kept alike already")
    func ignored() throws {
        makeFolder("build")
        try write("build/old", "1")
        try write("a.o", "2")
        _ = try scan()
        try write(IgnoreRules.fileName, "*.o\nbuild/\n")
        try write("b.o", "3")
        try write("build/new", "4")
        let result = try scan()
        #expect(names(result) == [IgnoreRules.fileName, "a.o", "build", "old"])
        #expect(result.observation.isComplete && result.gone.isEmpty)
    }

    @Test("the marker tells an index that is missing, old or foreign")
    func marker() throws {
        let opener = FolderOpener(
            path: "\(path)/folder", device: DeviceID(1), index: index, storage: KernelStorage())
        func reason() throws -> ReplicaStart.Reason?? {
            guard case .open(_, let reason) = try opener.open() else { return nil }
            return .some(reason)
        }
        let epoch = try #require(try index.identity()).marker.epoch
        #expect(try reason() == .some(nil))
        try opened.control.write(Marker(epoch: epoch, generation: 1))
        #expect(try reason() == .databaseOld)
        try opened.control.write(Marker(epoch: 1, generation: 0))
        #expect(try reason() == .databaseForeign)
        #expect(unlink("\(self(ControlFolder.name))/marker") == 0)
        #expect(try reason() == .databaseForeign)
        let foreign = FolderOpener(
            path: "\(path)/folder", device: DeviceID(2), index: index, storage: KernelStorage())
        guard case .open(_, .databaseMissing?) = try foreign.open() else {
            Issue.record("The index of another device was taken.")
            return
        }
    }

    @Test("a crash between the two places of the generation is mended")
    func interruptedGeneration() throws {
        try index.transact { $0.generation = 1 }
        let opener = FolderOpener(
            path: "\(path)/folder", device: DeviceID(1), index: index, storage: KernelStorage())
        guard case .open(let folder, nil) = try opener.open() else {
            Issue.record("A new epoch began.")
            return
        }
        #expect(try ControlFolder.marker(in: folder.root, KernelStorage())?.generation == 1)
    }
}

extension FileTime {
    /// In the year 2100, later than every change of a test, so that no time is ambiguous.
    fileprivate static var later: FileTime {
        guard let time = try? FileTime(seconds: 4_102_444_800, nanoseconds: 0) else { fatalError("no such time") }
        return time
    }
}
