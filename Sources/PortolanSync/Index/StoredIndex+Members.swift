import Foundation
import GRDB
import PortolanSyncModel

/// Positions of the other members.
extension StoredIndex {
    var membership: MemberPositions {
        transaction.attempt(MemberPositions()) {
            var membership = MemberPositions()
            for row in try Row.fetchAll(transaction.database, sql: "SELECT * FROM member") {
                guard let device = DeviceID(row["device"] as Data) else { throw DamagedBlob() }
                if (row["heard_epoch"] as Int64?) != nil {
                    membership.heard[device] = PortolanSyncModel.ChangeCursor(
                        ReplicaID(device: device, epoch: row.unsigned("heard_epoch")), row.unsigned("heard_sequence"))
                }
                if (row["acknowledged_epoch"] as Int64?) != nil {
                    membership.acknowledged[device] = PortolanSyncModel.ChangeCursor(
                        ReplicaID(device: replica.device, epoch: row.unsigned("acknowledged_epoch")),
                        row.unsigned("acknowledged_sequence"))
                }
            }
            return membership
        }
    }

    /// Records the position up to which a member's changes are known.
    func hear(_ cursor: PortolanSyncModel.ChangeCursor) { set(cursor.replica.device, "heard", cursor) }

    /// Records the position up to which a member knows this replica's changes.
    func acknowledge(_ cursor: PortolanSyncModel.ChangeCursor, by device: DeviceID) {
        set(device, "acknowledged", cursor)
    }

    private func set(_ device: DeviceID, _ kind: String, _ cursor: PortolanSyncModel.ChangeCursor) {
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
