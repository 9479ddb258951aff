import Glibc
import PortolanSyncPlan
import Testing

@testable import PortolanSyncFolder

extension SyncFolders {
    /// Makes two folders that were alike, until the second device edited, deleted, moved and made files. The first one
    /// has heard of it, and done nothing yet.
    ///
    /// - Parameters:
    ///   - disk: disk of the first device.
    ///   - further: names and texts of further files that both have.
    static func withChanges(on disk: WatchedStorage, and further: [(String, String)] = []) async throws -> SyncFolders {
        let folders = try await SyncFolders(2, storage: [0: disk])
        try folders.makeFolder(0, "x")
        let files = [("edited", "1"), ("deleted", "2"), ("left", "3"), ("right", "4"), ("x/moved", "5")]
        for (name, text) in files + further { try folders.write(0, name, text) }
        try await folders.settle()
        try folders.write(1, "edited", "new 1")
        try folders.remove(1, "deleted")
        folders.move(1, "left", to: "third")
        folders.move(1, "right", to: "left")
        folders.move(1, "third", to: "right")
        folders.move(1, "x", to: "y")
        try folders.makeFolder(1, "y/z")
        try folders.write(1, "y/z/made", "new 2")
        #expect(symlink("left", folders(1, "link")) == 0)
        try await folders.synchronize(1)
        try await folders.pull(0, from: 1)
        return folders
    }
}
