import Foundation
import HostilePeers
import Portolan
import PortolanProtocol
import PortolanTrust
import Testing

/// Attacks of a stranger that has proved nothing yet.
@Suite(.serialized) struct HostileStrangerTests {
    @Test("garbage instead of a handshake ends the connection at once, and others are served")
    func hangsUpOnGarbage() async throws {
        try await Victim.with { victim in
            let stranger = try HostilePeer(port: victim.port)
            try stranger.send(Array("GET / HTTP/1.1\r\n\r\n".utf8))
            #expect(stranger.isHungUpOn(within: 300))
            #expect(try await victim.waits { if case .refused = $0 { true } else { false } })
            try await victim.stillServes()
        }
    }

    @Test(
        "a peer that stops sending is disconnected at the deadline, wherever it stopped",
        arguments: [0, 5, 12, 13, 30, 46])
    func hangsUpOnSilence(bytes: Int) async throws {
        try await Victim.with(offerDeadline: .milliseconds(400)) { victim in
            let stranger = try HostilePeer(port: victim.port)
            // The preface and the length of the first message; all that follows would be random anyway.
            let beginning = Preface.initiation + [0, 32] + [UInt8](repeating: 9, count: 32)
            try stranger.send(Array(beginning.prefix(bytes)))
            #expect(stranger.isHungUpOn(within: 300))
            try await victim.stillServes()
        }
    }

    @Test("a deadline is not stretched by one byte at a time")
    func hangsUpOnSlowTalk() async throws {
        try await Victim.with(offerDeadline: .milliseconds(600)) { victim in
            let stranger = try HostilePeer(port: victim.port)
            var isGone = false
            // More often than the deadline, and for much longer.
            for byte in Preface.initiation + [0, 32] + [UInt8](repeating: 9, count: 30) where !isGone {
                do { try stranger.send([byte]) } catch { isGone = true }
                isGone = isGone || stranger.isHungUpOn(within: 0.5)
            }
            #expect(isGone)
            try await victim.stillServes()
        }
    }

    @Test("a session without an offer ends at the deadline")
    func hangsUpWithoutAnOffer() async throws {
        try await Victim.with(offerDeadline: .milliseconds(400)) { victim in
            let stranger = try HostilePeer(port: victim.port)
            try stranger.shakeHands()
            #expect(stranger.isHungUpOn(within: 300))
            try await victim.stillServes()
        }
    }

    @Test("10,000 half-open connections do not block others, and are closed")
    func survivesHalfOpenConnections() async throws {
        try await Victim.with { victim in
            let mallory = try DeviceIdentity.made(named: "mallory")
            var strangers: [HostilePeer] = []
            for _ in 0..<20 {
                for _ in 0..<500 {
                    if let stranger = try? HostilePeer(port: victim.port, identity: mallory) {
                        strangers.append(stranger)
                    }
                }
                strangers.removeAll { $0.isHungUpOn(within: 0.001) }
            }
            // Connections within the limit for one address stay until their deadline.
            let end = Date.now + 120
            repeat { strangers.removeAll { $0.isHungUpOn(within: 0.001) } } while strangers.count > 8 && Date.now < end
            #expect(strangers.count == 8)
            strangers.removeAll()
            try await victim.stillServes()
        }
    }
}
