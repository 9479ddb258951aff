import Foundation
import HostilePeers
import NodeTestSupport
import Portolan
import PortolanCrypto
import PortolanProtocol
import PortolanSyncModel
import PortolanSyncing
import PortolanTrust
import Testing

/// What somebody may try on a device that keeps folders alike.
@Suite(.serialized) struct SyncAttackTests {
    private struct Scene: Sendable {
        let port: UInt16
        let folder: URL
        let id: SyncFolderID
        /// A contact that the folder is shared with.
        let friend: DeviceIdentity
    }

    /// A node that shares a folder with a file in it with one contact.
    private static func withFolder(_ body: @Sendable (Scene) throws -> Void) async throws {
        let root = try Sender.home()
        defer { try? FileManager.default.removeItem(at: root) }
        let folder = root.appending(path: "notes")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("secret".utf8).write(to: folder.appending(path: "a.txt"))
        let home = root.appending(path: "home")
        let directory = try HomeDirectory(override: home.path, environment: [:])
        let friend = try DeviceIdentity.made(named: "friend")
        _ = try KnownPeers(home: directory).confirm(name: friend.name, key: friend.publicKey, now: .now)
        let list = SyncFolderList(home: directory)
        let id = SyncFolderID()
        let audience = SyncAudience(contact: PinnedKey(friend.publicKey), name: friend.name)
        try list.change { folders in
            folders.append(SyncFolderEntry(name: "notes", path: folder.path, audiences: [audience], id: id))
        }
        let node = try Node(blocking: .onLoopback("holder", home: home))
        let service = SyncService(node, list) { _ in }
        let (ports, port) = AsyncStream.makeStream(of: UInt16.self)
        let staying = Task {
            try await service.stay { event in
                if case .listening(let number, _, _) = event { port.yield(number) }
            }
        }
        defer { staying.cancel() }
        var listening = ports.makeAsyncIterator()
        guard let number = await listening.next() else { throw Victim.NeverListened() }
        try await withHostileThread { try body(Scene(port: number, folder: folder, id: id, friend: friend)) }
        staying.cancel()
        _ = await staying.result
    }

    private static func record(_ name: String, _ number: UInt64, _ kind: NodeKind, _ bytes: [UInt8]) -> NodeRecord {
        let replica = ReplicaID(device: DeviceID(77), epoch: 5)
        var record = NodeRecord(id: NodeID(Dot(replica, number)), kind: kind)
        record.move(Dot(replica, number), to: Place(.root, Name(name)))
        guard let digest = ContentDigest(sha256([bytes])) else { preconditionFailure("A digest has 32 bytes") }
        record.write(
            Dot(replica, number + 1),
            Content(form: Form(digest, attributes: 0o644), size: UInt64(bytes.count), author: "friend"), replacing: [])
        return record
    }

    @Test("a stranger learns of no folder, and one that is there is answered for like one that is not")
    func strangers() async throws {
        try await Self.withFolder { scene in
            let peer = try HostilePeer(port: scene.port)
            try peer.shakeHands(capabilities: [.syncs])
            #expect(try peer.nextMessage() == .syncFolders(Message.SyncFolders([])))
            let digest = try #require(ContentDigest(sha256([Array("secret".utf8)])))
            for (place, folder) in [scene.id, SyncFolderID()].enumerated() {
                let question = UInt64(2 * place + 1)
                try peer.send(.syncSince(.init(question: question, folder: folder, position: nil)))
                #expect(try peer.nextMessage() == .syncRefusal(.init(question: question)))
                try peer.send(.syncWant(.init(question: question + 1, folder: folder, digest: digest, offset: 0)))
                #expect(try peer.nextMessage() == .syncRefusal(.init(question: question + 1)))
            }
        }
    }

    @Test("who does not say that it keeps folders alike may not speak of them, nor answer what was not asked")
    func outOfTurn() async throws {
        try await Self.withFolder { scene in
            let peer = try HostilePeer(port: scene.port, identity: scene.friend)
            try peer.shakeHands(capabilities: [.syncs])
            try peer.send(.syncContent(.init(question: 1, data: [1])))
            while let message = try peer.nextMessage() {
                guard case .close(let close) = message else { continue }
                #expect(close.code == .protocolViolation)
                return
            }
            Issue.record("the session was not closed")
        }
    }

    @Test("a name that leads out of the folder ends the session, and nothing is written")
    func names() async throws {
        try await Self.withFolder { scene in
            var closed = 0
            for name in ["..", "a/b", ""] {
                let peer = try HostilePeer(port: scene.port, identity: scene.friend)
                try peer.shakeHands(capabilities: [.syncs])
                let latest = SyncPosition(epoch: 5, sequence: 1)
                try peer.send(
                    .syncFolders(.init([.init(id: scene.id, name: "notes", latest: latest, taken: nil)])))
                while let message = try peer.nextMessage() {
                    if case .syncSince(let since) = message {
                        let record = Self.record(name, 1, .file, [1])
                        try peer.send(
                            .syncChanges(.init(question: since.question, records: [record], latest: latest)))
                    }
                    guard case .close(let close) = message else { continue }
                    #expect(close.code == .protocolViolation)
                    closed += 1
                    break
                }
            }
            #expect(closed == 3)
            let names = try FileManager.default.contentsOfDirectory(atPath: scene.folder.path).sorted()
            #expect(names == [".portolan-sync", "a.txt"])
        }
    }

    @Test("content that is not what was announced and a link that leads out of the folder are not stored")
    func contents() async throws {
        try await Self.withFolder { scene in
            let peer = try HostilePeer(port: scene.port, identity: scene.friend)
            try peer.shakeHands(capabilities: [.syncs])
            let latest = SyncPosition(epoch: 5, sequence: 3)
            let (good, target) = (Array("good".utf8), Array("../../outside".utf8))
            let records = [
                Self.record("good", 1, .file, good), Self.record("forged", 11, .file, Array("asked".utf8)),
                Self.record("link", 21, .link, target),
            ]
            try peer.send(.syncFolders(.init([.init(id: scene.id, name: "notes", latest: latest, taken: nil)])))
            while let message = try peer.nextMessage() {
                switch message {
                case .syncSince(let since):
                    try peer.send(.syncChanges(.init(question: since.question, records: records, latest: latest)))
                case .syncWant(let want):
                    let contents = [good, Array("given".utf8), target]
                    let place = records.firstIndex { $0.contents.first?.value.form.digest == want.digest }
                    let content = contents[try #require(place)].dropFirst(Int(want.offset))
                    try peer.send(.syncContent(.init(question: want.question, data: Array(content))))
                default: break
                }
                guard case .syncFolders(let told) = message, told.folders.first?.taken == latest else { continue }
                break
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: scene.folder.path).sorted()
            #expect(names == [".portolan-sync", "a.txt", "good"])
        }
    }
}
