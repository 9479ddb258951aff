import Foundation
import GRDB
import PortolanSyncPlan

/// Positions of the other members.
extension StoredIndex {
    var membership: MemberPositions {
        transaction.attempt(MemberPositions()) {
            var membership = MemberPositions()
            for row in try Row.fetchAll(transaction.database, sql: "SELECT * FROM member") {
                guard let device = DeviceID(row["device"] as Data) else { throw SyncError.damagedIndex }
                if (row["heard_epoch"] as Int64?) != nil {
                    membership.heard[device] = PortolanSyncPlan.ChangeCursor(
                        ReplicaID(device: device, epoch: row.unsigned("heard_epoch")), row.unsigned("heard_sequence"),
                        seal: (row["heard_seal"] as Data?).flatMap { ReplicaSeal($0) })
                }
                if (row["acknowledged_epoch"] as Int64?) != nil {
                    membership.acknowledged[device] = PortolanSyncPlan.ChangeCursor(
                        ReplicaID(device: replica.device, epoch: row.unsigned("acknowledged_epoch")),
                        row.unsigned("acknowledged_sequence"))
                }
            }
            return membership
        }
    }

    /// Records the position up to which a member's changes are known.
    func hear(_ cursor: PortolanSyncPlan.ChangeCursor) {
        set(cursor.replica.device, "heard", cursor)
        guard let seal = cursor.seal else { return }
        transaction.attempt(()) {
            try transaction.execute(
                "UPDATE member SET heard_seal = ? WHERE device = ?",
                [Data(seal.bytes), Data(cursor.replica.device.bytes)])
        }
        keep(seal, of: cursor.replica.device)
    }

    /// Keeps the newest seals of devices whose changes are known.
    func keep(_ seals: [DeviceID: ReplicaSeal]) {
        guard !seals.isEmpty else { return }
        let known = transaction.state.replicas.devices
        for (device, seal) in seals where device != replica.device && known.contains(device) {
            keep(seal, of: device)
        }
    }

    /// Keeps the newest seal of a device.
    func keep(_ seal: ReplicaSeal, of device: DeviceID) {
        transaction.attempt(()) {
            try transaction.execute(
                """
                INSERT INTO member (device, newest_seal) VALUES (?, ?) ON CONFLICT DO UPDATE
                    SET newest_seal = excluded.newest_seal
                    WHERE newest_seal IS NULL OR newest_seal < excluded.newest_seal
                """, [Data(device.bytes), Data(seal.bytes)])
        }
    }

    /// Newest seals of other devices, of some if there are many.
    func newestSeals(limit: Int) -> [DeviceID: ReplicaSeal] {
        transaction.attempt([:]) {
            var seals: [DeviceID: ReplicaSeal] = [:]
            for row in try Row.fetchAll(
                transaction.database,
                sql: "SELECT device, newest_seal FROM member WHERE newest_seal IS NOT NULL LIMIT ?", arguments: [limit])
            {
                guard let device = DeviceID(row["device"] as Data) else { throw SyncError.damagedIndex }
                seals[device] = ReplicaSeal(row["newest_seal"] as Data)
            }
            return seals
        }
    }

    /// Records the position up to which a member knows this replica's changes.
    func acknowledge(_ cursor: PortolanSyncPlan.ChangeCursor, by device: DeviceID) {
        set(device, "acknowledged", cursor)
    }

    private func set(_ device: DeviceID, _ kind: String, _ cursor: PortolanSyncPlan.ChangeCursor) {
        transaction.attempt(()) {
            try transaction.execute(
                """
                INSERT INTO member (device, \(kind)_epoch, \(kind)_sequence) VALUES (?, ?, ?)
                    ON CONFLICT DO UPDATE SET \(kind)_epoch = excluded.\(kind)_epoch,
                    \(kind)_sequence = excluded.\(kind)_sequence
                """,
                [
                    Data(device.bytes), Int64(bitPattern: cursor.replica.epoch), Int64(bitPattern: cursor.sequence),
                ])
        }
    }
}
