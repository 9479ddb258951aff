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

@testable import PortolanFiles

/// A folder with restricted files, its sender, and one peer with a given standing.
final class FolderScene: Sendable {
    enum Viewer: String, CaseIterable, Sendable {
        case stranger, member, designer

        func sees(_ level: Level) -> Bool {
            switch level {
            case .all: true
            case .team: self != .stranger
            case .design: self == .designer
            case .others, .nobody: false
            }
        }
    }

    /// Effective audience of an entry.
    enum Level: Sendable {
        case all, team, design, others, nobody
    }

    enum Kind: Sendable {
        case file(Int)
        case folder
        case link(String)
        /// Another name of a file outside the folder.
        case twin
    }

    struct Entry: Sendable {
        let path: String
        let kind: Kind
        /// Restriction that is stored with the entry itself.
        var own = Level.all
        let level: Level

        /// False for a link, which has none of its own, and for a file with several names, which has the one stored
        /// with it.
        var carriesRestriction: Bool {
            switch kind {
            case .file, .folder: true
            case .link, .twin: false
            }
        }
    }

    static let entries: [Entry] = [
        Entry(path: "a-open.txt", kind: .file(100), level: .all),
        Entry(path: "b-team.txt", kind: .file(2000), own: .team, level: .team),
        Entry(path: "c-design.txt", kind: .file(30), own: .design, level: .design),
        Entry(path: "d-secret.txt", kind: .file(7), own: .nobody, level: .nobody),
        Entry(path: "e-others.txt", kind: .file(11), own: .others, level: .others),
        Entry(path: "f-team", kind: .folder, own: .team, level: .team),
        Entry(path: "f-team/f-inner.txt", kind: .file(50), level: .team),
        Entry(path: "f-team/f-design.txt", kind: .file(60), own: .design, level: .design),
        Entry(path: "f-team/f-others.txt", kind: .file(70), own: .others, level: .nobody),
        Entry(path: "f-team/f-link", kind: .link("../a-open.txt"), level: .team),
        Entry(path: "g-design", kind: .folder, own: .design, level: .design),
        Entry(path: "g-design/g-inner.txt", kind: .file(80), level: .design),
        Entry(path: "g-design/g-twin.txt", kind: .twin, level: .design),
        Entry(path: "h-open", kind: .folder, level: .all),
        Entry(path: "h-open/h-large.bin", kind: .file(1_000_000), own: .team, level: .team),
        Entry(path: "h-open/h-link-team", kind: .link("../b-team.txt"), level: .team),
        Entry(path: "h-open/h-link-design", kind: .link("../g-design/g-inner.txt"), level: .design),
        Entry(path: "h-open/h-link-nothing", kind: .link("../f-team/f-none"), level: .team),
        Entry(path: "h-open/h-link-link", kind: .link("h-link-design"), level: .design),
        Entry(path: "h-open/h-link-open", kind: .link("../a-open.txt"), level: .all),
        Entry(path: "h-open/h-twin.txt", kind: .twin, level: .all),
    ]

    let root: URL
    let node: Node
    private let viewer: DeviceIdentity
    private let team: StoredTeam
    private let other: StoredTeam

    init(_ kind: Viewer) throws {
        root = try Sender.home()
        node = try Self.node("sender", below: root)
        viewer = try .made(named: "viewer")
        let teams = TeamStore(home: try HomeDirectory(override: root.appending(path: "sender").path, environment: [:]))
        var team = try teams.create(name: TeamName("acme"), by: node.identity, now: .now)
        other = try teams.create(name: TeamName("other"), by: node.identity, now: .now)
        let groups = kind == .designer ? [try GroupName("design")] : []
        if kind != .stranger {
            let key = PinnedKey(viewer.publicKey)
            team = try teams.change(
                team.team.id, .add(key, name: viewer.name, groups: groups), by: node.identity, now: .now)
        }
        self.team = team
    }

    func remove() { try? FileManager.default.removeItem(at: root) }

    private static func node(_ name: String, below root: URL) throws -> Node {
        var configuration = try Node.Configuration.onLoopback(name, home: root.appending(path: name))
        configuration.converters = false
        return try Node(blocking: configuration)
    }

    static let keepsAttributes: Bool = {
        guard let folder = try? Sender.home() else { return false }
        defer { try? FileManager.default.removeItem(at: folder) }
        return (try? StoredVisibility.keep(.nobody, on: Descriptor(owning: open(folder.path, O_RDONLY)))) != nil
    }()

    // MARK: The folder

    func restriction(_ level: Level) -> Restriction {
        switch level {
        case .all: .everyone
        case .team: Restriction(.team, for: try? Audience(team: team.team.id))
        case .design:
            Restriction(.group, for: try? Audience(team: team.team.id, groups: [GroupName("design")]))
        case .others: Restriction(.team, for: try? Audience(team: other.team.id))
        case .nobody: .nobody
        }
    }

    func keep(_ level: Level, on file: URL) throws {
        try StoredVisibility.keep(restriction(level), on: Descriptor(owning: open(file.path, O_RDONLY)))
    }

    /// Makes the entries for which `isMade` returns true, in a folder `plans`.
    func makeTree(_ name: String, _ isMade: (Level) -> Bool) throws -> URL {
        let above = root.appending(path: name)
        let tree = above.appending(path: "plans")
        try FileManager.default.createDirectory(at: tree, withIntermediateDirectories: true)
        // The file with two names has them in every tree, so that its link count is the same with and without the
        // hidden entries.
        let twin = above.appending(path: "twin")
        try Data("twin".utf8).write(to: twin)
        for entry in Self.entries {
            let place = isMade(entry.level) ? tree.appending(path: entry.path) : nil
            switch entry.kind {
            case .file(let size):
                let content = [UInt8](repeating: UInt8(ascii: "x"), count: size)
                if let place { try Data(content).write(to: place) }
            case .folder:
                if let place { try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false) }
            case .link(let target):
                if let place {
                    try FileManager.default.createSymbolicLink(atPath: place.path, withDestinationPath: target)
                }
            case .twin:
                let place = place ?? above.appending(path: UUID().uuidString)
                try FileManager.default.linkItem(at: twin, to: place)
            }
            if let place, entry.own != .all { try keep(entry.own, on: place) }
        }
        for path in [""] + Self.entries.map(\.path) {
            var times = [timeval(tv_sec: 1_700_000_000, tv_usec: 5), timeval(tv_sec: 1_700_000_000, tv_usec: 5)]
            _ = lutimes(tree.appending(path: path).path, &times)
        }
        return tree
    }

    // MARK: What the peer is sent

    /// An entry as received, with its content if it came with it.
    struct Arrival: Hashable {
        let index: UInt32
        let parent: UInt32
        let name: String
        let kind: String
        let permissions: UInt16
        let modified: Timestamp
        let restriction: Restriction?
    }

    struct Sent {
        /// Content that was sent with the offer.
        var inline: InlineContent?
        var entries: [Arrival] = []
        /// The plaintexts of the first lane.
        var records: [[UInt8]] = []
        /// Messages from the offer on, including those that only count omissions.
        var messages: [[UInt8]] = []
        let end: Message.End
        let delivery: Delivery
    }

    /// Offers a folder to the peer, which accepts it and records everything received.
    func transfer(
        of folder: URL, by sender: Node? = nil, to identity: DeviceIdentity? = nil
    ) async throws -> Sent {
        let listener = try HostileListener(as: identity ?? viewer)
        let arrived = Mutex<
            (inline: InlineContent?, entries: [Arrival], records: [[UInt8]], messages: [[UInt8]], end: Message.End?)
        >((nil, [], [], [], nil))
        let finished = listener.serveOne { peer in
            try peer.shakeHands(as: .responder)
            guard case .offer(let offer)? = try peer.nextMessage() else { throw HostileSocket.Gone() }
            let choice = ItemChoice(item: 0, .take(representation: 0))
            try peer.send(.answer(Message.Answer(offer: offer.id, choices: [choice])))
            let lane = try peer.readLane()
            let (entries, records) = try Self.read(lane)
            var messages = [Message.offer(offer).encode()]
            var end: Message.End?
            while end == nil, let message = try peer.nextMessage() {
                if case .end(let last) = message { end = last }
                if case .total = message { continue }
                messages.append(message.encode())
            }
            guard let end else { throw HostileSocket.Gone() }
            arrived.withLock { $0 = (offer.items[0].inline, entries, records, messages, end) }
            let stored = try StoredItem(bytes: end.bytes, entries: end.entries)
            try peer.send(.receipt(Message.Receipt(offer: offer.id, item: 0, outcome: .stored(stored))))
            while try peer.nextMessage() != nil {}
        }
        let peer = Peer(name: "viewer", fingerprint: nil, address: "127.0.0.1", port: listener.port)
        let deliveries = try await (sender ?? node).send([.file(at: folder.path)], to: peer, options: .once)
        try await finished.value
        let came = arrived.withLock(\.self)
        return Sent(
            inline: came.inline, entries: came.entries, records: came.records, messages: came.messages,
            end: try #require(came.end), delivery: try #require(deliveries.first))
    }

    private static func read(_ lane: ReceivedLane) throws -> ([Arrival], [[UInt8]]) {
        var entries: [Arrival] = []
        var records: [[UInt8]] = []
        while true {
            let record = try lane.nextRecord()
            records.append(record.plaintext)
            guard record.type == RecordType.tree.rawValue else { continue }
            let isOver = try record.plaintext.withUnsafeBytes { bytes in
                var reader = try TreeReader(bytes)
                while let element = try reader.next() {
                    if case .mark = element { return true }
                    if case .entry(let entry) = element { entries.append(Arrival(entry)) }
                }
                return false
            }
            if isOver { return (entries, records) }
        }
    }

    // MARK: A real member

    /// The peer as a machine with its own home, in the team.
    func memberNode() throws -> Node {
        let member = try Self.node("member", below: root)
        let key = member.identity.publicKey
        let senders = TeamStore(
            home: try HomeDirectory(override: root.appending(path: "sender").path, environment: [:]))
        let with = try senders.change(
            team.team.id, .add(PinnedKey(key), name: member.identity.name, groups: [GroupName("design")]),
            by: node.identity, now: .now)
        let own = TeamStore(home: try HomeDirectory(override: root.appending(path: "member").path, environment: [:]))
        _ = try own.join(with.updates, invitedBy: node.identity.publicKey, own: key, now: .now)
        return member
    }

    func whileReceiving(_ member: Node, into inbox: URL, _ send: (Peer) async throws -> Void) async throws {
        let (ports, feed) = AsyncStream.makeStream(of: UInt16.self)
        let receiving = Task {
            try await member.receive(into: inbox.path, decide: { _ in .accept }) { event in
                if case .listening(let port, _, _) = event { feed.yield(port) }
            }
        }
        var iterator = ports.makeAsyncIterator()
        guard let port = await iterator.next() else { throw HostileSocket.Gone() }
        do {
            try await send(node.find("127.0.0.1:\(port)"))
        } catch {
            receiving.cancel()
            throw error
        }
        receiving.cancel()
        _ = try? await receiving.value
    }
}

extension FolderScene.Arrival {
    fileprivate init(_ entry: TreeEntryElement) {
        let kind: String =
            switch entry.kind {
            case .file(let file):
                "file \(file.size ?? 0) \(file.isLinkTarget) \(file.content.map { Array($0) } ?? [])"
            case .folder: "folder"
            case .symbolicLink(let target): "link \(String(decoding: target, as: UTF8.self))"
            case .hardLink(let index): "name of \(index)"
            }
        self.init(
            index: entry.index, parent: entry.parent, name: String(decoding: entry.name, as: UTF8.self), kind: kind,
            permissions: entry.permissions, modified: entry.modified,
            restriction: entry.restriction)
    }
}
