import GRDB
import PortolanSyncPlan

/// Ways of the replica.
extension StoredIndex {
    /// Mode at the last scan.
    var ways: SyncWays {
        transaction.attempt(SyncWays()) {
            try transaction.first("SELECT mode, keeps FROM ways") { row in
                guard let mode = SyncMode(rawValue: row[0]) else { throw SyncError.damagedIndex }
                return SyncWays(mode, keepsDeleted: row[1])
            } ?? SyncWays()
        }
    }

    /// Records the mode of a scan. If it has changed, all nodes are planned again.
    func turn(to ways: SyncWays) {
        guard ways != self.ways else { return }
        transaction.attempt(()) {
            try transaction.execute(
                "INSERT OR REPLACE INTO ways VALUES (1, ?, ?)", [ways.mode.rawValue, ways.keepsDeleted])
            mark(try transaction.nodes("SELECT id FROM node"))
        }
    }

    /// Returns the names from the root down to an item that is not announced; nil if it is not below the root.
    func path(of untold: UnannouncedChange) -> [SyncName]? { path(of: untold.parent).map { $0 + [untold.name] } }
}
