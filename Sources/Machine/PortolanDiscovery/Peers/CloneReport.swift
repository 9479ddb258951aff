import PortolanCrypto
import PortolanValues

/// Sighting of a device's key on several machines: a disk was copied, or a record is forged.
///
/// Information for people. It is unproven, and does not influence connections.
package struct CloneReport: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Two or more machines advertise the fingerprint.
        case severalHosts
        /// Another machine advertises this device's own fingerprint.
        case ownElsewhere
    }

    /// A machine: records with a common host name or address.
    package struct Host: Hashable, Sendable {
        /// The host name, made safe to show; one of them if there are several.
        package let name: String
        /// Addresses of the machine, likeliest first.
        package let addresses: [NetworkAddress]
    }

    package let fingerprint: Fingerprint
    package let kind: Kind
    /// Machines in the order of their appearance; for ``Kind/ownElsewhere`` only the others.
    package let hosts: [Host]
}

extension PeerDirectory {
    /// Largest number of sightings.
    package static let maximumClones = 64

    /// Returns the keys that several machines advertise now, in the order of their devices' arrival.
    ///
    /// - Parameters:
    ///   - own: this device's fingerprint.
    ///   - local: this machine's addresses, see ``LinkAddresses/all()``.
    package func clones(own: Fingerprint, local: Set<IPAddress>) -> [CloneReport] {
        let sightings = entriesByArrival.lazy.compactMap { entry -> CloneReport? in
            guard let fingerprint = entry.peer.fingerprint else { return nil }
            var hosts = HostGroup.groups(of: entry.records)
            if fingerprint == own {
                hosts.removeAll { $0.isLocal(local) }
                return hosts.isEmpty ? nil : CloneReport(fingerprint, .ownElsewhere, hosts)
            }
            // A hidden device that renews its advertisement looks like two for some seconds.
            guard hosts.count > 1, !hosts.contains(where: \.isHidden) else { return nil }
            // Two processes of one machine have two host names, and share addresses once both are heard in one family.
            if hosts.count == 2, hosts[0].families.isDisjoint(with: hosts[1].families) { return nil }
            return CloneReport(fingerprint, .severalHosts, hosts)
        }
        return Array(sightings.prefix(Self.maximumClones))
    }
}

extension CloneReport {
    fileprivate init(_ fingerprint: Fingerprint, _ kind: Kind, _ groups: [HostGroup]) {
        self.fingerprint = fingerprint
        self.kind = kind
        hosts = groups.map { Host(name: DisplayText($0.name).text, addresses: AddressRanker.ordered($0.addresses)) }
    }
}

/// Records of one machine, by host name or by address.
private struct HostGroup {
    let name: String
    private var names: Set<String>
    private var places: Set<NetworkAddress.Destination>
    private(set) var addresses: [NetworkAddress]
    private(set) var families: Set<AddressFamily>
    /// True if all records are hidden, whose host names change.
    private(set) var isHidden: Bool

    private init(_ record: ServiceRecord, _ opening: DiscoveredPeer.SessionAccess) {
        name = record.hostName
        // Host names are compared without case (RFC 6762 §16).
        names = [record.hostName.lowercased()]
        places = [record.address.place]
        addresses = [record.address]
        families = [record.address.ip.isV6 ? .v6 : .v4]
        isHidden = opening != .open
    }

    static func groups(of records: [(record: ServiceRecord, opening: DiscoveredPeer.SessionAccess)]) -> [HostGroup] {
        records.reduce(into: []) { groups, sighting in
            var group = HostGroup(sighting.record, sighting.opening)
            // The record may join several groups without a common record; the oldest keeps its place.
            let related = groups.indices.filter { groups[$0].isSameMachine(as: group) }
            guard let first = related.first else { return groups.append(group) }
            for index in related.reversed() {
                group = groups[index].joined(with: group)
                groups.remove(at: index)
            }
            groups.insert(group, at: first)
        }
    }

    private func isSameMachine(as other: HostGroup) -> Bool {
        !names.isDisjoint(with: other.names) || !places.isDisjoint(with: other.places)
    }

    private func joined(with other: HostGroup) -> HostGroup {
        var group = self
        group.names.formUnion(other.names)
        group.places.formUnion(other.places)
        group.addresses += other.addresses
        group.families.formUnion(other.families)
        group.isHidden = isHidden && other.isHidden
        return group
    }

    func isLocal(_ local: Set<IPAddress>) -> Bool { addresses.contains { $0.ip.isLoopback || local.contains($0.ip) } }
}

extension NetworkAddress {
    /// Address without the port: one machine may advertise from several processes.
    fileprivate var place: Destination { NetworkAddress(ip: ip, port: 0, interface: interface).destination }
}
