import Foundation
import HostilePeers
import PortolanProtocol
import Testing

/// Senders that fall silent after they were accepted. Each test waits for the longest permitted silence; the tests run
/// concurrently.
struct SilentSenderTests {
    /// Longer than a busy machine takes from one message to the next.
    private static let silence = Duration.seconds(30)

    @Test("a sender that falls silent in the middle of a file is abandoned, and nothing is left")
    func givesUpOnSilentSenders() async throws {
        try await Victim.with(silence: Self.silence) { victim in
            let stranger = try HostilePeer(port: victim.port)
            try stranger.shakeHands()
            try stranger.offer(.file)
            try stranger.begin(.file, name: Array("never".utf8))
            try stranger.openLane().send(.file(0, size: 1000))
            #expect(stranger.isHungUpOn(within: 300))
            #expect(try await victim.hasEndedASession())
            #expect(try victim.contents() == [])
            try await victim.stillServes()
        }
    }

    @Test(
        "a sender that ends a transfer without a lane is abandoned, whether it falls silent or continues to send messages",
        arguments: [0, 1, 200])
    func givesUpOnMissingLanes(pings: Int) async throws {
        try await Victim.with(silence: Self.silence) { victim in
            let stranger = try HostilePeer(port: victim.port)
            try stranger.shakeHands()
            try stranger.offer(.file)
            try stranger.begin(.file, name: Array("never".utf8))
            try stranger.end(entries: 1, bytes: 10)
            for number in 0..<pings { try? stranger.send(.ping(id: UInt64(number))) }
            try #require(stranger.isHungUpOn(within: 300))
            #expect(try await victim.hasEndedASession())
            #expect(try victim.contents() == [])
            try await victim.stillServes()
        }
    }
}
