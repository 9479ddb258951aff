import Foundation
import Glibc
import PortolanFiles
import PortolanSyncFolder
import Synchronization
import TestSupport
import Testing

/// A folder whose watch reports changes in it.
struct WatchTests {
    /// Runs `body` with a watch on a new folder, and ends the watch afterwards.
    private func watching(
        calls: WatchCalls = WatchCalls(), fill: (URL) throws -> Void = { _ in },
        _ body: (URL, inout AsyncStream<FolderChanges>.Iterator) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("watch-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try fill(folder)
        let (signals, signal) = AsyncStream.makeStream(of: FolderChanges.self)
        let watch = Task {
            let ending = await FolderWatch.run(
                folder.path, calls: calls, ready: { signal.yield(.whole) }, changed: { signal.yield($0) })
            signal.finish()
            return ending
        }
        defer { watch.cancel() }
        var changes = signals.makeAsyncIterator()
        _ = await changes.next()
        try await body(folder, &changes)
    }

    private func write(_ text: String, to file: URL) throws { try Data(text.utf8).write(to: file) }

    private func makeFolder(_ folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    @Test func changesAreReported() async throws {
        try await watching(fill: { try makeFolder($0.appendingPathComponent("a/b")) }) { folder, changes in
            try write("x", to: folder.appendingPathComponent("a/b/file"))
            #expect(await changes.next() == FolderChanges([["a", "b"]]))
            try FileManager.default.removeItem(at: folder.appendingPathComponent("a/b/file"))
            #expect(await changes.next() != nil)
        }
    }

    @Test func quicklyFilledFolderIsWatchedCompletely() async throws {
        try await watching { folder, changes in
            try makeFolder(folder.appendingPathComponent("a/b/c/d"))
            #expect(await changes.next() != nil)
            try write("x", to: folder.appendingPathComponent("a/b/c/d/file"))
            #expect(await changes.next() != nil)
        }
    }

    @Test func aFolderIsWatchedUnderItsNewName() async throws {
        try await watching(fill: { try makeFolder($0.appendingPathComponent("a/b")) }) { folder, changes in
            try FileManager.default.moveItem(
                at: folder.appendingPathComponent("a"), to: folder.appendingPathComponent("z"))
            #expect(await changes.next() != nil)
            try makeFolder(folder.appendingPathComponent("z/b/new"))
            #expect(await changes.next() != nil)
            try write("x", to: folder.appendingPathComponent("z/b/new/file"))
            #expect(await changes.next() == FolderChanges([["z", "b", "new"]]))
        }
    }

    /// Returns the outcome of a watch that cannot continue.
    private func ending(
        _ calls: WatchCalls, path: String? = nil, ready: @escaping @Sendable (URL) -> Void = { _ in }
    ) async throws -> WatchEnd {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("watch-\(UUID())")
        try makeFolder(folder.appendingPathComponent("below"))
        defer { try? FileManager.default.removeItem(at: folder) }
        return await FolderWatch.run(path ?? folder.path, calls: calls, ready: { ready(folder) }, changed: { _ in })
    }

    @Test func tooManyFoldersEndTheWatch() async throws {
        var calls = WatchCalls()
        let count = Atomic(0)
        let add = calls.add
        calls.add = { (queue, path, events) throws(SystemFailure) in
            guard count.add(1, ordering: .relaxed).newValue == 1 else { throw SystemFailure(ENOSPC) }
            return try add(queue, path, events)
        }
        let ending = try await ending(calls)
        guard case .failed(let reason) = ending else {
            Issue.record("\(ending)")
            return
        }
        #expect(reason.contains("max_user_watches"))
    }

    @Test func lostEventsEndTheWatch() async throws {
        var calls = WatchCalls()
        calls.read = { _, buffer in
            buffer.storeBytes(of: CInt(-1), as: CInt.self)
            buffer.storeBytes(of: UInt32(IN_Q_OVERFLOW), toByteOffset: 4, as: UInt32.self)
            buffer.storeBytes(of: UInt32(0), toByteOffset: 12, as: UInt32.self)
            return 16
        }
        let ending = try await ending(calls) { folder in
            _ = FileManager.default.createFile(atPath: folder.appendingPathComponent("file").path, contents: nil)
        }
        guard case .failed = ending else {
            Issue.record("\(ending)")
            return
        }
    }

    @Test func removedFolderEndsTheWatch() async throws {
        #expect(try await ending(WatchCalls(), path: "/nowhere/at all") == .gone)
        let ending = try await ending(WatchCalls()) { folder in
            rename(folder.path, folder.path + "-moved")
            try? FileManager.default.removeItem(atPath: folder.path + "-moved")
        }
        #expect(ending == .gone)
    }
}
