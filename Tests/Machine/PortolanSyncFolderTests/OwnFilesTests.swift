import Foundation
import Glibc
import PortolanFiles
import PortolanSyncPlan
import PortolanValues
import Synchronization
import Testing

@testable import PortolanSyncFolder

/// A shared folder with files of the program itself.
@Suite struct OwnFilesTests {
    /// Makes a home of the program in the folder of device 0, which the program knows by a link.
    private func makeHome(_ folders: SyncFolders) throws -> OwnFiles {
        try folders.makeFolder(0, "dots/portolan/teams")
        try folders.write(0, "dots/portolan/device.key", "secret")
        try folders.write(0, "dots/profile", "text")
        #expect(link(folders(0, "dots/portolan/device.key"), folders(0, "key")) == 0)
        let path = "\(folders.path)/home"
        #expect(symlink(folders(0, "dots/portolan"), path) == 0)
        return OwnFiles([path], lent: [])
    }

    private func names(_ replica: FolderReplica) throws -> [String] {
        try replica.index.transact { index in
            index.allEntries.compactMap { index.path(of: $0)?.map(\.text).joined(separator: "/") }.sorted()
        }
    }

    @Test("own files in the folder, and other names of them, are not synchronized, and are named")
    func leftOut() async throws {
        let folders = try await SyncFolders(1)
        try await folders.restart(0, without: try makeHome(folders))
        let report = try await folders.synchronize(0)
        #expect(try names(folders.replicas[0]) == ["dots", "dots/profile"])
        #expect(Set(report.skipped.filter { $0.reason == .own }.map(\.path.text)) == ["dots/portolan", "key"])
        #expect(try await folders.replicas[0].check().findings.isEmpty)
        // Writes of the program are no change; other writes beside them are.
        try folders.write(0, "dots/portolan/teams/new", "more")
        try folders.remove(0, "dots/profile")
        try await folders.synchronize(0)
        #expect(try names(folders.replicas[0]) == ["dots"])
    }

    @Test("own files that were synchronized before count as unchanged, and are neither served nor changed")
    func known() async throws {
        let folders = try await SyncFolders(2)
        let own = try makeHome(folders)
        try folders.makeFolder(0, "plain")
        try await folders.settle()
        #expect(folders.text(1, "dots/portolan/device.key") == "secret")
        let all = try names(folders.replicas[0])
        try await folders.restart(0, without: own)
        try folders.remove(0, "plain")
        try await folders.synchronize(0)
        #expect(try names(folders.replicas[0]) == all.filter { $0 != "plain" })
        #expect(try await folders.replicas[0].check().findings.isEmpty)
        let digest = FileLook.digest(Array("secret".utf8))
        #expect(try await folders.replicas[0].content(digest) == nil)
        // The other device writes into them, moves the folder around them, and deletes them.
        try folders.write(1, "dots/portolan/device.key", "theirs")
        try folders.write(1, "dots/portolan/new", "theirs")
        folders.move(1, "dots", to: "moved")
        try await folders.settle()
        try folders.remove(1, "moved/portolan")
        try await folders.settle()
        #expect(folders.text(0, "dots/portolan/device.key") == "secret")
        #expect(folders.text(0, "dots/portolan/new") == nil && folders.text(0, "moved/portolan/new") == nil)
    }

    @Test("the program's folder in one below, which may be shared by itself, is not synchronized, and is named")
    func below() async throws {
        let folders = try await SyncFolders(2)
        try folders.makeFolder(0, "sub/.portolan-sync/history")
        try folders.write(0, "sub/.portolan-sync/history/old", "secret")
        try folders.write(0, "sub/file", "text")
        let reports = try await folders.settle()
        #expect(try folders.listing(1) == ["sub/", "sub/file=text"])
        #expect(
            reports.contains { $0.skipped.contains { $0.reason == .own && $0.path.text == "sub/.portolan-sync" } })
        try await folders.checkAll()
    }

    @Test("a folder among own files is not opened")
    func root() async throws {
        let folders = try await SyncFolders(1)
        try await folders.restart(0, without: OwnFiles([folders.path], lent: [folders.path]))
        await #expect(throws: SyncError.self) { try await folders.synchronize(0) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folders(0)).isEmpty)
    }

    @Test("a write of the program to its own files is not reported as a change")
    func watch() async throws {
        let folders = try await SyncFolders(1)
        let own = try makeHome(folders)
        let (signals, signal) = AsyncStream.makeStream(of: FolderChanges.self)
        let path = "\(folders.path)/0"
        let watch = Task {
            await FolderWatch.run(
                path, without: own, ready: { signal.yield(.whole) }, changed: { signal.yield($0) })
        }
        defer { watch.cancel() }
        var changes = signals.makeAsyncIterator()
        #expect(await changes.next() == .whole)
        try folders.write(0, "dots/portolan/teams/new", "more")
        try folders.write(0, "dots/later", "text")
        #expect(await changes.next() == FolderChanges([["dots"]]))
    }
}
