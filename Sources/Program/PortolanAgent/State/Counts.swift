import GRDB
import PortolanClient

extension AgentTransaction {
    /// Number of parcels in a state.
    package func count(_ state: ParcelState) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM parcel WHERE state = ?", arguments: [state.rawValue]) ?? 0
    }

    /// Number of items of the inbox in a state.
    package func count(_ state: InboxState) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM inbox WHERE state = ?", arguments: [state.rawValue]) ?? 0
    }
}
