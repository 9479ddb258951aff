import ArgumentParser
import Foundation
import PortolanConcurrency
import PortolanSyncFolder
import PortolanSyncPeers
import PortolanValues

/// A path that a user names, in a synchronized folder.
struct SyncPath {
    let entry: SyncFolderEntry
    /// Path in the folder; empty for the folder itself.
    let path: String

    /// - Throws: `CommandFailure` if no synchronized folder contains the path.
    init(_ text: String, in list: SyncFolderList) async throws {
        let entries = try await withLookupThread { try list.all() }
        let path = try Self.absolute(text)
        // Either path, the folder's or the working folder's, may contain a symbolic link that the other does
        // not.
        let url = URL(fileURLWithPath: path)
        let resolved = url.deletingLastPathComponent().resolvingSymlinksInPath().path
        let real = (resolved == "/" ? "/" : resolved + "/") + url.lastPathComponent
        for entry in entries {
            let folder = URL(fileURLWithPath: entry.path).resolvingSymlinksInPath().path
            for (path, folder) in [(path, entry.path), (real, folder), (path, folder)]
            where Self.isInside(path, folder) {
                self.entry = entry
                self.path = String(path.dropFirst(folder.count).drop { $0 == "/" })
                return
            }
        }
        throw CommandFailure(
            .unreachable,
            "\(DisplayText(path, limit: 4096)) is in no folder that is kept alike here; see 'portolan sync'.")
    }

    /// An absolute path without `.` and `..`.
    ///
    /// - Throws: ``CommandFailure`` for a path that is not UTF-8: a synchronized folder has its path in a database.
    static func absolute(_ path: String) throws -> String {
        let whole = try WorkingFolder.absolute(path)
        guard PathText.isPlain(whole) else {
            let shown = DisplayText(whole, limit: 4096)
            throw CommandFailure(.badData, "“\(shown)” is not UTF-8, so that it cannot be kept alike.")
        }
        return URL(fileURLWithPath: whole).standardizedFileURL.path
    }

    /// The absolute path of a folder to be kept alike, of which no link is the last step: such a link is not followed.
    static func folder(_ path: String) throws -> String {
        let path = try absolute(path)
        guard SharedRoot.isLink(path), let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return try absolute(String(cString: real))
    }

    /// True if a path is the folder or inside it.
    static func isInside(_ path: String, _ folder: String) -> Bool {
        path == folder || path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
    }
}
