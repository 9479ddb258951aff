import PortolanCrypto
import PortolanValues
import TestSupport
import Testing

@testable import PortolanTrust

/// Heads for each of the 4,096 ways in which four admins can remove each other at the same time.
@Suite(.aside) struct RemovalGraphTests {
    private static let count = 4

    /// `rosters[a][r]`: roster of admin `a` that removes the admins of the bits `r`. The smaller number is the senior.
    private let rosters: [[TeamHeads.Head]]

    init() throws {
        let founder = try DeviceKey(seed: [UInt8](repeating: 1, count: 32))
        let admins = try (2...5).map { try DeviceKey(seed: [UInt8](repeating: $0, count: 32)) }
            .sorted { $0.pinned.precedes($1.pinned) }
        rosters = try admins.indices.map { signer in
            try (0..<1 << Self.count).map { try Self.roster(by: signer, removing: $0, admins, founder) }
        }
    }

    private static func roster(
        by signer: Int, removing removed: Int, _ admins: [DeviceKey], _ founder: DeviceKey
    ) throws -> TeamHeads.Head {
        let salt = [UInt8](repeating: 9, count: TeamID.saltLength)
        let team = TeamID(founder: founder.pinned, salt: salt)
        let secret = SecretBytes(copying: [UInt8](repeating: 8, count: TeamHeads.secretLength))
        func seat(_ number: UInt8) throws -> Seat { try #require(Seat(bytes: [0, 0, 0, 0, 0, 0, 0, number])) }
        func member(_ key: DeviceKey, _ number: UInt8) throws -> RosterMember {
            RosterMember(
                key: key.pinned, name: try DeviceName("admin \(number)"), seat: try seat(2 * number), groups: [],
                admin: RosterAdmin(making: key.pinned, of: team, seat: try seat(2 * number + 1), by: founder))
        }
        let all = try admins.enumerated().map { try member($0.element, UInt8($0.offset) + 1) }
        // The signer never removes itself: its own bit is left out.
        let gone = all.indices.filter { $0 != signer && removed & 1 << $0 != 0 }
        var clock = RosterClock()
        clock.set(founder.pinned, 1)
        clock.set(admins[signer].pinned, 1)
        let roster = Roster(
            founder: founder.pinned, salt: salt, name: try TeamName("acme"), clock: clock, issued: 1_800_000_000,
            expires: 1_800_000_000 + 86_400,
            members: (try [member(founder, 0)] + all.indices.filter { !gone.contains($0) }.map { all[$0] })
                .sorted { $0.key.precedes($1.key) },
            removals: gone.map { RosterRemoval(seat: all[$0].seat, key: all[$0].key, admin: all[$0].admin) },
            secretCommitment: Roster.commitment(to: secret), signer: admins[signer].pinned)
        let signed = try SignedRoster(roster, by: admins[signer])
        return try TeamHeads.Head(verified: roster, TeamHeads.Update(signed: signed, secret: secret))
    }

    /// All sets of removals: for each admin the bits of those whom it removes.
    private static var graphs: [[Int]] {
        (0..<1 << (count * (count - 1))).map { number in
            (0..<count).map { admin in
                let others = number >> (admin * (count - 1)) & 0b111
                let below = others & (1 << admin - 1)
                return below | (others & ~below) << 1
            }
        }
    }

    private static func orders(of list: [Int]) -> [[Int]] {
        guard let last = list.last else { return [[]] }
        return orders(of: list.dropLast()).flatMap { order in
            (0...order.count).map { Array(order.prefix($0)) + [last] + order.dropFirst($0) }
        }
    }

    /// Admins that an admin removes, the admins that those remove, and so on.
    private static func reached(_ graph: [Int]) -> [Int] {
        graph.indices.map { start in
            var reached = graph[start]
            for _ in graph.indices {
                for other in graph.indices where reached & 1 << other != 0 { reached |= graph[other] }
            }
            return reached
        }
    }

    /// Bits of the admins whose rosters are heads.
    private func heads(_ graph: [Int], in order: [Int]) -> Int {
        let list = order.map { rosters[$0][graph[$0]] }
        return HeadChoice(among: list).heads.reduce(0) { bits, head in
            bits | 1 << (order.first { rosters[$0][graph[$0]].digest == head.digest } ?? Self.count)
        }
    }

    @Test func rostersRuleOutTheAdminsTheyRemove() {
        for remover in rosters.indices {
            for removed in rosters.indices where removed != remover {
                #expect(rosters[remover][1 << removed].removesSigner(with: rosters[removed][0].chain))
                #expect(!rosters[remover][0].removesSigner(with: rosters[removed][0].chain))
            }
        }
    }

    @Test func everyOrderGivesTheSameHeads() {
        let orders = Self.orders(of: Array(0..<Self.count))
        var differing: [[Int]] = []
        for graph in Self.graphs {
            let expected = heads(graph, in: orders[0])
            if orders.contains(where: { heads(graph, in: $0) != expected }) { differing.append(graph) }
        }
        #expect(differing.isEmpty && orders.count == 24)
    }

    @Test func mutualRemovalsAreSettledWithinTheirCircle() {
        var wrong: [[Int]] = []
        for graph in Self.graphs {
            let heads = heads(graph, in: Array(0..<Self.count))
            let reached = Self.reached(graph)
            let isWrong = (0..<Self.count).contains { remover in
                (0..<Self.count).contains { removed in
                    let bothCount = heads & 1 << remover != 0 && heads & 1 << removed != 0
                    return bothCount && graph[remover] & 1 << removed != 0 && reached[removed] & 1 << remover == 0
                }
            }
            if isWrong || heads == 0 { wrong.append(graph) }
        }
        #expect(wrong.isEmpty)
    }

    @Test func unopposedSeniorAdminStays() {
        var wrong: [[Int]] = []
        for graph in Self.graphs {
            let heads = heads(graph, in: Array(0..<Self.count))
            let reached = Self.reached(graph)
            for admin in 0..<Self.count where heads & 1 << admin == 0 {
                let reachedBy = (0..<Self.count).filter { reached[$0] & 1 << admin != 0 }
                if reachedBy.allSatisfy({ $0 >= admin && reached[admin] & 1 << $0 != 0 }) { wrong.append(graph) }
            }
        }
        #expect(wrong.isEmpty)
    }
}
