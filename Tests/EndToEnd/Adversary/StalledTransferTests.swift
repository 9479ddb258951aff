import HostilePeers
import NodeTestSupport
import Portolan
import PortolanProtocol
import Testing

/// Strangers whose accepted transfers stall, although their sessions stay alive.
@Suite(.serialized) struct StalledTransferTests {
    private static func withPatient(_ body: @Sendable (Victim) async throws -> Void) async throws {
        try await Victim.with(offerDeadline: .seconds(600), silence: .seconds(3600), body)
    }

    @Test("stalled transfers keep the places of their address until others need them")
    func makesRoom() async throws {
        try await Self.withPatient { victim in
            let stalled = try (0..<8).map { _ in try SlowTransfer(at: victim.port, from: 1) }
            // The next one is refused until the first has made no progress for ten seconds.
            try await victim.stillServes()
            #expect(stalled[0].isHungUpOn(within: 300))
            for one in stalled { one.cut() }
            #expect(try await victim.hasEndedASession(count: stalled.count))
        }
    }

    @Test("incomplete records together take at most 16 MiB of memory")
    func boundsMemory() async throws {
        try await Self.withPatient { victim in
            let stalled = try (0..<24).map { try SlowTransfer(at: victim.port, from: UInt32(10 + $0)) }
            // A session that was closed to make room does not answer, and cannot send everything.
            for one in stalled { try? one.pinMemory() }
            let end = ContinuousClock.now + .seconds(300)
            let most = (16 << 20) / Limits.payload
            var left = stalled[...]
            while left.count > most {
                try #require(.now < end, "\(left.count) stay, of which \(most) have room")
                let one = left.removeFirst()
                if !one.isHungUpOn(within: 0.1) { left.append(one) }
            }
            try await victim.stillServes()
            #expect(left.count { !$0.isHungUpOn(within: 0.01) } >= most / 2)
            for one in stalled { one.cut() }
            #expect(try await victim.hasEndedASession(count: stalled.count))
        }
    }
}
