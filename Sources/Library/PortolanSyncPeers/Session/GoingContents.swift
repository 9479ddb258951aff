import PortolanFiles
import PortolanProtocol
import PortolanSyncPlan
import Synchronization

/// Contents that a peer fetches now, with what has gone to it.
struct GoingProgress: Hashable, Sendable {
    var files = 0
    var bytes: UInt64 = 0
    var doneFiles = 0
    var doneBytes: UInt64 = 0
}

/// Counter of the contents that go to the peer of a session.
final class GoingContents: Sendable {
    private struct Folder {
        var progress = GoingProgress()
        /// Contents of the present transfer, and what has gone of them.
        var files = 0
        var bytes: UInt64 = 0
        var gone: UInt64 = 0
    }

    private let folders = Mutex<[SyncFolderID: Folder]>([:])

    func progress(of folder: SyncFolderID) -> GoingProgress? {
        folders.withLock { folders in
            folders[folder].map { folder in
                var progress = folder.progress
                progress.doneBytes &+= folder.gone
                return progress
            }
        }
    }

    /// Begins anew, because nothing was fetched for a while.
    func end(_ folder: SyncFolderID) { folders.withLock { $0[folder] = nil } }

    /// Notes the beginning of a transfer.
    func begin(_ contents: [SourceContent], of id: SyncFolderID) {
        let bytes = contents.reduce(UInt64(0)) { $0 &+ $1.size }
        folders.withLock { folders in
            var folder = folders[id] ?? Folder()
            (folder.files, folder.bytes, folder.gone) = (contents.count, bytes, 0)
            folder.progress.files += contents.count
            folder.progress.bytes &+= bytes
            folders[id] = folder
        }
    }

    /// Notes how many bytes of the present transfer have gone.
    func note(_ bytes: UInt64, of folder: SyncFolderID) { folders.withLock { $0[folder]?.gone = bytes } }

    /// Notes the end of the transfer.
    func settle(_ id: SyncFolderID) {
        folders.withLock { folders in
            guard var folder = folders[id] else { return }
            folder.progress.doneFiles += folder.files
            folder.progress.doneBytes &+= folder.bytes
            (folder.files, folder.bytes, folder.gone) = (0, 0, 0)
            folders[id] = folder
        }
    }

    /// Notes contents that went with changes.
    ///
    /// - Returns: true if nothing of the folder was going.
    func add(_ files: Int, _ bytes: UInt64, of id: SyncFolderID) -> Bool {
        folders.withLock { folders in
            let isFirst = folders[id] == nil
            var progress = folders[id]?.progress ?? GoingProgress()
            progress.files += files
            progress.bytes &+= bytes
            progress.doneFiles += files
            progress.doneBytes &+= bytes
            folders[id, default: Folder()].progress = progress
            return isFirst
        }
    }
}
