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
import UniformTypeIdentifiers

/// Peers that send rosters to gain rights, over real connections.
@Suite(.serialized) struct RosterAttackTests {
    @Test("a removed member that sends an old roster sees as much as a stranger")
    func oldRoster() async throws {
        let scene = try TeamScene()
        defer { scene.remove() }
        let types = try await scene.shown(sending: [scene.oldRoster])
        #expect(types == [UTType.utf8PlainText.identifier])
        #expect(try scene.team().member(PinnedKey(scene.viewer.publicKey)) == nil)
    }

    @Test("a roster with any bit changed is refused", arguments: [0, 40, 90, 200, -1])
    func changedRoster(place: Int) async throws {
        let scene = try TeamScene()
        defer { scene.remove() }
        let before = try scene.team().digest
        var bytes = scene.oldRoster.roster
        bytes[place < 0 ? bytes.count - 1 : place] ^= 1
        let changed = try RosterHead(
            roster: bytes, signature: scene.oldRoster.signature, secret: scene.oldRoster.secret)
        let types = try await scene.shown(sending: [changed])
        #expect(types == [UTType.utf8PlainText.identifier])
        #expect(try scene.team().digest == before)
    }

    @Test("a roster of another team of the peer's own changes nothing here")
    func ownTeam() async throws {
        let scene = try TeamScene()
        defer { scene.remove() }
        let before = try scene.team().digest
        var random = SystemRandomNumberGenerator()
        let own = TeamHeads.found(
            try TeamName("acme"), by: scene.viewer.key, called: scene.viewer.name, now: .now, using: &random)
        let head = try RosterHead(
            roster: own.heads[0].signed.bytes, signature: own.heads[0].signed.signature, secret: own.secret)
        // Under the identifier of the sender's team, and of the attacker's own.
        for team in [scene.id, own.id] {
            #expect(try await scene.shown(sending: [head], of: team) == [UTType.utf8PlainText.identifier])
        }
        #expect(try scene.team().digest == before)
        #expect(try scene.teamCount() == 1)
    }

    @Test("the largest possible roster, made of random bytes, is refused cheaply")
    func noise() async throws {
        let scene = try TeamScene()
        defer { scene.remove() }
        let noise = (0..<Limits.roster).map { UInt8(truncatingIfNeeded: $0 &* 0x9E37_79B9 >> 11) }
        let head = try RosterHead(
            roster: noise, signature: scene.oldRoster.signature, secret: scene.oldRoster.secret)
        #expect(try await scene.shown(sending: Array(repeating: head, count: 8)) == [UTType.utf8PlainText.identifier])
    }

    @Test("a peer that deviates from its announcement of teams is disconnected before anything is offered")
    func brokenAnnouncement() async throws {
        let scene = try TeamScene()
        defer { scene.remove() }
        let closed = Mutex<CloseCode?>(nil)
        let offers = Mutex(0)
        let head = scene.oldRoster
        let announced = try TeamDigest(
            team: scene.id, digest: [UInt8](repeating: 7, count: TeamDigest.digestLength))
        let other = try #require(TeamID(bytes: [UInt8](repeating: 9, count: 16)))
        await scene.send { peer in
            try peer.shakeHands(as: .responder, greets: false)
            try peer.send(.hello(Message.Hello(teams: [announced], capabilities: [.takes])))
            try peer.send(.teamUpdate(Message.TeamUpdate(team: other, index: 0, count: 1, head: head)))
            while let message = try peer.nextMessage() {
                if case .offer = message { offers.withLock { $0 += 1 } }
                if case .close(let close) = message {
                    closed.withLock { $0 = close.code }
                    return
                }
            }
        }
        #expect(closed.withLock(\.self) == .protocolViolation)
        #expect(offers.withLock(\.self) == 0)
    }

    @Test(
        "with a damaged store of teams nothing restricted is sent, the error names the file, and nothing is lost",
        arguments: [0, 0.5, 0.99])
    func damagedStore(share: Double) async throws {
        let scene = try TeamScene()
        defer { scene.remove() }
        let whole = try Data(contentsOf: scene.file)
        try whole.prefix(Int(Double(whole.count) * share)).write(to: scene.file)
        let met = Mutex(false)
        let error = await scene.send { peer in
            try peer.shakeHands(as: .responder)
            met.withLock { $0 = true }
        }
        let wasMet = met.withLock { $0 }
        #expect(!wasMet, "a peer was told who wanted to send")
        let sentence = "\(try #require(error))"
        #expect(sentence.contains(scene.file.lastPathComponent), "\(sentence)")
        #expect(try Data(contentsOf: scene.file).count == Int(Double(whole.count) * share))
        try whole.write(to: scene.file)
        #expect(try await scene.shown(sending: []) == [UTType.utf8PlainText.identifier])
    }

    @Test("a peer that never says which teams it knows is offered nothing")
    func silentPeerIsOfferedNothing() async throws {
        let scene = try TeamScene(deadline: .milliseconds(500))
        defer { scene.remove() }
        let offers = Mutex(0)
        await scene.send { peer in
            try peer.shakeHands(as: .responder, greets: false)
            while let message = try peer.nextMessage() {
                if case .offer = message { offers.withLock { $0 += 1 } }
            }
        }
        #expect(offers.withLock(\.self) == 0)
    }
}

/// A sender whose team has removed the receiving peer.
private final class TeamScene: Sendable {
    let viewer: DeviceIdentity
    let id: TeamID
    /// The roster with the peer as a member, as it was sent to the peer.
    let oldRoster: RosterHead
    private let home: URL
    private let node: Node
    private let teams: TeamStore
    private let item: Item

    init(deadline: Duration? = nil) throws {
        home = try Sender.home()
        let directory = try HomeDirectory(override: home.path, environment: [:])
        var configuration = try Node.Configuration.onLoopback("sender", home: home)
        configuration.converters = false
        if let deadline { configuration.offerDeadline = deadline }
        node = try Node(blocking: configuration)
        viewer = try .made(named: "viewer")
        teams = TeamStore(home: directory)
        id = try teams.create(name: TeamName("acme"), by: node.identity, now: .now).id
        let key = PinnedKey(viewer.publicKey)
        let old = try teams.change(id, .add(key, name: viewer.name, groups: []), by: node.identity, now: .now).updates[
            0]
        oldRoster = try RosterHead(roster: old.signed.bytes, signature: old.signed.signature, secret: old.secret)
        _ = try teams.change(id, .remove(key), by: node.identity, now: .now)
        item = Item(
            title: "it",
            representations: [
                .data(Data("<b>it</b>".utf8), contentType: .html, visibility: .team),
                .data(Data("it".utf8), contentType: .utf8PlainText),
            ])
    }

    func remove() {
        try? FileManager.default.removeItem(at: home)
    }

    func team() throws -> Team {
        try #require(try teams.all().first { $0.id == id }).team
    }

    func teamCount() throws -> Int { try teams.all().count }

    /// Returns the types that the peer is offered after it has announced these heads, and sent them.
    func shown(sending heads: [RosterHead], of team: TeamID? = nil) async throws -> [String] {
        let team = team ?? id
        let types = Mutex<[String]>([])
        await send { peer in
            try peer.shakeHands(as: .responder, greets: false)
            let digest = [UInt8](repeating: 7, count: TeamDigest.digestLength)
            let announced = try heads.isEmpty ? [] : [TeamDigest(team: team, digest: digest)]
            try peer.send(.hello(Message.Hello(teams: announced, capabilities: [.takes])))
            for (index, head) in heads.enumerated() {
                try peer.send(
                    .teamUpdate(
                        Message.TeamUpdate(
                            team: team, index: UInt32(index), count: UInt32(heads.count), head: head)))
            }
            guard case .offer(let offer)? = try peer.nextMessage() else { throw HostileSocket.Gone() }
            types.withLock { $0 = offer.items.flatMap { $0.representations.map(\.type.identifier) } }
        }
        return types.withLock(\.self)
    }

    /// File of the team.
    var file: URL { home.appending(path: "data/teams/\(id).team") }

    /// Sends the item to a peer that does `hostile`.
    ///
    /// - Returns: how sending failed, if it did.
    @discardableResult
    func send(_ hostile: @escaping @Sendable (HostilePeer) throws -> Void) async -> (any Error)? {
        guard let listener = try? HostileListener(as: viewer) else { return nil }
        let finished = listener.serveOne(hostile)
        let peer = Peer(name: "viewer", fingerprint: nil, address: "127.0.0.1", port: listener.port)
        let sending = Task { try await node.send([item], to: peer, options: .once) }
        let result = await sending.result
        // The peer may never have connected.
        listener.stop()
        _ = try? await finished.value
        if case .failure(let error) = result { return error }
        return nil
    }
}
