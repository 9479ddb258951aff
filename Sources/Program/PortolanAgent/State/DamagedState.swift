import GRDB
import Portolan

/// Damaged database that was renamed.
package struct DamagedState: Hashable, Sendable {
    /// New name of the file; its log, if it had one, has the same name with `-wal` behind it.
    package let path: String
    package let reason: String
    /// Parcels that were not over, as far as they could be read.
    let parcels: [DamagedParcel]

    /// Sentences for the owner.
    var sentence: String {
        let taken =
            switch parcels.count {
            case 0: "No parcel could be read from it"
            case 1: "1 parcel that could be read from it waits in the outbox again"
            default: "\(parcels.count) parcels that could be read from it wait in the outbox again"
            }
        return "The agent's state was damaged (\(reason)). It is kept as \(path), and a new one is used. \(taken)."
    }
}

extension AgentTransaction {
    /// Reports the damage, and adds the parcels of the damaged file.
    func takeOver(_ damaged: DamagedState) throws {
        try journal.append(
            .stateSetAside,
            values: [
                "path": .text(damaged.path), "reason": .text(damaged.reason),
                "parcels": .number(Int64(damaged.parcels.count)),
            ])
        for kept in damaged.parcels { try outbox.add(kept.parcel, expires: kept.expires) }
    }
}

extension AgentDatabase {
    /// Returns the parcels that wait or run in a damaged file. Of one whose key cannot be read, it is not known whom it
    /// is for; it is left out.
    static func readableParcels(in path: String) -> [DamagedParcel] {
        var configuration = Configuration()
        configuration.readonly = true
        guard let queue = try? DatabaseQueue(path: path, configuration: configuration) else { return [] }
        defer { try? queue.close() }
        var parcels: [DamagedParcel] = []
        // The end of the transaction fails after a page that cannot be read.
        try? queue.read { database in
            // Rows behind a page that cannot be read are found from the end.
            var places: Set<Int64> = []
            for order in ["ASC", "DESC"] {
                let sql = "SELECT place FROM parcel WHERE +state IN ('waiting', 'running') ORDER BY place \(order)"
                guard let rows = try? Int64.fetchCursor(database, sql: sql) else { continue }
                while let place = try? rows.next() { places.insert(place) }
            }
            parcels = places.sorted().compactMap { try? DamagedParcel(at: $0, in: database) }
        }
        return parcels
    }
}

/// A parcel of a damaged file.
struct DamagedParcel: Hashable, Sendable {
    let parcel: Parcel
    let expires: Date?
}

extension DamagedParcel {
    fileprivate init?(at place: Int64, in database: Database) throws {
        let sql = "SELECT id, expires FROM parcel WHERE place = ?"
        guard let row = try Row.fetchOne(database, sql: sql, arguments: [place]) else { return nil }
        let outbox = Outbox(database: database, now: .now) { _, _, _, _ in }
        self.init(parcel: try outbox.parcel(row["id"]), expires: row.dateIfPresent("expires"))
    }
}
