import Foundation
import PortolanCrypto
import PortolanProtocol
import PortolanTransport
import PortolanTrust
import PortolanValues
import TestSupport

/// Two parties that meet in sessions without lanes: they offer, decline, list and request, in both directions at once,
/// until one of them has offered all its items.
///
/// All random decisions come from one seed: actions, delays of the network, broken connections and ends of processes.
/// Afterwards the reports of each side about the other are verified.
package final class SimulatedSessions: @unchecked Sendable {
    // Sendable for the reason that its loop is: only the thread with the turn accesses the state.

    /// Violation of a promise.
    package struct Violation: Error, CustomStringConvertible {
        package let description: String

        init(_ description: String) { self.description = description }
    }

    /// Event in the life of a session.
    private enum Fault: CaseIterable {
        case connectionBreaks
        case initiatorEnds
        case responderEnds
        case initiatorIsCancelled
        case responderIsCancelled
    }

    /// Largest number of sessions until all items must have been offered, in spite of faults.
    private static let mostSessions = 20
    /// Longest virtual time of all of them, in seconds: no wait of an honest peer lasts longer.
    private static let longest: Int64 = 24 * 3600

    private let network: VirtualNetwork
    private let parties: [SimulatedParty]
    private var hosts: [VirtualHost] = []
    private var random: SeededGenerator
    /// Items of the first party that the second one has not decided yet.
    private var open: [SimulatedParty.Item]
    private var faultsLeft: Int
    private var isDisturbed = false
    private var responders: [Task<Void, Never>] = []

    /// Number of sessions that were begun.
    package private(set) var sessions = 0
    package private(set) var log: [String] = []

    /// - Parameter isCarrying: true if some items are accepted; otherwise no session has a payload.
    package init(seed: UInt64, isCarrying: Bool = true) {
        random = SeededGenerator(seed: seed)
        let manner = VirtualNetwork.Manner.random(&random)
        let network = VirtualNetwork(seed: random.next(), manner: manner)
        self.network = network
        var parties: [SimulatedParty] = []
        for count in [1 + Self.below(4, &random), Self.below(5, &random)] {
            parties.append(SimulatedParty(count, takesItems: isCarrying, on: network.loop, &random))
        }
        self.parties = parties
        open = parties[0].items
        faultsLeft = Self.below(2, &random) == 0 ? 1 + Self.below(3, &random) : 0
        for (party, other) in [(parties[0], parties[1]), (parties[1], parties[0])] {
            party.expected = { [items = other.items] title in items.first { $0.title == title }?.content }
        }
    }

    private static func below(_ limit: Int, _ random: inout SeededGenerator) -> Int {
        Int.random(in: 0..<limit, using: &random)
    }

    /// Trace of all events, in their order.
    package var trace: Trace { network.trace }

    // MARK: Running

    /// Runs sessions until all items have been decided.
    ///
    /// - Throws: ``Violation``, and `VirtualLoop.Stalled` if a task waits for an event that never comes.
    package func run() throws {
        defer { network.finish() }
        for number in 0..<2 { start(number) }
        while !open.isEmpty {
            sessions += 1
            guard sessions <= Self.mostSessions else { throw Violation("It never ends.") }
            let fault = faultsLeft > 0 ? Fault.allCases.randomElement(using: &random) : nil
            faultsLeft -= 1
            isDisturbed = fault != nil
            log.append("\(sessions): \(fault.map { "\($0)" } ?? "nothing happens"), \(open.count) are open")
            try session(fault)
            try check()
            for number in 0..<2 where hosts[number].isDown { start(number) }
        }
        guard network.loop.elapsed < Self.longest * 1_000_000_000 else { throw Violation("It took a day.") }
    }

    /// A process of a party begins.
    private func start(_ number: Int) {
        let party = parties[number]
        let host = VirtualHost(Self.identities[number], on: network) { [weak self] session in
            await self?.serve(session, party)
        }
        party.isDown = { [weak host] in host?.isDown ?? true }
        hosts[number..<min(number + 1, hosts.count)] = [host]
        network.add(host, at: number)
    }

    private func session(_ fault: Fault?) throws {
        let initiator = Task(executorPreference: network.loop) { [self] in await meet() }
        let isOver = Flag()
        Task(executorPreference: network.loop) {
            await initiator.value
            isOver.isSet = true
        }
        let disturbance = fault.map { fault in
            // The fault comes between the first bytes of a connection and the end of a long session, or never.
            let time = Int64.random(in: 0...network.manner.delay.upperBound * 30, using: &random)
            return network.loop.at(network.loop.elapsed + time) { [self] in
                switch fault {
                case .connectionBreaks: hosts[0].cutConnections()
                case .initiatorEnds: hosts[0].die()
                case .responderEnds: hosts[1].die()
                case .initiatorIsCancelled: initiator.cancel()
                case .responderIsCancelled: for task in responders { task.cancel() }
                }
            }
        }
        defer { disturbance?.cancel() }
        try network.loop.run { isOver.isSet && hosts.allSatisfy { $0.serving == 0 } }
        responders = []
    }

    /// Flag for the thread with the turn.
    private final class Flag: @unchecked Sendable {
        var isSet = false
    }

    // MARK: The side that connects

    private func meet() async {
        let party = parties[0]
        do {
            let session = try await hosts[0].open(to: 1)
            try await SessionDriver.run(on: session, ledger: NoTeams(), roles: party.roles) { driver in
                for step in 0..<(1 + Self.below(3, &random)) {
                    switch step == 0 ? 0 : Self.below(3, &random) {
                    case 0: try await offer(in: driver)
                    case 1: try await list(in: driver)
                    default: try await fetch(in: driver)
                    }
                }
            }
        } catch {
            judge(error)
        }
    }

    private func offer(in driver: SessionDriver) async throws {
        let items = Array(open.prefix(1 + Self.below(3, &random)))
        let settled = try await offer(items, from: parties[0], to: parties[1], in: driver)
        open.removeAll { settled.contains($0.title) }
    }

    /// - Returns: titles of the items that were stored or declined.
    private func offer(
        _ items: [SimulatedParty.Item], from sender: SimulatedParty, to receiver: SimulatedParty,
        in driver: SessionDriver
    ) async throws -> Set<String> {
        guard !items.isEmpty else { return [] }
        let before = items.map { receiver.stored[$0.title] ?? 0 }
        let outcomes = try await driver.offer(
            sender.offering(items), answerWait: .seconds(60), manner: sender.manner)
        guard let outcomes, outcomes.count == items.count else {
            sender.note("An offer of \(items.count) items had \(outcomes?.count ?? -1) outcomes.")
            return []
        }
        var settled: Set<String> = []
        for (index, outcome) in outcomes.enumerated() {
            let title = items[index].title
            let isStored = (receiver.stored[title] ?? 0) > before[index]
            switch outcome {
            case .stored:
                if !isStored { sender.note("A receipt came for what is not stored.") }
                settled.insert(title)
            case .declined:
                // The side that connects may fetch the item meanwhile.
                if isStored, receiver !== parties[0] { sender.note("What was declined is stored.") }
                settled.insert(title)
            case .failed(let failure, _):
                if !isDisturbed { sender.note("An item failed: \(failure).") }
            }
        }
        return settled
    }

    private func list(in driver: SessionDriver) async throws {
        var found: [ItemID] = []
        var place: [UInt8] = []
        repeat {
            let listing = try await driver.list(after: place, most: Self.below(3, &random))
            found += listing.items.map(\.id)
            place = listing.next
        } while !place.isEmpty
        guard found == parties[1].visible.map(\.id) else {
            return parties[0].note("A list shows \(found.count) of \(parties[1].visible.count) items.")
        }
    }

    /// Requests a random item, or a missing one: hidden items must get the same answer as missing ones.
    private func fetch(in driver: SessionDriver) async throws {
        let item = Self.below(4, &random) == 0 ? nil : parties[1].items.randomElement(using: &random)
        let unknown = ItemID((0..<16).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        guard let id = item?.id ?? unknown else { return }
        let before = item.map { parties[0].taken[$0.title] ?? 0 }
        do {
            try await driver.fetch(id, parties[0].reception)
            guard let item, item.isVisible else { return parties[0].note("What is not to be seen was given.") }
        } catch TransportError.refused(.gone) {
            if item?.isVisible == true { parties[0].note("An item that is shown was refused.") }
            if let item, parties[0].taken[item.title] ?? 0 != before { parties[0].note("A refused item was offered.") }
        }
    }

    // MARK: The side that is connected to

    private func serve(_ session: Session, _ party: SimulatedParty) async {
        let items = party.chance(3) ? Array(party.visible.prefix(2)) : []
        let task = Task(executorPreference: network.loop) { [self] in
            do {
                try await SessionDriver.run(on: session, ledger: NoTeams(), roles: party.roles) { driver in
                    if !items.isEmpty {
                        do {
                            _ = try await offer(items, from: party, to: parties[0], in: driver)
                        } catch TransportError.endedUnanswered {
                            // The other side had finished its work.
                        }
                    }
                    try await driver.stay()
                }
            } catch {
                judge(error)
            }
        }
        responders.append(task)
        await task.value
    }

    // MARK: Checks

    /// Checks the error of a session: it may end early only after a fault, and never because one side took the other
    /// for hostile.
    private func judge(_ error: any Error) {
        log.append("   \(error)")
        let isOfProtocol =
            switch error {
            case is ProtocolViolation: true
            case TransportError.closedByPeer(let close):
                [.protocolViolation, .badIndex, .limit, .internal].contains(close.code)
            case TransportError.silent, TransportError.deadlinePassed, TransportError.answerIsOverdue: true
            default: false
            }
        if isOfProtocol || !isDisturbed { parties[0].note("A session ended with \(type(of: error)): \(error)") }
    }

    private func check() throws {
        for party in parties {
            if let trouble = party.trouble { throw Violation(trouble) }
            for (title, count) in party.stored where count > party.taken[title] ?? 0 {
                throw Violation("\(title) was taken \(party.taken[title] ?? 0) times and stored \(count) times.")
            }
        }
    }

    /// Identities of the parties, made once for the process: keys do not depend on the seed.
    private static let identities: [LocalIdentity] = ["first", "second"].map { name in
        guard let name = try? DeviceName(name) else { preconditionFailure("It is a name") }
        return LocalIdentity(DeviceIdentity(name: name, key: .generate()))
    }
}

/// Ledger without shared teams.
package struct NoTeams: TeamLedger {
    package init() {}

    package func teams(sharedWith peer: RemoteIdentity) -> [SharedTeam] { [] }
    package func adopt(_ team: TeamID, _ heads: [RosterHead], from peer: RemoteIdentity) -> Bool { false }
}
