import Foundation
import PortolanCrypto
import PortolanDiscovery
import PortolanProtocol
import PortolanTransport
import PortolanTrust
import PortolanValues
import TestSupport

/// Many nodes on one link: each advertises itself; some find all others by the production directory, and exchange items
/// with some of them in sessions by the production driver. Some nodes leave before the others have finished.
///
/// The link takes the role of mDNS responders: it delivers each record to every browsing node, some time after its
/// announcement.
package final class SimulatedNeighbourhood: @unchecked Sendable {
    // Sendable for the reason that its loop is: only the thread with the turn accesses the state.

    /// Node of the neighbourhood.
    fileprivate final class Node: @unchecked Sendable {
        // Sendable for the reason that the loop is.
        let number: Int
        let identity: DeviceIdentity
        let party: SimulatedParty
        /// True if the node looks for others; false if it is only found.
        let looks: Bool
        let leaves: Bool
        let host: VirtualHost
        var directory = PeerDirectory(foundBy: .embedded)

        init(
            _ number: Int, _ party: SimulatedParty, looks: Bool, leaves: Bool, on network: VirtualNetwork
        ) throws {
            self.number = number
            self.looks = looks
            self.party = party
            self.leaves = leaves
            identity = DeviceIdentity(name: try DeviceName("node \(number)"), key: .generate())
            host = VirtualHost(LocalIdentity(identity), on: network) { session in
                // The side that connects checks the outcome.
                try? await SessionDriver.run(on: session, ledger: NoTeams(), roles: party.roles) {
                    try await $0.stay()
                }
            }
        }

        var record: ServiceRecord {
            get throws {
                let advertisement = try Advertisement.open(
                    name: identity.name.text, fingerprint: identity.fingerprint, port: 4000, activities: .any)
                return ServiceRecord(
                    id: ServiceRecord.ID(instanceName: advertisement.name, interface: 1, family: .v4),
                    hostName: "node-\(number).local",
                    address: NetworkAddress(ip: .v4(0x0A00_0000 + UInt32(number)), port: advertisement.port),
                    txt: Dictionary(uniqueKeysWithValues: advertisement.txt), isOwn: false, isOnLink: true)
            }
        }
    }

    private let network: VirtualNetwork
    private var nodes: [Node] = []
    private var random: SeededGenerator
    private let exchangesOfEach: Int
    private let looking: Int
    /// Announced records, by the number of their node.
    private var records: [Int: ServiceRecord] = [:]

    /// Number of announcements and withdrawals of records, each of which is one message to every node.
    package private(set) var announcements = 0
    /// Number of sessions in which items were exchanged.
    package private(set) var exchanges = 0
    /// Number of attempts to reach a node that had left.
    package private(set) var misses = 0

    /// - Parameters:
    ///   - nodes: number of nodes, at most as many as a directory holds.
    ///   - looking: number of nodes that look for others.
    ///   - exchangesOfEach: number of sessions in which each of these exchanges items.
    package init(nodes count: Int, looking: Int, exchangesOfEach: Int, seed: UInt64) throws {
        precondition((2...PeerDirectory.maximumPeers).contains(count), "More nodes than anybody sees")
        precondition((1...count).contains(looking), "There are not as many nodes")
        self.looking = looking
        random = SeededGenerator(seed: seed)
        network = VirtualNetwork(seed: random.next())
        self.exchangesOfEach = exchangesOfEach
        let parties = (0..<count).map { _ in SimulatedParty(2, takesItems: true, on: network.loop, &random) }
        let contents = Dictionary(uniqueKeysWithValues: parties.flatMap(\.items).map { ($0.title, $0.content) })
        for (number, party) in parties.enumerated() {
            party.expected = { contents[$0] }
            let leaves = number > 1 && Int.random(in: 0..<10, using: &random) == 0
            nodes.append(try Node(number, party, looks: number < looking, leaves: leaves, on: network))
        }
    }

    /// Number of sends on all connections, and of their bytes.
    package var sends: Int { network.sends }
    package var bytes: Int { network.bytes }
    /// Trace of all events, in their order.
    package var trace: Trace { network.trace }
    /// Virtual time that has passed.
    package var elapsed: Duration { .nanoseconds(network.loop.elapsed) }

    /// Runs all nodes.
    ///
    /// - Throws: `SimulatedSessions.Violation`, `VirtualLoop.Stalled`.
    package func run() throws {
        defer { network.finish() }
        let nodes = nodes
        try network.loop.run { [self] in
            await withTaskGroup(of: Void.self) { tasks in
                for node in nodes { tasks.addTask { await self.live(node) } }
            }
            // The wait lasts until all nodes know of the last one that left.
            try await network.loop.sleep(for: .seconds(1))
        }
        try network.loop.run { nodes.allSatisfy { $0.host.serving == 0 } }
        let staying = nodes.count { !$0.leaves }
        for node in nodes {
            if let trouble = node.party.trouble { throw SimulatedSessions.Violation(trouble) }
            guard node.looks, !node.leaves else { continue }
            let found = node.directory.peers.count
            guard found == staying - 1 else {
                throw SimulatedSessions.Violation("Node \(node.number) sees \(found) of \(staying - 1) others.")
            }
        }
        guard exchanges == looking * exchangesOfEach else {
            throw SimulatedSessions.Violation("\(exchanges) exchanges of \(looking * exchangesOfEach).")
        }
    }

    private func live(_ node: Node) async {
        do {
            // Nodes start at different times.
            try await network.loop.sleep(for: .milliseconds(Int.random(in: 0...10_000, using: &random)))
            network.add(node.host, at: node.number)
            for record in records.values.sorted(by: { $0.hostName < $1.hostName }) { see(record, node) }
            announce(try node.record, of: node.number)
            // This is the time to find the others.
            try await network.loop.sleep(for: .seconds(12))
            for _ in 0..<(node.looks ? exchangesOfEach : 0) { try await exchange(node) }
            guard node.leaves else { return }
            withdraw(node)
        } catch {
            node.party.note("Node \(node.number): \(error)")
        }
    }

    // MARK: The link

    private func announce(_ record: ServiceRecord, of number: Int) {
        announcements += 1
        records[number] = record
        network.loop.at(network.loop.elapsed + network.delay) { [self] in
            for node in nodes where node.number != number { see(record, node) }
        }
    }

    private func withdraw(_ node: Node) {
        announcements += 1
        guard let record = records.removeValue(forKey: node.number) else { return }
        node.host.die()
        network.removeHost(at: node.number)
        network.loop.at(network.loop.elapsed + network.delay) { [self] in
            for other in nodes where other.looks { _ = other.directory.apply(.lost(record.id)) }
        }
    }

    private func see(_ record: ServiceRecord, _ node: Node) {
        guard node.looks, records[Int(number(of: record.address) ?? 0)] != nil else { return }
        _ = node.directory.apply(.found(record))
    }

    private func number(of address: NetworkAddress) -> UInt32? {
        guard case .v4(let bits) = address.ip else { return nil }
        return bits - 0x0A00_0000
    }

    // MARK: Exchanging

    /// Lists the items of another node, fetches one of them, and offers one in return.
    private func exchange(_ node: Node) async throws {
        let party = node.party
        while true {
            let peers = node.directory.peers
            guard let peer = peers.randomElement(using: &random), let fingerprint = peer.fingerprint,
                let address = peer.addresses.first, let number = number(of: address)
            else { throw SimulatedSessions.Violation("Node \(node.number) finds nobody.") }
            let session: Session
            do {
                session = try await node.host.open(to: Int(number)) { identity in
                    guard identity.fingerprint == fingerprint else {
                        throw SimulatedSessions.Violation("Somebody else is at \(address).")
                    }
                }
            } catch TransportError.unreachable {
                misses += 1
                continue
            } catch let error as HandshakeError where error.kind == .cut {
                misses += 1
                continue
            }
            do {
                try await SessionDriver.run(on: session, ledger: NoTeams(), roles: party.roles) { driver in
                    if let shown = try await driver.list().items.first {
                        try await driver.fetch(shown.id, party.reception)
                    }
                    let outcomes = try await driver.offer(
                        party.offering([party.items[0]]), answerWait: .seconds(60), manner: party.manner)
                    guard let outcome = outcomes?.first else {
                        throw SimulatedSessions.Violation("Nothing was offered.")
                    }
                    if case .failed(let failure, _) = outcome { throw SimulatedSessions.Violation("\(failure)") }
                }
                exchanges += 1
                return
            } catch TransportError.truncated {
                // The node has left.
                misses += 1
            }
        }
    }
}
