import PortolanProtocol
import PortolanSyncModel
import Synchronization

/// Contents that a peer fetches now, with what has gone to it.
struct GoingProgress: Hashable, Sendable {
    var files = 0
    /// Bytes of the contents whose sizes are known, and what has gone of the others.
    var bytes: UInt64 = 0
    var doneFiles = 0
    var doneBytes: UInt64 = 0
}

/// Counter of the contents that go to the peer of a session.
final class GoingContents: Sendable {
    private struct Content {
        var digest: ContentDigest
        var size: UInt64?
        var gone: UInt64 = 0
    }

    private struct Folder {
        var progress = GoingProgress()
        /// Contents that have not gone as a whole, the latest last.
        var open: [Content] = []
    }

    /// Largest number of contents that are told apart.
    private static let mostOpen = 32
    private let folders = Mutex<[SyncFolderID: Folder]>([:])

    func progress(of folder: SyncFolderID) -> GoingProgress? { folders.withLock { $0[folder]?.progress } }

    /// Begins anew, because nothing was fetched for a while.
    func end(_ folder: SyncFolderID) { folders.withLock { $0[folder] = nil } }

    /// Records a part of a content.
    ///
    /// - Parameter size: size of the content; nil if it is not known.
    /// - Returns: true if nothing of the folder was going.
    func add(_ bytes: Int, of digest: ContentDigest, size: UInt64?, in id: SyncFolderID) -> Bool {
        guard bytes > 0 else { return false }
        return folders.withLock { folders in
            let isFirst = folders[id] == nil
            var folder = folders[id] ?? Folder()
            defer { folders[id] = folder }
            var content = Content(digest: digest, size: size)
            if let place = folder.open.firstIndex(where: { $0.digest == digest }) {
                content = folder.open.remove(at: place)
            } else {
                folder.progress.files += 1
                folder.progress.bytes &+= size ?? 0
            }
            content.gone &+= UInt64(bytes)
            folder.progress.doneBytes &+= UInt64(bytes)
            if size == nil { folder.progress.bytes &+= UInt64(bytes) }
            if let size, content.gone >= size {
                folder.progress.doneFiles += 1
            } else {
                folder.open.append(content)
                if folder.open.count > Self.mostOpen { folder.open.removeFirst() }
            }
            return isFirst
        }
    }
}
