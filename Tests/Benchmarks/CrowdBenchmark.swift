import Foundation
import Glibc
import HostilePeers
import PortolanProtocol
import TestSupport

/// A receiver with many strangers: its memory, and the time of honest sends.
struct CrowdBenchmark {
    let portolan: String

    private static let honestSends = 100
    private static let idleSessions = 500
    private static let halfOpen = 10_000

    func run() async throws -> [Verdict] {
        try await idle() + offers() + honestSends()
    }

    /// Connects peers from many addresses of several networks, up to the node's limit.
    private func peers(_ count: Int, at victim: VictimProcess, capabilities: Capabilities) throws -> [HostilePeer] {
        try (0..<count).map { number in
            let host = UInt32(1 + number / 200) << 8 | UInt32(10 + number % 200)
            let peer = try HostilePeer(port: victim.port, from: host)
            try peer.shakeHands(capabilities: capabilities)
            return peer
        }
    }

    private func idle() async throws -> [Verdict] {
        say("\n\(Self.idleSessions) sessions in which nothing happens")
        let victim = try await VictimProcess(portolan: portolan)
        defer { victim.stop() }
        let before = victim.memory
        // A node ends most sessions that both sides keep. These have as much time as the first offer may take.
        let peers = try peers(Self.idleSessions, at: victim, capabilities: [.takes])
        try await Task.sleep(for: .seconds(1))
        let after = victim.memory
        let staying = peers.count { !$0.isHungUpOn(within: 0.001) }
        guard staying == peers.count else { throw HostsError("only \(staying) of \(peers.count) sessions stay") }
        say("\(number(before, 1)) MiB before, \(number(after, 1)) MiB with them")
        return [
            Verdict(
                "memory with \(Self.idleSessions) idle sessions", value: after, .atMost(64), digits: 1, unit: " MiB")
        ]
    }

    private func offers() async throws -> [Verdict] {
        var verdicts: [Verdict] = []
        for kind in LargestOffer.allCases {
            say("\n64 strangers, each with the largest offer: \(kind.rawValue)")
            let victim = try await VictimProcess(portolan: portolan)
            defer { victim.stop() }
            let message = try Message.offer(kind.offer())
            let peers = try peers(64, at: victim, capabilities: [.takes])
            for peer in peers { try? peer.send(message) }
            var most = 0.0
            for _ in 0..<30 {
                try await Task.sleep(for: .milliseconds(100))
                most = max(most, victim.memory)
            }
            let staying = peers.count { !$0.isHungUpOn(within: 0.001) }
            say("\(staying) of them stay; \(number(most, 1)) MiB")
            verdicts.append(
                Verdict(
                    "memory with 64 hostile offers: \(kind.rawValue)", value: most, .atMost(64), digits: 1,
                    unit: " MiB"))
        }
        return verdicts
    }

    private func honestSends() async throws -> [Verdict] {
        say("\n\(Self.honestSends) honest sends, undisturbed and beside hostile peers")
        let victim = try await VictimProcess(portolan: portolan)
        defer { victim.stop() }
        let alone = try sends(20, to: victim)
        let message = try Message.offer(LargestOffer.texts.offer())
        let hostile = try peers(64, at: victim, capabilities: [.takes])
        for peer in hostile { try? peer.send(message) }
        let slow = try (0..<8).map { try SlowTransfer(at: victim.port, from: 0x10_0000 | UInt32($0)) }
        let flood = ConnectionFlood(at: victim.port)
        let disturbed = try sends(Self.honestSends, to: victim)
        flood.stop()
        withExtendedLifetime((hostile, slow)) {}
        let (median, worst) = (disturbed.median / alone.median, (disturbed.max() ?? 0) / alone.median)
        say(Table.times([("undisturbed", alone), ("beside hostile peers", disturbed)]))
        say("\(flood.opened) half-open connections were opened meanwhile")
        guard flood.opened >= Self.halfOpen else { throw HostsError("fewer than \(Self.halfOpen)") }
        return [
            Verdict(
                "honest sends that arrive beside hostile peers, of \(Self.honestSends)", value: Double(disturbed.count),
                .atLeast(Double(Self.honestSends)), digits: 0, unit: ""),
            Verdict("honest sends beside hostile peers: median time", value: median, .atMost(2), digits: 2, unit: ""),
            Verdict("honest sends beside hostile peers: longest time", value: worst, .atMost(2), digits: 2, unit: ""),
        ]
    }

    /// - Returns: the times of the sends that arrived.
    private func sends(_ count: Int, to victim: VictimProcess) throws -> [Double] {
        try (0..<count).compactMap { _ in try victim.sendHonestly(as: "honest") }
    }
}
