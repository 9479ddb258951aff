import Foundation
import Glibc
import HostilePeers
import NodeTestSupport
import Portolan
import PortolanConverters
import PortolanCrypto
import PortolanFiles
import PortolanProtocol
import PortolanTrust
import PortolanValues
import Synchronization
import Testing
import UniformTypeIdentifiers

/// Cell of the visibility matrix: a level and the standing of a viewer.
struct VisibilityCell: Sendable, CustomTestStringConvertible {
    enum Viewer: String, CaseIterable, Sendable {
        case stranger, contact, member, groupMember, removedMember, otherTeamsMember, expiredMember
    }

    let visibility: Visibility
    let viewer: Viewer
    let isVisible: Bool

    var testDescription: String { "\(visibility) before \(viewer): \(isVisible ? "seen" : "hidden")" }

    /// Each row has the viewers in the order of `Viewer`.
    static let matrix: [(Visibility, [Bool])] = [
        (.all, [true, true, true, true, true, true, true]),
        (.team, [false, false, true, true, false, false, false]),
        (.group, [false, false, false, true, false, false, false]),
        (.ownProcess, [false, false, false, false, false, false, false]),
    ]

    static let all = matrix.flatMap { visibility, row in
        zip(Viewer.allCases, row).map { VisibilityCell(visibility: visibility, viewer: $0, isVisible: $1) }
    }
}

/// A sender with teams and contacts, and the key of one peer with a given standing.
final class VisibilityScene: Sendable {
    enum Reaction: Equatable {
        case isSent
        case isEnded(CloseCode)
    }

    let home: URL
    private let node: Node
    private let viewer: DeviceIdentity
    private let team: TeamID
    private let teams: TeamStore
    private let audience: Audience

    /// - Parameter converters: converters of the sender.
    init(_ kind: VisibilityCell.Viewer, converters: [Converter] = []) throws {
        home = try Sender.home()
        let directory = try HomeDirectory(override: home.path, environment: [:])
        var configuration = try Node.Configuration.onLoopback("sender", home: home)
        configuration.converters = !converters.isEmpty
        node = try Node(blocking: configuration, converters: { converters })
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

    /// Removes all rights of the peer.
    func withdraw() throws {
        let key = PinnedKey(viewer.publicKey)
        guard try teams.all().first(where: { $0.team.id == team })?.team.member(key) != nil else { return }
        try change(.remove(key), .now)
    }

    /// The restriction at a level, for the group of the scene.
    func restriction(_ visibility: Visibility) -> Restriction { Restriction(visibility, for: audience) }

    func form(
        _ text: String, _ type: UTType, for restriction: Restriction = .everyone, named name: String? = nil
    ) -> ItemRepresentation {
        var form = ItemRepresentation.data(Data(text.utf8), contentType: type, suggestedName: name)
        form.requested = .exactly(restriction)
        return form
    }

    /// A file that was received for this restriction.
    func file(_ name: String, keptFor restriction: Restriction) throws -> String {
        let path = home.appending(path: name).path
        try Data("it".utf8).write(to: URL(fileURLWithPath: path))
        let file = open(path, O_WRONLY)
        defer { close(file) }
        guard try StoredVisibility.keep(restriction, onOutput: file) else { throw HostileSocket.Gone() }
        return path
    }

    /// Types that the peer is offered, of all items; empty without an offer.
    func types(of item: Item) async throws -> [UTType] {
        guard try await isOffered(item) else { return [] }
        return try await offer(of: item).items.flatMap(\.representations).compactMap { UTType($0.type.identifier) }
    }

    /// Types that the peer would be offered, by a session without an offer.
    func rehearsed(_ item: Item) async throws -> [UTType] {
        let listener = try HostileListener(as: viewer)
        let wasOffered = Shown<Bool>()
        let finished = listener.serveOne { peer in
            guard (try? peer.shakeHands(as: .responder)) != nil else { return wasOffered.set(false) }
            if case .offer? = try? peer.nextMessage() { wasOffered.set(true) } else { wasOffered.set(false) }
        }
        let peer = Peer(name: "viewer", fingerprint: nil, address: "127.0.0.1", port: listener.port)
        let rehearsal = try await node.rehearse([item], to: peer)
        try await finished.value
        guard try !wasOffered.get() else { throw HostileSocket.Gone() }
        return rehearsal.items.flatMap(\.representations).filter(\.isShown).map(\.contentType)
    }

    /// An item with a form of this visibility, if any, before one for all.
    func item(_ visibility: Visibility?) -> Item {
        var forms: [ItemRepresentation] = []
        if let visibility {
            forms.append(form("<b>it</b>", .html, for: restriction(visibility)))
        }
        forms.append(.data(Data("it".utf8), contentType: .utf8PlainText))
        return Item(title: "it", representations: forms)
    }

    /// The offer that the peer is shown.
    func offer(of item: Item) async throws -> Offer {
        let offers = Shown<Offer>()
        _ = try? await send(item) { peer in
            guard case .offer(let offer)? = try peer.nextMessage() else { throw HostileSocket.Gone() }
            offers.set(offer)
            try peer.send(.answer(.declining(offer)))
        }
        return try offers.get()
    }

    /// The reaction to a request for the form at `index`.
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

    /// True if the peer learns that there is an offer, or the name of its sender.
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
            // An initiator without an offer leaves before it reveals its identity.
            guard (try? peer.shakeHands(as: .responder)) != nil else { return }
            try hostile(peer)
        }
        let peer = Peer(name: "viewer", fingerprint: nil, address: "127.0.0.1", port: listener.port)
        let sending = Task { try await node.send([item], to: peer, options: .once) }
        try await finished.value
        _ = try await sending.value
    }
}

/// Value that a peer on another thread was shown.
final class Shown<Value: Sendable>: Sendable {
    struct Nothing: Error {}

    private let value = Mutex<Value?>(nil)

    func set(_ new: Value) { value.withLock { $0 = new } }

    func get() throws -> Value {
        guard let value = value.withLock(\.self) else { throw Nothing() }
        return value
    }
}

extension Message.Answer {
    /// Declines all items of the offer.
    static func declining(_ offer: Offer) throws -> Message.Answer {
        try Message.Answer(
            offer: offer.id,
            choices: offer.items.indices.map { ItemChoice(item: UInt32($0), .decline(Decline(.notWanted))) })
    }

    /// Accepts one form of the one item.
    static func taking(_ offer: Offer, _ index: Int) throws -> Message.Answer {
        try Message.Answer(offer: offer.id, choices: [ItemChoice(item: 0, .take(representation: index))])
    }
}
