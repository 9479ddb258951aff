import Foundation
import Glibc
import PortolanFiles
import PortolanSyncPlan
import Synchronization
import Testing

@testable import PortolanSyncFolder

/// Files that are being written while their folder is scanned.
@Suite struct UnsettledTests {
    // MARK: The decision

    private static let start: Int64 = 1_000_000

    private func at(_ seconds: Int64) throws -> FileTime { try FileTime(seconds: Self.start + seconds, nanoseconds: 0) }

    private func stamp(size: UInt64, changed seconds: Int64) throws -> FileStatusStamp {
        var stamp = try #require(FileStatusStamp(try KernelStorage().status(ofPath: "/")))
        (stamp.kind, stamp.inode, stamp.size) = (.file, 40, size)
        stamp.modified = try at(seconds)
        stamp.changed = stamp.modified
        return stamp
    }

    private let handle = FileHandleID(40)

    @Test(
        "a closed file is announced at once, an open one when it is quiet for as long as its writing took"
    )
    func quiet() throws {
        var files = UnsettledFiles()
        func mayAnnounce(_ size: UInt64, changed: Int64, _ isWritten: Bool?, at time: Int64) throws -> Bool {
            files.mayAnnounce(
                handle, try stamp(size: size, changed: changed), isWritten: isWritten, known: nil, in: [],
                at: try at(time))
        }
        #expect(try mayAnnounce(1, changed: 0, false, at: 0))
        #expect(try !mayAnnounce(1, changed: 0, true, at: 0))
        #expect(try !mayAnnounce(5, changed: 5, true, at: 5))
        #expect(try !mayAnnounce(5, changed: 5, true, at: 9), "it was written for five seconds")
        #expect(files.next(at: try at(9))?.folders == [[]])
        #expect(try mayAnnounce(5, changed: 5, true, at: 10))
        #expect(files.next(at: try at(10)) == nil)
        var others = UnsettledFiles()
        let fresh = try stamp(size: 1, changed: 0)
        #expect(try !others.mayAnnounce(handle, fresh, isWritten: nil, known: nil, in: [], at: at(1)))
        #expect(try others.mayAnnounce(handle, fresh, isWritten: nil, known: nil, in: [], at: at(2)), "no leases")
    }

    @Test("a new file that is written for five minutes is not announced before it is closed")
    func download() throws {
        var files = UnsettledFiles()
        for second in 0..<Int64(300) {
            let stamp = try stamp(size: UInt64(second), changed: second)
            #expect(try !files.mayAnnounce(handle, stamp, isWritten: true, known: nil, in: [], at: at(second)))
        }
        let whole = try stamp(size: 300, changed: 300)
        #expect(try files.mayAnnounce(handle, whole, isWritten: false, known: nil, in: [], at: at(300)))
    }

    @Test("a log that grows all the time is announced at intervals that double, until it comes to rest")
    func log() throws {
        var files = UnsettledFiles()
        var known = try stamp(size: 100, changed: -100)
        var times: [Int64] = []
        for second in 0..<Int64(100) {
            let stamp = try stamp(size: 100 + UInt64(second) + 1, changed: second)
            guard try files.mayAnnounce(handle, stamp, isWritten: true, known: known, in: [], at: at(second)) else {
                continue
            }
            times.append(second)
            known = stamp
        }
        #expect(times == [2, 6, 14, 30, 62])
        let last = try stamp(size: 300, changed: 110)
        #expect(try !files.mayAnnounce(handle, last, isWritten: true, known: known, in: [], at: at(110)))
        #expect(try files.mayAnnounce(handle, last, isWritten: true, known: known, in: [], at: at(120)))
    }

    @Test("a file that was made shorter is no log, and one that is gone is forgotten")
    func rewritten() throws {
        var files = UnsettledFiles()
        let known = try stamp(size: 100, changed: -100)
        for second in 0..<Int64(60) {
            let stamp = try stamp(size: UInt64(second) * 10, changed: second)
            #expect(try !files.mayAnnounce(handle, stamp, isWritten: true, known: known, in: [], at: at(second)))
        }
        #expect(files.dueFolders(at: try at(80)) == [[]])
        files.prune(begun: try at(80), at: try at(80))
        #expect(files.next(at: try at(80)) == nil)
    }

    // MARK: On the disk

    /// A folder whose replica has a clock that is set by hand. Files change later than it says, which counts as now.
    private final class Place: Sendable {
        let folders: SyncFolders
        let disk = WatchedStorage()
        let replica: FolderReplica
        init() async throws {
            folders = try await SyncFolders(0)
            try folders.makeFolder(0, "")
            let time = Box(try FileTime(seconds: FileTime.now.seconds - 100, nanoseconds: 0))
            self.time = time
            replica = try await FolderReplica.open(
                folder: folders(0), index: "\(folders.path)/0.sqlite", device: SyncFolders.device(0), author: "A",
                seals: SyncFolders.seals(0),
                settings: .unguarded, storage: disk, now: { time.value.withLock { $0 } })
        }

        private final class Box: Sendable {
            let value: Mutex<FileTime>
            init(_ time: FileTime) { value = Mutex(time) }
        }

        private let time: Box

        func pass(_ seconds: Int64) throws {
            try time.value.withLock { $0 = try FileTime(seconds: $0.seconds + seconds, nanoseconds: 0) }
        }

        @discardableResult
        func look() async throws -> SyncReport { try await replica.synchronize(from: replica) }

        /// Names and sizes of the files that are announced.
        func announced() throws -> [String: UInt64] {
            try replica.index.transact { index in
                var found: [String: UInt64] = [:]
                for entry in index.allEntries.compactMap({ index.entry($0) }) {
                    let record = entry.seen.first.flatMap { index.record($0.node) }
                    if let size = record?.contents.first?.value.size { found[entry.name.text] = size }
                }
                return found
            }
        }
    }

    /// A file that is open for writing.
    private struct Writer: ~Copyable {
        let file: CInt

        init(_ path: String) {
            file = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
            #expect(file >= 0)
        }

        func append(_ text: String) { #expect(Glibc.write(file, text, text.utf8.count) == text.utf8.count) }

        deinit { close(file) }
    }

    @Test("a file that is open for writing is not there yet, and a known one is as it was", arguments: [true, false])
    func open(tellsWriters: Bool) async throws {
        let place = try await Place()
        place.disk.tellWriters(tellsWriters)
        try place.folders.write(0, "known", "12")
        try await place.look()
        try place.pass(20)
        try await place.look()
        #expect(try place.announced() == ["known": 2])
        do {
            let new = Writer(place.folders(0, "new"))
            let old = Writer(place.folders(0, "known"))
            new.append("1")
            old.append("3")
            let report = try await place.look()
            #expect(try place.announced() == ["known": 2])
            #expect(report.nextLook != nil && report.skipped.allSatisfy { $0.reason == .busy })
            try place.folders.write(0, "other", "1234")
            if tellsWriters {
                try await place.look()
                #expect(try place.announced() == ["known": 2, "other": 4], "others are not held up")
            }
            new.append("2")
        }
        // Both are closed: without leases they must be quiet, too.
        if !tellsWriters {
            try await place.look()
            try place.pass(20)
        }
        let last = try await place.look()
        #expect(try place.announced() == ["known": 3, "new": 2, "other": 4])
        #expect(last.nextLook == nil && last.skipped.isEmpty)
    }

    @Test("a known file that is renamed while it is open is not deleted")
    func renamed() async throws {
        let place = try await Place()
        try place.folders.write(0, "log", "1")
        try await place.look()
        do {
            let log = Writer(place.folders(0, "log"))
            log.append("2")
            place.folders.move(0, "log", to: "log.1")
            try await place.look()
            #expect(try place.replica.index.transact { $0.tombstones.isEmpty })
        }
        try await place.look()
        #expect(try place.announced() == ["log.1": 2])
        #expect(try place.replica.index.transact { $0.tombstones.isEmpty })
    }

    @Test("a log and a file that is written in steps do not hold each other up")
    func sideBySide() async throws {
        let place = try await Place()
        try place.folders.write(0, "log", "1")
        try await place.look()
        let log = Writer(place.folders(0, "log"))
        do {
            let steps = Writer(place.folders(0, "steps"))
            for _ in 0..<20 {
                log.append("2")
                steps.append("3")
                try await place.look()
                #expect(try place.announced()["steps"] == nil)
            }
        }
        log.append("2")
        try await place.look()
        #expect(try place.announced() == ["log": 1, "steps": 20])
    }
}
