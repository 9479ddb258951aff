import Foundation
import Glibc
import Testing

@testable import PortolanTrust

@Suite struct PrivateDirectoryTests {
    let temporary: TemporaryHome
    var path: String { temporary.path + "/private" }

    init() throws { temporary = try TemporaryHome() }

    @Test func aQuestionMakesNoDirectory() throws {
        let isThere = try PrivateDirectory(existing: path) != nil
        #expect(!isThere)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func aQuestionIsAsStrictAsAnyOtherUse() throws {
        mkdir(path, 0o700)
        chmod(path, 0o750)
        let error = try #require(throws: StoreError.self) { _ = try PrivateDirectory(existing: path) }
        #expect(error.kind == .tooOpen(mode: 0o750))
        rmdir(path)
        try temporary.write([], to: path)
        #expect(throws: StoreError.self) { _ = try PrivateDirectory(existing: path) }
    }

    @Test func removedFilesAreGone() throws {
        let directory = try PrivateDirectory(path: path)
        _ = try directory.create("b", [1])
        _ = try directory.create("a", [2])
        #expect(try directory.names() == ["a", "b"])
        #expect(try directory.remove("a"))
        #expect(try !directory.remove("a"))
        #expect(try directory.names() == ["b"])
    }

    @Test("an existing file stays on a file system without hard links, and of two that race one wins")
    func withoutLinks() throws {
        let directory = try PrivateDirectory(path: path)
        for (name, bytes) in [(".a.1", [UInt8(1)]), (".a.2", [2])] { try temporary.write(bytes, to: path + "/" + name) }
        #expect(try directory.createWithoutLink("a", from: ".a.1"))
        #expect(try !directory.createWithoutLink("a", from: ".a.2"))
        #expect(symlink("/nowhere", path + "/b") == 0)
        #expect(try !directory.createWithoutLink("b", from: ".a.2"))
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: path + "/a"))) == [1])
        #expect(throws: StoreError.self) { try directory.createWithoutLink("c", from: ".a.3") }
        // The temporary file is not one of the user's files.
        #expect(try directory.names() == ["a", "b"])
    }

    @Test func onlyOwnLeftoversAreRemoved() throws {
        let directory = try PrivateDirectory(path: path)
        let others = [".hidden", ".other.1x2y3z", "kept", ".kept", "..kept"]
        for name in others + [".kept.1x2y3z", ".kept.0"] { try temporary.write([7], to: path + "/" + name) }
        try directory.removeLeftovers { $0 == "kept" }
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: path)) == Set(others))
    }

    @Test func everyChangeAltersTheStamp() throws {
        let directory = try PrivateDirectory(path: path)
        #expect(try directory.stamp(of: "file") == nil)
        _ = try directory.create("file", [1])
        var last = try #require(try directory.stamp(of: "file"))
        // A change of the size, the inode, the time or the mode is noticed.
        let changes: [() throws -> Void] = [
            { try temporary.write([1, 2], to: path + "/file") },
            { try PrivateDirectory(path: path).replace("file", with: [3, 4]) },
            {
                usleep(50_000)
                chmod(path + "/file", 0o640)
            },
        ]
        for change in changes {
            try change()
            let next = try #require(try directory.stamp(of: "file"))
            #expect(next != last)
            last = next
        }
        usleep(150_000)
        #expect(try directory.stamp(of: "file") == last)
        #expect(try directory.stamp(of: "file")?.isSettled == true)
    }

    /// The stamp of a file that was changed at `changed` and looked at at `seen`, in milliseconds.
    private func stamp(changed: Int, seen: Int, inode: UInt = 1) -> CachedFileStamp {
        var status = stat()
        status.st_ino = inode
        status.st_ctim = timespec(tv_sec: changed / 1000, tv_nsec: changed % 1000 * 1_000_000)
        return CachedFileStamp(status, before: Int64(seen) * 1_000_000, after: Int64(seen) * 1_000_000)
    }

    @Test func aStampIsSureOnlyWhenTheNextChangeCannotHaveTheSame() {
        #expect(!stamp(changed: 5000, seen: 5000).isSettled)
        #expect(!stamp(changed: 5000, seen: 5090).isSettled)
        #expect(stamp(changed: 5000, seen: 5110).isSettled)
        // The clock was set back since.
        #expect(stamp(changed: 5000, seen: 1000).isSettled)
        #expect(stamp(changed: 5000, seen: 5000) == stamp(changed: 5000, seen: 9000))
        #expect(stamp(changed: 5000, seen: 9000) != stamp(changed: 5001, seen: 9000))
    }

    @Test func valueIsCachedOnceTheStampIsSettled() throws {
        var cache = CachedFile<Int>()
        var reads = 0
        func value(_ stamp: CachedFileStamp) throws(StoreError) -> Int {
            try cache.value(for: stamp) {
                reads += 1
                return reads
            }
        }
        #expect(try value(stamp(changed: 5000, seen: 5001)) == 1)
        #expect(try value(stamp(changed: 5000, seen: 5002)) == 2)
        // The file was cached with a stamp that was not certain then, so the file is read once more.
        #expect(try value(stamp(changed: 5000, seen: 6000)) == 3)
        #expect(try value(stamp(changed: 5000, seen: 7000)) == 3)
        #expect(try value(stamp(changed: 5000, seen: 7000, inode: 2)) == 4)
    }

    @Test func failedReadIsNotCached() throws {
        let failure = StoreError(.busy, path: path)
        var cache = CachedFile<Int>()
        #expect(try cache.value(for: nil) { 1 } == 1)
        #expect(try cache.value(for: nil) { 2 } == 1)
        let directory = try PrivateDirectory(path: path)
        _ = try directory.create("file", [1])
        let stamp = try directory.stamp(of: "file")
        #expect(throws: failure) { try cache.value(for: stamp) { () throws(StoreError) in throw failure } }
        #expect(throws: failure) { try cache.value(for: nil) { () throws(StoreError) in throw failure } }
        #expect(try cache.value(for: nil) { 3 } == 3)
    }
}
