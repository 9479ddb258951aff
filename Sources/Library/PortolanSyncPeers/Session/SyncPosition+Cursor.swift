import PortolanCrypto
import PortolanProtocol
import PortolanSyncPlan

extension ChangeCursor {
    /// - Parameter device: device of the changes.
    init(_ position: SyncPosition, of device: DevicePublicKey) {
        self.init(
            ReplicaID(device: DeviceID(device), epoch: position.epoch), position.sequence, seal: position.seal)
    }
}

extension SyncPosition {
    init?(_ cursor: ChangeCursor) {
        guard cursor.replica.epoch != 0, cursor.sequence <= Limits.size else { return nil }
        self.init(epoch: cursor.replica.epoch, sequence: cursor.sequence, seal: cursor.seal)
    }
}

extension DeviceID {
    init(_ key: DevicePublicKey) {
        guard let device = DeviceID(key.bytes) else { preconditionFailure("A key has 32 bytes") }
        self = device
    }
}
