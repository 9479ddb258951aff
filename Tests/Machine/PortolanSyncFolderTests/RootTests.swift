import Foundation
import PortolanSyncPlan
import Testing

@testable import PortolanSyncFolder

/// Other folders in the place of a shared one, as any user who may write in the folder above can put there.
@Suite struct RootTests {
    private static let key = "the private key"

    private func withFiles() async throws -> SyncFolders {
        let folders = try await SyncFolders(2)
        try folders.write(0, "a", "1")
        try folders.write(0, "b", "2")
        try await folders.settle()
        let path = "\(folders.path)/private"
        #expect(mkdir(path, 0o700) == 0)
        try Data(Self.key.utf8).write(to: URL(fileURLWithPath: "\(path)/key"))
        return folders
    }

    private func place(_ folders: SyncFolders, _ name: String) -> String { "\(folders.path)/\(name)" }

    private func stop(_ body: () async throws -> Void) async -> ReplicaStart.Stop? {
        do {
            try await body()
        } catch let error as SyncError {
            if case .halted(let stop) = error.kind { return stop }
        } catch {}
        return nil
    }

    /// Contents of all files below a path, and the names of all folders.
    private func contents(_ path: String) throws -> [String: Data] {
        var all: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
            all[name] = FileManager.default.contents(atPath: "\(path)/\(name)") ?? Data()
        }
        return all
    }

    enum Swap: CaseIterable {
        case link, folder, copiedMarker

        var stop: ReplicaStart.Stop {
            switch self {
            case .link: .rootIsLink
            case .folder: .rootReplaced
            case .copiedMarker: .rootRestored
            }
        }
    }

    @Test(
        "a folder that was put in the place of the shared one is neither told, served nor written to",
        arguments: Swap.allCases, [true, false])
    func swapped(swap: Swap, restarts: Bool) async throws {
        let folders = try await withFiles()
        let secret = place(folders, "private")
        if swap == .copiedMarker {
            #expect(mkdir("\(secret)/\(ControlFolder.name)", 0o700) == 0)
            try FileManager.default.copyItem(
                atPath: folders(0, "\(ControlFolder.name)/marker"), toPath: "\(secret)/\(ControlFolder.name)/marker")
        }
        let before = try contents(secret)
        let exchange = {
            #expect(rename(place(folders, "0"), place(folders, "away")) == 0)
            if swap == .link {
                #expect(symlink("private", place(folders, "0")) == 0)
            } else {
                #expect(rename(secret, place(folders, "0")) == 0)
            }
        }
        if restarts { try await folders.restart(0, meanwhile: exchange) } else { exchange() }
        let (replica, member) = (folders.replicas[0], SyncFolders.device(1))
        try folders.write(1, "new", "3")
        try await folders.synchronize(1)
        for _ in 0..<2 {
            #expect(await stop { try await folders.synchronize(0) } == swap.stop)
            #expect(await stop { try await replica.checkRoot() } == swap.stop)
            #expect(await stop { _ = try await replica.announcement(since: nil, by: member) } == swap.stop)
            #expect(await stop { _ = try await replica.check() } == swap.stop)
            #expect(await stop { try await folders.pull(0, from: 1) } == swap.stop)
        }
        for bytes in before.values {
            #expect(try await replica.content(FileLook.digest(Array(bytes))) == nil)
        }
        #expect(try contents(place(folders, swap == .link ? "private" : "0")) == before)
        #expect(try folders.listing(1) == ["a=1", "b=2", "new=3"])

        // The folder itself goes on without a question.
        #expect(rename(place(folders, "0"), place(folders, "swapped")) == 0)
        #expect(rename(place(folders, "away"), place(folders, "0")) == 0)
        try await folders.settle()
        #expect(try folders.common() == ["a=1", "b=2", "new=3"])
        try await folders.checkAll()
    }

    @Test("a restored folder and a copied one ask once, and go on without a loss", arguments: [true, false])
    func restored(isOlder: Bool) async throws {
        let folders = try await withFiles()
        try FileManager.default.copyItem(atPath: place(folders, "0"), toPath: place(folders, "backup"))
        if isOlder {
            for text in ["later", "latest"] {
                try folders.write(0, "c", text)
                try await folders.settle()
            }
        }
        let epoch = try #require(try await folders.replicas[0].replica()).epoch
        try FileManager.default.removeItem(atPath: folders(0))
        #expect(rename(place(folders, "backup"), place(folders, "0")) == 0)
        #expect(await stop { try await folders.synchronize(0) } == .rootRestored)
        try await folders.replicas[0].startOver()
        try await folders.settle()
        #expect(try folders.common() == ["a=1", "b=2"] + (isOlder ? ["c=latest"] : []))
        #expect((try await folders.replicas[0].replica()?.epoch == epoch) != isOlder)
        try await folders.restart(0)
        try await folders.settle()
        try await folders.checkAll()
    }

    @Test("another folder that a person agrees to begins anew, and deletes nothing elsewhere")
    func agreed() async throws {
        let folders = try await withFiles()
        try FileManager.default.removeItem(atPath: folders(0))
        try folders.makeFolder(0, "")
        try folders.write(0, "other", "3")
        #expect(await stop { try await folders.synchronize(0) } == .rootReplaced)
        try await folders.replicas[0].startOver()
        try await folders.settle()
        #expect(try folders.common() == ["a=1", "b=2", "other=3"])
        try await folders.checkAll()
    }

    @Test("a folder that is swapped between the choice and the first look is left alone", arguments: [true, false])
    func swappedAtFirst(isMarked: Bool) async throws {
        let folders = try await withFiles()
        let (path, secret, away) = (place(folders, "chosen"), place(folders, "private"), place(folders, "away"))
        #expect(mkdir(path, 0o755) == 0)
        if isMarked {
            try FileManager.default.copyItem(
                atPath: folders(0, ControlFolder.name), toPath: "\(secret)/\(ControlFolder.name)")
        }
        let before = try contents(secret)
        let replica = try await FolderReplica.open(
            folder: path, chosen: SharedRoot.identity(of: path), index: path + ".sqlite",
            device: SyncFolders.device(2), author: "C", seals: SyncFolders.seals(2))
        let none = SyncFolders.Others(replicas: [])
        #expect(rename(path, away) == 0)
        #expect(rename(secret, path) == 0)
        #expect(await stop { _ = try await replica.synchronize(from: none) } == .rootReplaced)
        #expect(await stop { _ = try await replica.announcement(since: nil) } == .rootReplaced)
        #expect(try contents(path) == before)
        #expect(rename(path, secret) == 0)
        #expect(rename(away, path) == 0)
        try await replica.synchronize(from: none)
        #expect(try await replica.announcement(since: nil).records.isEmpty)
        try await replica.close()
    }

    @Test("an old version is not put back into another folder in the place of the shared one")
    func history() async throws {
        let folders = try await withFiles()
        try folders.write(1, "a", "second")
        try await folders.settle()
        let index = place(folders, "0.sqlite")
        let history = try #require(try await FolderHistory.open(folder: folders(0), index: index))
        let record = try #require(try await history.records(of: "a").first)
        #expect(rename(place(folders, "0"), place(folders, "away")) == 0)
        #expect(rename(place(folders, "private"), place(folders, "0")) == 0)
        await #expect(throws: SyncError.self) { try await history.restore(record) }
        #expect(try contents(place(folders, "0")).keys.sorted() == ["key"])
    }
}
