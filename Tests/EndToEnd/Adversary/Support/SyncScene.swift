import Foundation
import Glibc
import HostilePeers
import NodeTestSupport
import Portolan
import PortolanCrypto
import PortolanProtocol
import PortolanSyncPeers
import PortolanSyncPlan
import PortolanTrust
import Testing

@testable import PortolanFiles

/// A device that synchronizes a folder with one hostile contact.
struct SyncScene: Sendable {
    let port: UInt16
    let folder: URL
    let id: SyncFolderID
    /// A contact that the folder is shared with.
    let friend: DeviceIdentity
    private let list: SyncFolderList

    /// Runs a node that synchronizes a folder with one contact.
    ///
    /// - Parameters:
    ///   - files: contents by name.
    ///   - hidden: names of the files that are for nobody else.
    ///   - others: further contacts with which the folder is shared.
    ///   - unshared: another folder with the same files, which is shared with nobody.
    ///   - events: receives the events of the device, from any thread.
    static func withFolder(
        _ id: SyncFolderID = SyncFolderID(), of files: [String: [UInt8]] = ["a.txt": Array("secret".utf8)],
        hidden: Set<String> = [], others: [DeviceIdentity] = [], unshared: SyncFolderID? = nil,
        events: @escaping @Sendable (SyncEvent) -> Void = { _ in },
        _ body: @Sendable (SyncScene) throws -> Void
    ) async throws {
        let root = try Sender.home()
        defer { try? FileManager.default.removeItem(at: root) }
        let folder = root.appending(path: "notes")
        let other = root.appending(path: "other")
        for folder in [folder, other] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (name, content) in files { try Data(content).write(to: folder.appending(path: name)) }
        }
        for name in hidden { try hide(folder.appending(path: name)) }
        let home = root.appending(path: "home")
        let directory = try HomeDirectory(override: home.path, environment: [:])
        let friend = try DeviceIdentity.made(named: "friend")
        for contact in [friend] + others {
            _ = try KnownPeers(home: directory).confirm(name: contact.name, key: contact.publicKey, now: .now)
        }
        let list = SyncFolderList(home: directory)
        let audiences = ([friend] + others).map { SyncAudience(contact: PinnedKey($0.publicKey), name: $0.name) }
        try list.change { folders in
            folders.append(SyncFolderEntry(name: "notes", path: folder.path, audiences: audiences, id: id))
            guard let unshared else { return }
            folders.append(SyncFolderEntry(name: "other", path: other.path, audiences: [], id: unshared))
        }
        let node = try Node(blocking: .onLoopback("holder", home: home))
        let service = SyncCoordinator(node, list, events: events)
        let (ports, port) = AsyncStream.makeStream(of: UInt16.self)
        let staying = Task {
            try await service.stay { event in
                if case .listening(let number, _, _) = event { port.yield(number) }
            }
        }
        defer { staying.cancel() }
        var listening = ports.makeAsyncIterator()
        guard let number = await listening.next() else { throw Victim.NeverListened() }
        try await withHostileThread {
            try body(SyncScene(port: number, folder: folder, id: id, friend: friend, list: list))
        }
        staying.cancel()
        _ = await staying.result
    }

    static func record(_ name: String, _ number: UInt64, _ kind: NodeKind, _ bytes: [UInt8]) -> NodeRecord {
        let replica = ReplicaID(device: DeviceID(77), epoch: 5)
        var record = NodeRecord(id: NodeID(Dot(replica, number)), kind: kind)
        record.move(Dot(replica, number), to: NodePlace(.root, SyncName(name)))
        guard let digest = ContentDigest(sha256([bytes])) else { preconditionFailure("A digest has 32 bytes") }
        record.write(
            Dot(replica, number + 1),
            FileVersion(form: ContentForm(digest, attributes: 0o644), size: UInt64(bytes.count), author: "friend"),
            replacing: [])
        return record
    }

    /// Marks a file as one for nobody else.
    private static func hide(_ file: URL) throws {
        try StoredVisibility.keep(.nobody, on: Descriptor(owning: open(file.path, O_RDONLY)))
    }

    /// Shares the folder with another device alone.
    func shareOnly(with device: DeviceIdentity) throws {
        let audience = SyncAudience(contact: PinnedKey(device.publicKey), name: device.name)
        try list.change { $0[0].audiences = [audience] }
    }

    /// Asks for contents of a folder, of this one by default.
    func want(_ number: UInt64, _ contents: [String], of folder: SyncFolderID? = nil) -> Message.SyncWant {
        Message.SyncWant(
            id: number, folder: folder ?? id,
            contents: contents.map { .init(ContentDigest(ofContent: Array($0.utf8)), size: UInt64($0.utf8.count)) })
    }

    // MARK: What the contact announces

    enum Outcome: Hashable {
        /// The device has handled all messages.
        case taken
        /// The session is over; the reason is nil if it came too late to be read.
        case closed(CloseCode?)
    }

    /// Changes by the contact, which offers their content on request.
    struct News {
        var records: [NodeRecord]
        var contents: [[UInt8]] = []
        var latest: SyncPosition
    }

    /// Opens a session and announces changes one after the other.
    func announce(_ all: [News]) throws -> [Outcome] {
        let peer = try HostilePeer(port: port, identity: friend)
        try peer.shakeHands(capabilities: [.syncs])
        let contents = HostileContents(peer, of: all.flatMap(\.contents))
        return try all.map { try announce($0, peer, contents) }
    }

    /// - Parameter contents: what the contact offers; those of the changes by default.
    func announce(_ news: News, _ peer: HostilePeer, _ contents: HostileContents? = nil) throws -> Outcome {
        let contents = contents ?? HostileContents(peer, of: news.contents)
        try peer.send(.syncFolders(.init([.init(id: id, name: "notes", latest: news.latest, taken: nil)])))
        while let message = try peer.nextMessage() {
            switch message {
            case .syncSince(let since):
                // A message after the session's end is of no use.
                do { try send(news, answering: since.question, peer) } catch is HostileSocket.Gone {}
            case .syncFolders(let told):
                if told.folders.first?.taken == news.latest { return .taken }
            case .close(let close): return .closed(close.code)
            default: try contents.take(message)
            }
        }
        return .closed(nil)
    }

    func send(_ news: News, answering question: UInt64, _ peer: HostilePeer) throws {
        var rest = news.records[...]
        while true {
            let part = Array(rest.prefix(Message.SyncChanges.count(fitting: rest)))
            rest = rest.dropFirst(part.count)
            try peer.send(
                .syncChanges(.init(question: question, records: part, latest: rest.isEmpty ? news.latest : nil)))
            if rest.isEmpty { return }
        }
    }

    /// Status of the folder as last written.
    func status() throws -> SyncFolderList.Status? { try list.all().first.flatMap { try list.status(of: $0) } }

    /// Names in the folder, except its control folder.
    func names() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)).subtracting([".portolan-sync"])
    }
}

extension HostilePeer {
    /// Waits until the victim has told of a folder that it has read.
    func waitUntilTold() throws {
        while let message = try nextMessage() {
            if case .syncFolders(let told) = message, told.folders.contains(where: { $0.latest != nil }) { return }
        }
        throw HostileSocket.Gone()
    }

    /// The victim's next answer to a SyncWant; nil if it ends the session.
    func nextContents() throws -> Message? {
        while let message = try nextMessage() {
            switch message {
            case .offer, .refusal: return message
            case .close: return nil
            default: continue
            }
        }
        return nil
    }
}
