import HostilePeers
import Portolan
import PortolanProtocol
import Testing

/// Senders whose lane breaks, or never brings the announced content.
@Suite(.serialized) struct BrokenLaneTests {
    @Test("a broken lane ends the session without a reason, so that an honest sender tries again")
    func saysNothing() async throws {
        try await Victim.with { victim in
            let (peer, lane) = try victim.beginFile(named: "half", size: 8)
            let hasStarted = try await victim.waits { if case .started = $0 { true } else { false } }
            #expect(hasStarted)
            lane.cut()
            let words = try peer.lastWords()
            #expect(words == 0, "it said Close or the end record")
            let hasEnded = try await victim.hasEndedASession()
            #expect(hasEnded)
            try await victim.stillServes()
        }
    }

    @Test("a record for an entry that never arrives ends the session as soon as silence would")
    func doesNotWaitForever() async throws {
        // Longer than a busy machine takes from one message to the next.
        let silence = Duration.seconds(30)
        try await Victim.with(silence: silence) { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try peer.offer(.folder)
            try peer.begin(.folder, name: Array("never".utf8))
            let lanes = [try peer.openLane(), try peer.openLane(1)]
            try lanes[0].send(.folder(0))
            try lanes[1].sendPayload([1], of: 7)
            let began = ContinuousClock.now
            try peer.end(entries: 8, bytes: 1, lanes: 2)
            let isHungUpOn = peer.isHungUpOn(within: 300)
            let time = began.duration(to: .now)
            #expect(isHungUpOn)
            #expect(time < silence * 8, "\(time)")
            let hasEnded = try await victim.hasEndedASession()
            #expect(hasEnded)
            try await victim.stillServes()
        }
    }
}
