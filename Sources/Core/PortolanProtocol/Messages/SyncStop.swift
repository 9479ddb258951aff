import Foundation
import PortolanSyncPlan
import SwiftProtobuf

/// Stop of a device whose key several machines have, as the device itself tells it for a folder (SYNC.md 4.1).
package struct SyncStop: Hashable, Sendable {
    package let seal: ReplicaSeal
    /// Name of the machine, as it calls itself. At most ``Limits/name`` bytes; shown through `DisplayText`.
    package let host: String

    package init(_ seal: ReplicaSeal, host: String) throws(InvalidValue) {
        try InvalidValue.checkText(host, "The name of a machine", maximum: Limits.name)
        self.seal = seal
        self.host = host
    }
}

/// Stop of the receiver's key, as a member knows it, with the machines that it has met.
package struct HeardStop: Hashable, Sendable {
    package struct Machine: Hashable, Sendable {
        /// Name, as it calls itself; empty if it is not known.
        package let host: String
        /// Address from which it came.
        package let address: String
        /// Seconds since 1970.
        package let seen: UInt64

        /// - Parameters:
        ///   - host: at most ``Limits/name`` bytes, like the address. Both are shown through `DisplayText`.
        ///   - seen: at most ``Limits/size``.
        package init(host: String, address: String, seen: UInt64) throws(InvalidValue) {
            try InvalidValue.checkText(host, "The name of a machine", maximum: Limits.name)
            try InvalidValue.checkText(address, "The address of a machine", maximum: Limits.name)
            try InvalidValue.checkSize(seen, "A time")
            self.host = host
            self.address = address
            self.seen = seen
        }
    }

    package let seal: ReplicaSeal
    /// At most ``Limits/machines``.
    package let machines: [Machine]

    package init(_ seal: ReplicaSeal, _ machines: [Machine] = []) throws(InvalidValue) {
        try InvalidValue.checkCount(machines.count, "machines with one key", maximum: Limits.machines)
        self.seal = seal
        self.machines = machines
    }
}

// MARK: - Wire

extension SyncStop {
    /// - Returns: nil without a stop.
    static func of(_ wire: WireSyncFolder) throws(InvalidValue) -> SyncStop? {
        guard !wire.stop.isEmpty else {
            guard wire.host.isEmpty else { throw InvalidValue("A machine that does not stand still names itself.") }
            return nil
        }
        return try SyncStop(try ReplicaSeal(wire: wire.stop), host: wire.host)
    }
}

extension HeardStop {
    /// - Returns: nil without a stop.
    static func of(_ wire: WireSyncFolder) throws(InvalidValue) -> HeardStop? {
        guard !wire.heardStop.isEmpty else {
            guard wire.machines.isEmpty else { throw InvalidValue("Machines are named without a stop.") }
            return nil
        }
        try InvalidValue.checkCount(wire.machines.count, "machines with one key", maximum: Limits.machines)
        var machines: [Machine] = []
        for one in wire.machines {
            machines.append(try Machine(host: one.host, address: one.address, seen: one.seen))
        }
        return try HeardStop(try ReplicaSeal(wire: wire.heardStop), machines)
    }

    var wire: [WireSyncMachine] {
        machines.map { one in
            .with {
                $0.host = one.host
                $0.address = one.address
                $0.seen = one.seen
            }
        }
    }
}
