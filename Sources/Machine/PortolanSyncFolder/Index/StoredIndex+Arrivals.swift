import Foundation
import GRDB
import PortolanSyncPlan

/// Changes that devices told after they were removed.
extension IndexTransaction {
    /// Notes who told a new version or place of a node; nobody for one of this device.
    func noteArrival(of record: NodeRecord, after before: NodeRecord?) throws {
        guard record.places != before?.places || record.contents != before?.contents else { return }
        let key = newKey(record.id)
        guard let teller else {
            if before != nil { try execute("DELETE FROM arrival WHERE node = ?", [key]) }
            return
        }
        try execute(
            "INSERT OR REPLACE INTO arrival VALUES (?, ?, ?)",
            [key, state.replicas.number(of: teller.replica), teller.time])
    }

    /// Keeps the times of removals, and forgets those of devices that are removed no more.
    ///
    /// - Returns: the earliest known times.
    func keep(_ removals: [DeviceID: Int64]) throws -> [DeviceID: Int64] {
        let known = try all("SELECT device, time FROM removal") { row in
            (try DeviceID(row.bytes(0)), row[1] as Int64)
        }
        var kept = removals
        for (device, time) in known {
            guard let device else { throw SyncError.damagedIndex }
            if let new = removals[device] {
                kept[device] = min(new, time)
            } else {
                try execute("DELETE FROM removal WHERE device = ?", [Data(device.bytes)])
            }
        }
        for (device, time) in kept where !known.contains(where: { $0 == device && $1 == time }) {
            try execute("INSERT OR REPLACE INTO removal VALUES (?, ?)", [Data(device.bytes), time])
        }
        return kept
    }

    /// Nodes with a version or place that a device told at a time or later.
    func arrivals(of device: DeviceID, since time: Int64) throws -> [NodeID] {
        try state.replicas.numbers(of: device).flatMap { number in
            try nodes("SELECT node FROM arrival WHERE replica = ? AND time >= ?", [number, time])
        }
    }
}
