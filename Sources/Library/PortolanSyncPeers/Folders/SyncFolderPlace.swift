import Glibc
import Portolan
import PortolanFiles
import PortolanSyncFolder
import PortolanTrust
import PortolanValues

/// Place of a folder on the disk, by which it is recognised under other paths: through links and bind mounts.
///
/// A folder inside another one that is kept alike, or around it, would be kept alike twice: what is deleted in one
/// would come back by the other, and each edit would be a conflict. It is refused, like the same folder.
package struct SyncFolderPlace: Hashable, Sendable {
    private struct Identity: Hashable {
        var device: UInt64
        var inode: UInt64
    }

    /// The folder; nil while there is none at the path.
    private var own: Identity?
    /// The folders above it, as they are reached from the path.
    private var above: Set<Identity> = []

    /// True if a link is in the place of the folder.
    let isLink: Bool

    /// Blocks until the disk answers.
    ///
    /// - Parameter path: absolute path. Of one that does not exist, the folders that do are the place.
    package init(_ path: String) {
        isLink = SharedRoot.isLink(path)
        var rest = path[...]
        var isThere = true
        while true {
            if let real = Self.resolved(rest.isEmpty ? "/" : String(rest)) {
                if isThere { own = Self.identity(real) }
                var folder = isThere ? Self.parent(real[...]) : real[...]
                while let present = folder {
                    if let identity = Self.identity(present.isEmpty ? "/" : String(present)) { above.insert(identity) }
                    folder = Self.parent(present)
                }
                return
            }
            guard let parent = Self.parent(rest) else { return }
            (rest, isThere) = (parent, false)
        }
    }

    /// Reason why this folder is not kept alike beside another one, a sentence; nil if they have no files in common.
    ///
    /// - Parameter name: name of the other folder.
    package func obstacle(beside other: SyncFolderPlace, called name: String) -> String? {
        let shown = DisplayText(name, limit: 100)
        if let own, own == other.own { return "It is the folder “\(shown)” by another path, which is kept alike." }
        if let outer = other.own, above.contains(outer) {
            return "It is in the folder “\(shown)”, which is kept alike."
        }
        if let own, other.above.contains(own) { return "It has in it the folder “\(shown)”, which is kept alike." }
        return nil
    }

    /// Reason why a folder is not kept alike, a sentence, if it is among the files of the program; nil if it is not.
    /// Blocks until the disk answers.
    package static func obstacle(at path: String, in home: HomeDirectory) -> String? {
        home.ownFiles.hold(path, lent: true)
            ? "The folder is among the program's own files, which are kept alike with nobody." : nil
    }

    /// True if files of the program lie in a folder, which are left out. Blocks until the disk answers.
    package static func isAroundOwnFiles(_ path: String, of home: HomeDirectory) -> Bool {
        home.ownFiles.areBelow(path)
    }

    /// Path of the folder above; empty for the root, and nil above it.
    private static func parent(_ path: Substring) -> Substring? {
        path.lastIndex(of: "/").flatMap { path.count > 1 ? path[..<$0] : nil }
    }

    private static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(validatingCString: real)
    }

    private static func identity(_ path: String) -> Identity? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }
}
