import Foundation
import PortolanSyncPlan

/// Identifier of a folder that is kept alike: 16 random bytes, the same on all members.
package struct SyncFolderID: Hashable, Sendable {
    /// Length in bytes.
    package static let length = 16

    package let bytes: [UInt8]

    /// - Returns: nil unless there are 16 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    /// A new one.
    package init() { bytes = (0..<Self.length).map { _ in .random(in: .min ... .max) } }
}

/// Place in the changes that one replica announces. Messages do not say whose: it is that of one of both sides.
package struct SyncPosition: Hashable, Sendable {
    /// Never 0.
    package let epoch: UInt64
    package let sequence: UInt64
    /// Seal that the replica gave with it.
    package let seal: ReplicaSeal?

    package init(epoch: UInt64, sequence: UInt64, seal: ReplicaSeal? = nil) {
        precondition(epoch != 0, "No epoch is 0")
        self.epoch = epoch
        self.sequence = sequence
        self.seal = seal
    }
}

// MARK: - Wire

extension SyncFolderID {
    init(wire: Data) throws(InvalidValue) {
        guard let id = SyncFolderID(Array(wire)) else {
            throw InvalidValue("The identifier of a folder has \(Self.length) bytes; this one has \(wire.count).")
        }
        self = id
    }

    var wire: Data { Data(bytes) }
}

extension SyncPosition {
    /// - Returns: nil for epoch 0, which stands for no position.
    static func of(epoch: UInt64, sequence: UInt64, seal: Data = Data()) throws(InvalidValue) -> SyncPosition? {
        guard sequence <= Limits.size else { throw InvalidValue("Changes are counted up to \(Limits.size).") }
        guard epoch != 0 else {
            guard sequence == 0, seal.isEmpty else { throw InvalidValue("A number of a change is of no epoch.") }
            return nil
        }
        return SyncPosition(
            epoch: epoch, sequence: sequence, seal: seal.isEmpty ? nil : try ReplicaSeal(wire: seal))
    }
}

extension ReplicaSeal {
    init(wire: Data) throws(InvalidValue) {
        guard let seal = ReplicaSeal(wire) else {
            throw InvalidValue("A seal has \(Self.length) bytes; this one has \(wire.count).")
        }
        self = seal
    }

    var wire: Data { Data(bytes) }
}
