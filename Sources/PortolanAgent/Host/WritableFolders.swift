import Foundation
import Glibc
import Portolan
import PortolanConfiguration
import PortolanFiles
import PortolanSync
import PortolanSyncing
import PortolanTrust

/// All folders to which the agent of a home writes.
package struct WritableFolders: Sendable, Hashable {
    /// Absolute paths of the home's own folders, which are private (0700).
    package let own: [String]
    /// Absolute path of the folder for the socket of the local API, which is private, too.
    package let runtime: String
    /// Absolute paths of folders for received items.
    package let received: [String]
    /// Absolute paths of existing synchronized folders. A missing one is not created: it may be on a disk that is not
    /// mounted.
    package let kept: [String]
    /// Absolute path of the folder for temporary files, in one of ``own``.
    package let temporary: String

    /// Blocks.
    ///
    /// - Parameter socket: path of the local API.
    package init(settings: Settings, policy: OfferPolicy, socket: String) {
        let home = settings.home
        own = [home.data, home.state, home.cache]
        let end = socket.lastIndex(of: "/") ?? socket.startIndex
        runtime = String(socket[..<end])
        received = [settings.inbox] + policy.folders
        // The owner of the list reports an unreadable one.
        let entries = (try? SyncFolderList(home: home).all()) ?? []
        kept = entries.map(\.path).filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
                && !SharedRoot.isLink(path)
        }
        temporary = home.cache + "/temporary"
    }

    package var all: [String] { own + [runtime] + received + kept }

    /// Creates missing folders. The user of a folder reports one that cannot be created. Blocks.
    package func make() {
        for folder in own + [runtime, temporary] { _ = try? PrivateDirectory(path: folder) }
        for folder in received {
            _ = try? Inbox(path: folder, createIfMissing: true)
        }
    }
}

/// Comparison of paths by the folders to which they lead.
enum ResolvedPath {
    /// Returns a path without symbolic links, as far as it exists.
    static func of(_ path: String) -> String {
        var (existing, missing): (Substring, Substring) = (path[...], "")
        while !existing.isEmpty {
            if let resolved = realpath(String(existing), nil) {
                defer { free(resolved) }
                let start = String(cString: resolved)
                return missing.isEmpty ? start : (start == "/" ? "" : start) + missing
            }
            existing = existing[..<(existing.lastIndex(of: "/") ?? existing.startIndex)]
            missing = path[existing.endIndex...]
        }
        return path
    }

    /// True if the folder `path` is `folder` or lies in it; both without symbolic links.
    static func lies(_ path: String, in folder: String) -> Bool {
        path == folder || folder == "/" || path.hasPrefix(folder + "/")
    }
}
