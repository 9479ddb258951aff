import Foundation
import GRDB
import PortolanSyncPlan

/// Epochs that answer a state of this device, of which another machine with its key told.
extension SealMaker {
    /// Returns a random epoch by which this device finds out later that the state caused it.
    func epoch(after cause: SealedState) -> UInt64 {
        let random = UInt32.random(in: 1 ... .max)
        return UInt64(random) << 32 | UInt64(tag(random, cause))
    }

    func isEpoch(_ epoch: UInt64, after cause: SealedState) -> Bool {
        UInt32(truncatingIfNeeded: epoch) == tag(UInt32(epoch >> 32), cause)
    }

    private func tag(_ random: UInt32, _ cause: SealedState) -> UInt32 {
        let text = Array("epoch".utf8) + withUnsafeBytes(of: random.bigEndian, Array.init) + cause.bytes
        return proof(text).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// Stops: seals that no state has, by which all replicas of a device stand still whose epochs began before a time.
extension SealedState {
    /// - Parameter time: in nanoseconds since 1970.
    static func stop(at time: UInt64) -> SealedState {
        SealedState(begun: time, epoch: 0, sequence: .max, count: 0, random: .random(in: 0 ... .max))
    }

    var isStop: Bool { sequence == .max }
}

extension StoredIndex {
    /// Newest stops of devices, this one included. A new epoch keeps them.
    var stops: [DeviceID: ReplicaSeal] {
        transaction.attempt([:]) {
            var stops: [DeviceID: ReplicaSeal] = [:]
            for row in try Row.fetchAll(transaction.database, sql: "SELECT * FROM stop") {
                guard let device = DeviceID(row["device"] as Data) else { throw SyncError.damagedIndex }
                stops[device] = ReplicaSeal(row["seal"] as Data)
            }
            return stops
        }
    }

    /// Other devices that stand still: no seal of an epoch after their stops is known, from whomever.
    var stopped: [DeviceID] {
        transaction.attempt([]) {
            let sql = """
                SELECT stop.device FROM stop LEFT JOIN member ON member.device = stop.device
                    WHERE newest_seal IS NULL OR newest_seal <= seal
                """
            return try Row.fetchAll(transaction.database, sql: sql).map { row in
                guard let device = DeviceID(row[0] as Data) else { throw SyncError.damagedIndex }
                return device
            }
            .filter { $0 != replica.device }
        }
    }

    /// Keeps the stop of a device, unless a newer one is known.
    func add(stop: ReplicaSeal, of device: DeviceID) {
        transaction.attempt(()) {
            try transaction.execute(
                """
                INSERT INTO stop VALUES (?, ?)
                    ON CONFLICT DO UPDATE SET seal = excluded.seal WHERE seal < excluded.seal
                """, [Data(device.bytes), Data(stop.bytes)])
        }
        // Other members pass it on, too.
        if device != replica.device { keep(stop, of: device) }
    }
}
