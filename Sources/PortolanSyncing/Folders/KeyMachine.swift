import PortolanProtocol
import PortolanSyncModel
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
struct MetMachines: Sendable {
    private struct Met: Sendable {
        var machine: KeyMachine
        /// Epoch that it told; 0 for none.
        var epoch: UInt64
        /// Session; nil for one of an earlier process.
        var session: ObjectIdentifier?
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
        let place =
            epoch != 0
            ? all.lastIndex { $0.epoch == epoch && $0.machine.address == machine.address }
            : all.lastIndex { $0.session == session }
                ?? all.lastIndex { one in
                    one.machine.address == machine.address
                        && (one.machine.host.isEmpty || one.machine.host == machine.host)
                }
        guard let place else {
            all.append(Met(machine: machine, epoch: epoch, session: session))
            if all.count > Self.most { all.removeFirst() }
            return
        }
        all[place].session = session
        if !machine.host.isEmpty { all[place].machine.host = machine.host }
    }

    /// The two newest ones that are not the same, in a fixed order; fewer if others were not met.
    var pair: [KeyMachine] {
        guard let newest = all.last else { return [] }
        let other =
            all.last { $0.machine.address != newest.machine.address }
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
