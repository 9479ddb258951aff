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
    private let founder: DeviceKey
    private let admins: [DeviceKey]

    init() throws {
        let founder = try DeviceKey(seed: [UInt8](repeating: 1, count: 32))
        self.founder = founder
        let admins = try (2...5).map { try DeviceKey(seed: [UInt8](repeating: $0, count: 32)) }
            .sorted { $0.pinned.precedes($1.pinned) }
        self.admins = admins
        rosters = try admins.indices.map { signer in
            try (0..<1 << Self.count).map { try Self.roster(by: signer, removing: $0, admins, founder) }
        }
    }

    private static func roster(
        by signer: Int, removing removed: Int, _ admins: [DeviceKey], _ founder: DeviceKey
    ) throws -> TeamHeads.Head {
        // The signer never removes itself: its own bit is left out.
        try roster(by: admins[signer], after: 1 << signer, without: removed & ~(1 << signer), back: 0, admins, founder)
    }

    /// - Parameters:
    ///   - known: admins whose rosters are included.
    ///   - removed: admins that are removed.
    ///   - back: removed admins that the founder has taken in again and promoted.
    private static func roster(
        by signer: DeviceKey, after known: Int, without removed: Int, back: Int, _ admins: [DeviceKey],
        _ founder: DeviceKey
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
        let gone = all.indices.filter { removed & 1 << $0 != 0 }
        let again = try all.indices.filter { back & 1 << $0 != 0 }.map { try member(admins[$0], UInt8($0) + 101) }
        var clock = RosterClock()
        clock.set(founder.pinned, signer.pinned == founder.pinned ? 2 : 1)
        for admin in all.indices where known & 1 << admin != 0 { clock.set(admins[admin].pinned, 1) }
        let roster = Roster(
            founder: founder.pinned, salt: salt, name: try TeamName("acme"), clock: clock, issued: 1_800_000_000,
            expires: 1_800_000_000 + 86_400,
            members: (try [member(founder, 0)] + all.indices.filter { !gone.contains($0) }.map { all[$0] } + again)
                .sorted { $0.key.precedes($1.key) },
            removals: gone.map { RosterRemoval(seat: all[$0].seat, key: all[$0].key, admin: all[$0].admin) },
            secretCommitment: Roster.commitment(to: secret), signer: signer.pinned)
        let signed = try SignedRoster(roster, by: signer)
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

    /// The founder joins the heads, and promotes all whom they remove: nothing that was dropped returns.
    @Test func promotionBringsNothingBack() throws {
        var promotions: [[Int]: TeamHeads.Head] = [:]
        var wrong: [[Int]] = []
        for graph in Self.graphs {
            let heads = heads(graph, in: Array(0..<Self.count))
            let removed = (0..<Self.count).reduce(0) { heads & 1 << $1 == 0 ? $0 : $0 | graph[$1] }
            let promotion =
                try promotions[[heads, removed]]
                ?? Self.roster(by: founder, after: heads, without: removed, back: removed, admins, founder)
            promotions[[heads, removed]] = promotion
            let list = (0..<Self.count).map { rosters[$0][graph[$0]] }
            for place in 0...Self.count {
                let order = Array(list[place...] + [promotion] + list[..<place])
                if HeadChoice(among: order).heads.map(\.digest) != [promotion.digest] { wrong.append(graph) }
            }
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
