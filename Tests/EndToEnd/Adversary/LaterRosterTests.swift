import Foundation
import HostilePeers
import NodeTestSupport
import Portolan
import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import PortolanValues
import Synchronization
import Testing

/// Rosters that a peer sends after the beginning of a session.
@Suite(.serialized) struct LaterRosterTests {
    @Test("a removed member gains nothing by sending an old roster that contains it")
    func oldRoster() async throws {
        let mallory = try DeviceIdentity.made(named: "mallory")
        let old = Mutex<(TeamID, RosterHead)?>(nil)
        try await Victim.with(from: { node in
            let teams = TeamStore(home: node.configuration.home)
            let id = try teams.create(name: TeamName("acme"), by: node.identity, now: .now).id
            let key = PinnedKey(mallory.publicKey)
            let whole = try teams.change(id, .add(key, name: mallory.name, groups: []), by: node.identity, now: .now)
            let update = whole.updates[0]
            let head = try RosterHead(update)
            old.withLock { $0 = (id, head) }
            _ = try teams.change(id, .remove(key), by: node.identity, now: .now)
            return [Source(team: id)]
        }) { victim in
            let told = old.withLock { $0 }
            let (team, head) = try #require(told)
            let peer = try HostilePeer(port: victim.port, identity: mallory)
            try peer.shakeHands()
            try peer.send(.teamUpdate(Message.TeamUpdate(team: team, index: 0, count: 1, head: head)))
            _ = try? peer.offer(.data, awaitingAnswer: false)
            #expect(try peer.closeReason() == .notTrusted)
            #expect(!victim.hasReported { if case .offered = $0 { true } else { false } })
            #expect(try victim.contents() == [])
        }
    }

    @Test("endless rosters of unknown teams end the session; refused rosters do not")
    func withoutEnd() async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            let noise = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 0x9E37_79B9 >> 11) }
            let head = try RosterHead(roster: noise, signature: noise.suffix(64), secret: nil)
            for number in 0..<(Limits.rosterUpdates + 1) as Range<Int> {
                let team = try #require(TeamID(bytes: [UInt8](repeating: UInt8(number % 3), count: 16)))
                // The session may be closed before the last ones.
                try? peer.send(.teamUpdate(Message.TeamUpdate(team: team, index: 0, count: 1, head: head)))
                if number == Limits.rosterUpdates - 1 {
                    try peer.send(.ping(id: 7))
                    while let message = try peer.nextMessage(), message != .pong(id: 7) {}
                }
            }
            #expect(try peer.closeReason() == .limit)
        }
    }
}

extension RosterHead {
    fileprivate init(_ update: TeamHeads.Update) throws {
        try self.init(roster: update.signed.bytes, signature: update.signed.signature, secret: update.secret)
    }
}
