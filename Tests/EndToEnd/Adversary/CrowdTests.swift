import HostilePeers
import Portolan
import PortolanProtocol
import PortolanValues
import Testing

/// Hosts that hold as many sessions as possible, with undecided offers.
@Suite(.serialized) struct CrowdTests {
    /// Runs a victim that accepts all offers except mallory's, which are never decided.
    private func withUndecided(
        options: Node.ReceiveOptions = Node.ReceiveOptions(), _ body: @Sendable (Victim) async throws -> Void
    ) async throws {
        try await Victim.with(
            offerDeadline: .seconds(600), silence: .seconds(3600), options: options,
            deciding: { offer in
                guard offer.peer.name == "mallory" else { return .accept }
                try? await Task.sleep(for: .seconds(3600))
                return .decline(detail: "")
            }, body)
    }

    private func isEndOfSlow(_ event: ReceiveEvent) -> Bool {
        if case .disconnected(let peer, _) = event { peer.name == "sloth" } else { false }
    }

    @Test(
        "sessions that wait for an answer do not block other peers, whether they come from one address or from many",
        arguments: [false, true])
    func honestPeersGetInDespiteTheCrowd(fromMany: Bool) async throws {
        try await withUndecided { victim in
            let strangers = try (0..<72).compactMap { number -> HostilePeer? in
                // The places of one address are taken after a few; further sessions displace each other.
                guard fromMany || number < 12 else { return nil }
                let stranger = try HostilePeer(port: victim.port, from: fromMany ? UInt32(10 + number) : 1)
                try stranger.shakeHands()
                try stranger.offer(.file, awaitingAnswer: false)
                return stranger
            }
            for name in ["honest", "as honest"] { try await victim.stillServes(as: name) }
            let remaining = strangers.count { !$0.isHungUpOn(within: 0.01) }
            #expect(fromMany ? remaining == 72 : (4...8).contains(remaining))
        }
    }

    @Test(
        "the largest offers of 64 strangers are held within the memory limit", arguments: LargestOffer.allCases
    )
    func holdsSoMuch(kind: LargestOffer) async throws {
        let offer = try kind.offer()
        #expect(Message.offer(offer).encode().count <= Limits.control)
        try await withUndecided { victim in
            let strangers = try (0..<64).map { number in
                let stranger = try HostilePeer(port: victim.port, from: UInt32(10 + number))
                try stranger.shakeHands()
                return stranger
            }
            for stranger in strangers { try stranger.send(.offer(offer)) }
            let limit = 16 << 20
            // The offer is in memory twice: as decoded, and as shown for the decision.
            let footprint = 2 * offer.footprint
            let most = footprint > limit / 8 ? 0 : limit / footprint
            let left = try await Self.wait(until: most, of: strangers)
            try await victim.stillServes()
            // Messages count as well until they are handled.
            #expect(left.count { !$0.isHungUpOn(within: 0.1) } >= most / 2)
        }
    }

    @Test("rosters whose last part never arrives are held within the memory limit")
    func holdsUnfinishedRosters() async throws {
        let roster = [UInt8](repeating: 1, count: Limits.roster)
        let head = try RosterHead(roster: roster, signature: Array(roster.prefix(64)), secret: nil)
        try await withUndecided { victim in
            let strangers = try (0..<16).map { number in
                let stranger = try HostilePeer(port: victim.port, from: UInt32(10 + number))
                try stranger.shakeHands()
                try stranger.offer(.file, awaitingAnswer: false)
                let team = try #require(TeamID(bytes: [UInt8](repeating: UInt8(number), count: 16)))
                for index in 0..<7 as Range<UInt32> {
                    try? stranger.send(.teamUpdate(Message.TeamUpdate(team: team, index: index, count: 8, head: head)))
                }
                return stranger
            }
            _ = try await Self.wait(until: (16 << 20) / (7 * roster.count), of: strangers)
            try await victim.stillServes()
            withExtendedLifetime(strangers) {}
        }
    }

    /// Waits until at most this many strangers are still connected. Excess ones get a reason; the others get no
    /// message.
    private static func wait(until most: Int, of strangers: [HostilePeer]) async throws -> [HostilePeer] {
        let end = ContinuousClock.now + .seconds(300)
        var left = strangers[...]
        while left.count > most {
            try #require(.now < end, "\(left.count) stay, of which \(most) have room")
            let one = left.removeFirst()
            guard !one.isHungUpOn(within: 0.1) else { continue }
            left.append(one)
        }
        return Array(left)
    }

    @Test("100 of 100 honest sends arrive beside hostile offers, slow transfers and 10,000 half-open connections")
    func servesBesideAll() async throws {
        try await withUndecided { victim in
            let offer = try Message.offer(LargestOffer.texts.offer())
            let strangers = try (0..<64).map { number in
                let stranger = try HostilePeer(port: victim.port, from: UInt32(10 + number))
                try stranger.shakeHands()
                try stranger.send(offer)
                return stranger
            }
            let slow = try (0..<8).map {
                try SlowTransfer(at: victim.port, from: 0x10_0000 | UInt32($0), identity: .made(named: "sloth"))
            }
            let flood = ConnectionFlood(at: victim.port)
            let sender = try Honest(victim)
            var arrived = 0
            for _ in 0..<100 where try await sender.sends() { arrived += 1 }
            let end = ContinuousClock.now + .seconds(120)
            while flood.opened < 10_000, .now < end { try await Task.sleep(for: .milliseconds(10)) }
            flood.stop()
            #expect(arrived == 100)
            #expect(flood.opened >= 10_000)
            for one in slow { one.cut() }
            #expect(try await victim.waits(for: slow.count, of: isEndOfSlow))
            withExtendedLifetime(strangers) {}
        }
    }

    @Test("transfers that wait for a rate limit block no thread that another transfer needs")
    func pacesWithoutThreads() async throws {
        var options = Node.ReceiveOptions()
        options.rateLimit = 1 << 10
        try await withUndecided(options: options) { victim in
            let slow = try (0..<8).map { number in
                let peer = try HostilePeer(
                    port: victim.port, identity: .made(named: "sloth"), from: 0x10_0000 | UInt32(number))
                try peer.shakeHands()
                try peer.offer(.data, size: 1 << 30)
                try peer.begin(.data, name: Array("slow".utf8), size: 1 << 30)
                try peer.sendPayload(
                    PayloadHeader(transfer: 1, entry: 0, offset: 0), [UInt8](repeating: 0, count: 256 << 10))
                return peer
            }
            let sender = try Honest(victim)
            var arrived = 0
            for _ in 0..<20 where try await sender.sends() { arrived += 1 }
            #expect(arrived == 20)
            for one in slow { one.cut() }
            #expect(try await victim.waits(for: slow.count, of: isEndOfSlow))
        }
    }
}
