import PortolanProtocol
import PortolanSyncModel
import Synchronization

/// Small contents that came with the changes of a peer, until the work on the folder has used them.
///
/// At most one answer's contents are held for each session, and eight answers' for all together.
final class CarriedContents: Sendable {
    /// Sessions that hold contents at present.
    private static let holders = Mutex(0)
    private static let mostHolders = 8

    private let contents = Mutex<[SyncFolderID: [ContentDigest: [UInt8]]]>([:])

    deinit {
        if !contents.withLock(\.isEmpty) { Self.holders.withLock { $0 -= 1 } }
    }

    /// Whether contents of another answer would be kept.
    var mayTake: Bool {
        contents.withLock(\.isEmpty) && Self.holders.withLock { $0 < Self.mostHolders }
    }

    /// Keeps verified contents of one answer, if there is room for them.
    func keep(_ new: [ContentDigest: [UInt8]], of folder: SyncFolderID) {
        guard !new.isEmpty else { return }
        contents.withLock { contents in
            guard contents.isEmpty else { return }
            let isPlace = Self.holders.withLock { holders in
                guard holders < Self.mostHolders else { return false }
                holders += 1
                return true
            }
            if isPlace { contents[folder] = new }
        }
    }

    func content(_ digest: ContentDigest, of folder: SyncFolderID) -> [UInt8]? {
        contents.withLock { $0[folder]?[digest] }
    }

    /// Gives up what is left of a folder's contents.
    func drop(of folder: SyncFolderID) {
        contents.withLock { contents in
            guard contents.removeValue(forKey: folder) != nil, contents.isEmpty else { return }
            Self.holders.withLock { $0 -= 1 }
        }
    }
}
