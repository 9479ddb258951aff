import Foundation
import GRDB
import PortolanSyncPlan

/// Parts of the index that every transaction needs, cached between transactions.
final class IndexState {
    let replica: ReplicaID
    let fileSystem: UInt64
    /// Time when the epoch began, in nanoseconds since 1970; 0 if it is not known.
    let begun: UInt64
    var generation: UInt64
    /// Sequence number up to which changes were announced.
    var announced: UInt64
    var counter: UInt64
    var sequence: UInt64
    var lastEntry: Int
    var replicas: Replicas
    var dirty: TrackedNodes
    var breakers: Set<NodeID>
    /// Set as stored in its table.
    private var storedBreakers: Set<NodeID>
    var hasChangedBreakers = false
    var deletions: [RecentDeletions]
    private var storedDeletions: [RecentDeletions]
    private var storedNumbers: [Int64]

    /// - Returns: nil if no epoch has begun.
    init?(_ database: Database) throws {
        guard let row = try Row.fetchOne(database, sql: "SELECT * FROM folder") else { return nil }
        guard let device = DeviceID(Array(row["device"] as Data)) else { throw SyncError.damagedIndex }
        replica = ReplicaID(device: device, epoch: row.unsigned("epoch"))
        fileSystem = row.unsigned("file_system")
        begun = row.unsigned("begun")
        generation = row.unsigned("generation")
        announced = row.unsigned("announced")
        counter = row.unsigned("counter")
        sequence = row.unsigned("sequence")
        lastEntry = row["last_entry"]
        let stored = try Row.fetchAll(database, sql: "SELECT * FROM replica ORDER BY number").map { row in
            guard let device = DeviceID(Array(row["device"] as Data)) else { throw SyncError.damagedIndex }
            return ReplicaID(device: device, epoch: row.unsigned("epoch"))
        }
        let replicas = Replicas(stored)
        self.replicas = replicas
        func nodes(_ table: String) throws -> Set<NodeID> {
            let keys = try Data.fetchAll(database, sql: "SELECT node FROM \(table)")
            return Set(try keys.map { try replicas.node(Array($0)) })
        }
        dirty = TrackedNodes(try nodes("dirty"))
        breakers = try nodes("breaker")
        storedBreakers = breakers
        deletions = try Row.fetchAll(database, sql: "SELECT * FROM deletion ORDER BY time").map { row in
            guard let device = DeviceID(Array(row["device"] as Data)) else { throw SyncError.damagedIndex }
            return RecentDeletions(device: device, time: row["time"], count: row["count"])
        }
        storedDeletions = deletions
        storedNumbers = []
        storedNumbers = numbers
    }

    private var numbers: [Int64] {
        [generation, announced, counter, sequence].map { Int64(bitPattern: $0) } + [Int64(lastEntry)]
    }

    /// Writes changed parts.
    func store(_ database: Database) throws {
        for (node, isDirty) in dirty.takeChanges() { try store(node, isDirty, "dirty", database) }
        if hasChangedBreakers {
            for node in breakers.symmetricDifference(storedBreakers) {
                try store(node, breakers.contains(node), "breaker", database)
            }
            storedBreakers = breakers
            hasChangedBreakers = false
        }
        for (number, replica) in replicas.takeNew() {
            try database.execute(
                sql: "INSERT INTO replica VALUES (?, ?, ?)",
                arguments: [number, Data(replica.device.bytes), Int64(bitPattern: replica.epoch)])
        }
        if deletions != storedDeletions {
            try database.execute(sql: "DELETE FROM deletion")
            for one in deletions {
                try database.execute(
                    sql: "INSERT INTO deletion VALUES (?, ?, ?)",
                    arguments: [Data(one.device.bytes), one.time, one.count])
            }
            storedDeletions = deletions
        }
        guard numbers != storedNumbers else { return }
        try database.execute(
            sql: "UPDATE folder SET generation = ?, announced = ?, counter = ?, sequence = ?, last_entry = ?",
            arguments: StatementArguments(numbers))
        storedNumbers = numbers
    }

    private func store(_ node: NodeID, _ isMember: Bool, _ table: String, _ database: Database) throws {
        let sql = isMember ? "INSERT INTO \(table) VALUES (?)" : "DELETE FROM \(table) WHERE node = ?"
        try database.cachedStatement(sql: sql).execute(arguments: [Data(replicas.key(node))])
    }
}
