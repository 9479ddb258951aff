import Foundation
import NodeTestSupport
import Portolan
import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import Synchronization
import Testing
import UniformTypeIdentifiers

/// Who learns what of a representation, over the real wire: every visibility before every kind of peer, in each of the ways in
/// which a peer could come to know of it.
@Suite(.serialized) struct VisibilityMatrixTests {
    enum Viewer: String, CaseIterable, Sendable {
        case stranger, contact, member, groupMember, removedMember, otherTeamsMember, expiredMember
    }

    struct Cell: Sendable, CustomTestStringConvertible {
        let visibility: Visibility
        let viewer: Viewer
        let isVisible: Bool

        var testDescription: String { "\(visibility) before \(viewer): \(isVisible ? "seen" : "hidden")" }
    }

    /// Each row has the viewers in the order of `Viewer`.
    static let matrix: [(Visibility, [Bool])] = [
        (.all, [true, true, true, true, true, true, true]),
        (.team, [false, false, true, true, false, false, false]),
        (.group, [false, false, false, true, false, false, false]),
        (.ownProcess, [false, false, false, false, false, false, false]),
    ]

    static let cells = matrix.flatMap { visibility, row in
        zip(Viewer.allCases, row).map { Cell(visibility: visibility, viewer: $0, isVisible: $1) }
    }

    @Test("it is listed to whom it is for, and to nobody else", arguments: cells)
    func listed(cell: Cell) async throws {
        let scene = try Scene(cell.viewer)
        defer { scene.remove() }
        let offer = try await scene.offer(of: scene.item(cell.visibility))
        let types = offer.items[0].representations.map(\.type.identifier)
        #expect(types.contains(UTType.html.identifier) == cell.isVisible)
        #expect(types.last == UTType.utf8PlainText.identifier)
    }

    @Test("where it is hidden, nothing of the offer tells that it is there", arguments: cells)
    func counted(cell: Cell) async throws {
        let scene = try Scene(cell.viewer)
        defer { scene.remove() }
        let with = try await scene.offer(of: scene.item(cell.visibility))
        let without = try await scene.offer(of: scene.item(nil))
        #expect(with.items[0].representations.count == (cell.isVisible ? 2 : 1))
        #expect((Message.offer(with).encode() == Message.offer(without).encode()) == !cell.isVisible)
    }

    @Test("where it is hidden, asking for it is asking for what never was", arguments: cells)
    func requested(cell: Cell) async throws {
        let scene = try Scene(cell.viewer)
        defer { scene.remove() }
        // What stands at the end of the sender's own list; hidden ones move up what is behind them.
        let asked = try await scene.answer(to: scene.item(cell.visibility), with: 1)
        #expect(asked == (cell.isVisible ? .isSent : .isEnded(.badIndex)))
        #expect(try await scene.answer(to: scene.item(cell.visibility), with: 31) == .isEnded(.badIndex))
    }

    @Test("what a peer may not see any more is as if it had never been offered", arguments: cells)
    func withdrawn(cell: Cell) async throws {
        let scene = try Scene(cell.viewer)
        defer { scene.remove() }
        let asked = try await scene.answer(to: scene.item(cell.visibility), with: 0) { try scene.withdraw() }
        // The first of those that are visible: that for all stays, wherever it stands.
        let stays = cell.visibility == .all || !cell.isVisible
        #expect(asked == (stays ? .isSent : .isEnded(.badIndex)))
    }

    @Test("an item of which nothing is visible is not offered, and nobody is told who would have", arguments: cells)
    func alone(cell: Cell) async throws {
        let scene = try Scene(cell.viewer)
        defer { scene.remove() }
        var item = scene.item(cell.visibility)
        item.representations.removeLast()
        #expect(try await scene.isOffered(item) == cell.isVisible)
    }
}

/// A sender with teams and contacts, and the key of one peer that stands to it as is wanted.
private final class Scene: Sendable {
    enum Reaction: Equatable {
        case isSent
        case isEnded(CloseCode)
    }

    private let home: URL
    private let node: Node
    private let viewer: DeviceIdentity
    private let team: TeamID
    private let teams: TeamStore
    private let audience: Audience

    init(_ kind: VisibilityMatrixTests.Viewer) throws {
        home = try Sender.home()
        let directory = try HomeDirectory(override: home.path, environment: [:])
        var configuration = try Node.Configuration.patient(home: home)
        configuration.name = try DeviceName("sender")
        configuration.discovery = .off
        configuration.converters = false
        node = try Node(configuration)
        viewer = try .made(named: "viewer")
        teams = TeamStore(home: directory)
        let design = try GroupName("design")
        // Long enough ago that no roster of then is valid still.
        let founded: Date = kind == .expiredMember ? .now - 200 * 86_400 : .now
        let acme = try teams.create(name: TeamName("acme"), by: node.identity, now: founded)
        team = acme.team.id
        audience = try Audience(team: team, groups: [design])
        let key = PinnedKey(viewer.publicKey)
        switch kind {
        case .stranger: break
        case .contact:
            _ = try KnownPeers(home: directory).confirm(name: viewer.name, key: viewer.publicKey, now: .now)
        case .member: try change(.add(key, name: viewer.name, groups: []), founded)
        case .groupMember, .expiredMember: try change(.add(key, name: viewer.name, groups: [design]), founded)
        case .removedMember:
            try change(.add(key, name: viewer.name, groups: [design]), founded)
            try change(.remove(key), founded)
        case .otherTeamsMember:
            let other = try teams.create(name: TeamName("other"), by: node.identity, now: founded)
            _ = try teams.change(
                other.team.id, .add(key, name: viewer.name, groups: [design]), by: node.identity, now: founded)
        }
    }

    func remove() {
        try? FileManager.default.removeItem(at: home)
    }

    private func change(_ change: RosterChange, _ now: Date) throws {
        _ = try teams.change(team, change, by: node.identity, now: now)
    }

    /// The peer loses whatever it was entitled to.
    func withdraw() throws {
        let key = PinnedKey(viewer.publicKey)
        guard try teams.all().first(where: { $0.team.id == team })?.team.member(key) != nil else { return }
        try change(.remove(key), .now)
    }

    /// An item with a form of this visibility, if any, before one for all.
    func item(_ visibility: Visibility?) -> Item {
        var forms: [ItemRepresentation] = []
        if let visibility {
            var form = ItemRepresentation.data(Data("<b>it</b>".utf8), contentType: .html, visibility: visibility)
            form.audience = audience
            forms.append(form)
        }
        forms.append(.data(Data("it".utf8), contentType: .utf8PlainText))
        return Item(title: "it", representations: forms)
    }

    /// What the peer is shown.
    func offer(of item: Item) async throws -> Offer {
        let offers = Shown<Offer>()
        _ = try? await send(item) { peer in
            guard case .offer(let offer)? = try peer.nextMessage() else { throw HostileSocket.Gone() }
            offers.set(offer)
            try peer.send(.answer(.declining(offer)))
        }
        return try offers.get()
    }

    /// What happens when the peer asks for the form at `index`.
    func answer(
        to item: Item, with index: Int, before: @escaping @Sendable () throws -> Void = {}
    ) async throws -> Reaction {
        let reactions = Shown<Reaction>()
        _ = try? await send(item) { peer in
            guard case .offer(let offer)? = try peer.nextMessage() else { throw HostileSocket.Gone() }
            try before()
            try peer.send(.answer(.taking(offer, index)))
            switch try peer.nextMessage() {
            case .begin: reactions.set(.isSent)
            case .close(let close): reactions.set(.isEnded(close.code))
            default: throw HostileSocket.Gone()
            }
        }
        return try reactions.get()
    }

    /// Whether the peer learns that there is an offer, or who makes it.
    func isOffered(_ item: Item) async throws -> Bool {
        let hasMet = Shown<Bool>()
        hasMet.set(false)
        _ = try? await send(item) { peer in
            hasMet.set(true)
            guard case .offer(let offer)? = try peer.nextMessage() else { throw HostileSocket.Gone() }
            try peer.send(.answer(.declining(offer)))
        }
        return try hasMet.get()
    }

    private func send(_ item: Item, _ hostile: @escaping @Sendable (HostilePeer) throws -> Void) async throws {
        let listener = try HostileListener(as: viewer)
        let finished = listener.serveOne { peer in
            // An initiator that has nothing to say goes before it says who it is.
            guard (try? peer.shakeHands(as: .responder)) != nil else { return }
            try hostile(peer)
        }
        let peer = Peer(name: "viewer", fingerprint: nil, address: "127.0.0.1", port: listener.port)
        let sending = Task { try await node.send([item], to: peer, options: .once) }
        try await finished.value
        _ = try await sending.value
    }
}

/// Something that a peer on another thread was shown.
private final class Shown<Value: Sendable>: Sendable {
    struct Nothing: Error {}

    private let value = Mutex<Value?>(nil)

    func set(_ new: Value) { value.withLock { $0 = new } }

    func get() throws -> Value {
        guard let value = value.withLock(\.self) else { throw Nothing() }
        return value
    }
}

extension Message.Answer {
    /// Wants nothing of the offer.
    fileprivate static func declining(_ offer: Offer) throws -> Message.Answer {
        try Message.Answer(
            offer: offer.id,
            choices: offer.items.indices.map { ItemChoice(item: UInt32($0), .decline(Decline(.notWanted))) })
    }

    /// Wants one form of the one item.
    fileprivate static func taking(_ offer: Offer, _ index: Int) throws -> Message.Answer {
        try Message.Answer(offer: offer.id, choices: [ItemChoice(item: 0, .take(representation: index))])
    }
}
