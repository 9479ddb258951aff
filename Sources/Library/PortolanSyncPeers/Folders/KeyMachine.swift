import PortolanProtocol
import PortolanSyncPlan
import PortolanValues

/// Machine with a key that several machines have.
package struct KeyMachine: Hashable, Codable, Sendable {
    /// Key, in hexadecimal digits.
    package var device: String
    /// Name of the device with that key; safe to print.
    package var by: String
    /// Name of the machine, as it calls itself; untrusted text, empty if it is not known.
    package var host: String
    /// Address from which it came; untrusted text where another device has told it.
    package var address: String
    /// Seconds since 1970.
    package var seen: UInt64

    /// Text for people; safe to print.
    var text: String {
        let address = DisplayText(address, limit: 100)
        return host.isEmpty ? address.text : "\(DisplayText(host, limit: 100)) (\(address))"
    }
}

extension [KeyMachine] {
    /// Text for people; safe to print.
    var text: String { map(\.text).joined(separator: " and ") }
}

/// Machines with the key of one device that this one has met in the sessions for a folder, the newest last.
///
/// They are told apart by their epochs, else by their names, else by their addresses.
struct MetMachines: Sendable {
    private struct Met: Sendable {
        var machine: KeyMachine
        /// Latest epoch that it told; 0 for none.
        var epoch: UInt64
        /// Latest session; nil for one of an earlier process.
        var session: ObjectIdentifier?

        func mayBe(_ other: KeyMachine, epoch otherEpoch: UInt64) -> Bool {
            if epoch != 0, otherEpoch != 0 { return epoch == otherEpoch }
            if !machine.host.isEmpty, !other.host.isEmpty { return machine.host == other.host }
            return machine.address == other.address
        }
    }

    private var all: [Met] = []
    private static let most = 8

    init() {}

    init(_ stored: [KeyMachine]) { all = stored.map { Met(machine: $0, epoch: 0, session: nil) } }

    /// Records what a machine told in a session.
    ///
    /// - Parameters:
    ///   - epoch: of its latest change; 0 for a machine that stands still.
    ///   - host: of a machine that stands still.
    mutating func note(_ machine: KeyMachine, epoch: UInt64, in session: ObjectIdentifier) {
        let here = all.indices.filter { all[$0].machine.address == machine.address }
        var place = here.last { all[$0].session == session } ?? here.last { epoch != 0 && all[$0].epoch == epoch }
        if epoch == 0, place == nil {
            place =
                here.last { all[$0].mayBe(machine, epoch: 0) } ?? all.lastIndex { $0.mayBe(machine, epoch: 0) }
        }
        guard let place else {
            all.append(Met(machine: machine, epoch: epoch, session: session))
            if all.count > Self.most { all.removeFirst() }
            return
        }
        all[place].session = session
        if epoch != 0 { all[place].epoch = epoch }
        if !machine.host.isEmpty { all[place].machine.host = machine.host }
    }

    /// The two newest ones that are not the same, in a fixed order; fewer if others were not met.
    var pair: [KeyMachine] {
        guard let newest = all.last else { return [] }
        let elsewhere = all.filter { $0.machine.address != newest.machine.address }
        let other: Met? =
            elsewhere.last { !$0.mayBe(newest.machine, epoch: newest.epoch) }
            ?? elsewhere.last { $0.epoch == 0 || $0.epoch != newest.epoch || $0.machine.host != newest.machine.host }
            ?? all.last { $0.epoch != newest.epoch && $0.session != newest.session }
        return [newest, other].compactMap(\.?.machine).sorted {
            ($0.host, $0.address, $0.seen) < ($1.host, $1.address, $1.seen)
        }
    }

    /// The same for the wire.
    var told: [HeardStop.Machine] {
        pair.compactMap { try? HeardStop.Machine(host: $0.host, address: $0.address, seen: $0.seen) }
    }
}
