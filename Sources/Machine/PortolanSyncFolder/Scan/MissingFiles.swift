import PortolanFiles
import PortolanSyncPlan

/// Known entries that scans have not found while other files moved, so that they may have been passed over.
struct MissingFiles {
    /// Seconds in which all looks must miss an entry before it is gone although something moves all the time.
    static let patience: Int64 = 2

    private var first: [FileHandleID: FileTime] = [:]

    /// Returns entries that have been missing for so long that they are gone.
    func gone(at now: FileTime) -> Set<FileHandleID> {
        Set(first.filter { now.seconds - $0.value.seconds > Self.patience }.keys)
    }

    /// Records the result of a scan of the whole folder.
    mutating func note(_ doubtful: Set<FileHandleID>, at now: FileTime) {
        // A clock that was set back begins anew.
        first = first.filter { doubtful.contains($0.key) && $0.value <= now }
        for handle in doubtful where first[handle] == nil { first[handle] = now }
    }
}
