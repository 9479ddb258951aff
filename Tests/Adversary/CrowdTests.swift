import Portolan
import PortolanTrust
import Testing

/// Neighbours who hold as many sessions as they can, and let nobody decide about them.
@Suite(.serialized) struct CrowdTests {
    @Test(
        "sessions that wait for an answer keep nobody out, whether they come from one address or from many",
        arguments: [false, true])
    func keepsNobodyOut(fromMany: Bool) async throws {
        try await Victim.with(
            offerDeadline: .seconds(600), silence: .seconds(3600),
            deciding: { offer in
                guard offer.peer.name == "mallory" else { return .accept }
                try? await Task.sleep(for: .seconds(3600))
                return .decline(detail: "")
            }
        ) { victim in
            let strangers = try (0..<72).compactMap { number -> HostilePeer? in
                // The places of one address are taken after a few, and more displace each other.
                guard fromMany || number < 12 else { return nil }
                let stranger = try HostilePeer(port: victim.port, from: fromMany ? UInt8(10 + number) : 1)
                try stranger.shakeHands()
                try stranger.offer(.file, awaitingAnswer: false)
                return stranger
            }
            for name in ["honest", "as honest"] { try await victim.stillServes(as: name) }
            let remaining = strangers.filter { !$0.isHungUpOn(within: 0.01) }
            #expect(remaining.count >= (fromMany ? 24 : 4) && remaining.count <= (fromMany ? 32 : 8))
        }
    }
}
