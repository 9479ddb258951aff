import GRDB
import PortolanSyncModel

/// Ways of the replica.
extension StoredIndex {
    /// Ways under which the folder was looked at last.
    var ways: SyncWays {
        transaction.attempt(SyncWays()) {
            try transaction.first("SELECT mode, keeps FROM ways") { row in
                guard let mode = SyncMode(rawValue: row[0]) else { throw DamagedBlob() }
                return SyncWays(mode, keepsDeleted: row[1])
            } ?? SyncWays()
        }
    }

    /// Notes the ways under which the folder was looked at. All nodes are planned anew if they are others than before.
    func turn(to ways: SyncWays) {
        guard ways != self.ways else { return }
        transaction.attempt(()) {
            try transaction.execute(
                "INSERT OR REPLACE INTO ways VALUES (1, ?, ?)", [ways.mode.rawValue, ways.keepsDeleted])
            mark(try transaction.nodes("SELECT id FROM node"))
        }
    }

    /// Names from the root down to something that nobody is told of; nil if it is not below the root.
    func path(of untold: Untold) -> [Name]? { path(of: untold.parent).map { $0 + [untold.name] } }
}
