import Foundation
import Glibc
import Portolan
import PortolanSyncing
import PortolanTrust

/// Folders that the agent of a home writes to, and no others.
package struct WritableFolders: Sendable, Hashable {
    /// Absolute paths of the home's own, which are closed to others (0700).
    package let own: [String]
    /// Absolute path of the folder for the socket of the local API, which is closed to others as well.
    package let runtime: String
    /// Absolute paths of folders that items arrive in.
    package let received: [String]
    /// Absolute paths of folders that are synchronized and are there. One that is not is never made: it may be on a disk that is away.
    package let kept: [String]
    /// Absolute path of the folder for temporary files, in one of ``own``.
    package let temporary: String

    /// Blocks.
    ///
    /// - Parameter socket: path of the local API.
    package init(settings: Settings, policy: Policy, socket: String) {
        let home = settings.home
        own = [home.data, home.state, home.cache]
        let end = socket.lastIndex(of: "/") ?? socket.startIndex
        runtime = String(socket[..<end])
        received = [settings.inbox] + policy.folders
        // A list that cannot be read is an error of whoever keeps the folders.
        let entries = (try? SyncFolderList(home: home).all()) ?? []
        kept = entries.map(\.path).filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
        }
        temporary = home.cache + "/temporary"
    }

    package var all: [String] { own + [runtime] + received + kept }

    /// Makes those that are missing. One that cannot be made is an error of whoever needs it. Blocks.
    package func make() {
        for folder in own + [runtime, temporary] { _ = try? PrivateDirectory(path: folder) }
        for folder in received {
            try? FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
    }
}

/// Paths compared as the folders that they lead to.
enum ResolvedPath {
    /// The path without symbolic links, as far as there is something at it.
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

    /// Whether the folder `path` is `folder` or lies in it; both without symbolic links.
    static func lies(_ path: String, in folder: String) -> Bool {
        path == folder || folder == "/" || path.hasPrefix(folder + "/")
    }
}
