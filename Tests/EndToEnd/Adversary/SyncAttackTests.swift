import Foundation
import HostilePeers
import NodeTestSupport
import Portolan
import PortolanCrypto
import PortolanProtocol
import PortolanSyncPeers
import PortolanSyncPlan
import PortolanTrust
import PortolanValues
import Testing

/// Attacks on a device that synchronizes folders.
@Suite(.serialized) struct SyncAttackTests {
    @Test("a stranger learns of no folder: requests for existing and missing folders get the same answer")
    func strangers() async throws {
        try await SyncScene.withFolder { scene in
            let peer = try HostilePeer(port: scene.port)
            try peer.shakeHands(capabilities: [.syncs])
            #expect(try peer.nextMessage() == .syncFolders(Message.SyncFolders([])))
            for (place, folder) in [scene.id, SyncFolderID()].enumerated() {
                let question = UInt64(place + 1)
                try peer.send(.syncSince(.init(question: question, folder: folder, position: nil)))
                #expect(try peer.nextMessage() == .syncRefusal(.init(question: question)))
                try peer.send(.syncWant(scene.want(question, ["secret"], of: folder)))
                #expect(try peer.nextMessage() == .refusal(.init(id: question, reason: .gone)))
            }
        }
    }

    @Test("a forged statement for whom a folder is ends the session, and another's changes nothing")
    func forgedStatements() async throws {
        try await SyncScene.withFolder { scene in
            let friend = PinnedKey(scene.friend.publicKey)
            let claimed = FolderStatement(by: friend, for: [], former: scene.id.bytes)
            let signed = try SignedFolderStatement(claimed, by: scene.friend.key)
            let peer = try HostilePeer(port: scene.port, identity: scene.friend)
            try peer.shakeHands(capabilities: [.syncs])
            var isAnswered = false
            while !isAnswered, let message = try peer.nextMessage() {
                switch message {
                case .syncFolders(let told) where !told.folders.isEmpty:
                    // The holder has made the folder: nobody else is its maker.
                    try peer.send(.syncStatement(signed))
                    try peer.send(.syncSince(.init(question: 1, folder: scene.id, position: nil)))
                case .syncChanges: isAnswered = true
                case .syncRefusal:
                    Issue.record("The folder goes by the word of another maker")
                    return
                default: break
                }
            }
            #expect(isAnswered)
            let forged = SignedFolderStatement(
                own: .init(bytes: signed.own.bytes, signature: Data(repeating: 1, count: 64)), grant: nil)
            try peer.send(.syncStatement(forged))
            while let message = try peer.nextMessage() {
                guard case .close(let close) = message else { continue }
                #expect(close.code == .protocolViolation)
                return
            }
            Issue.record("The session ended without a reason")
        }
    }

    @Test("an answer to a question that was not asked ends the session")
    func outOfTurn() async throws {
        try await SyncScene.withFolder { scene in
            let peer = try HostilePeer(port: scene.port, identity: scene.friend)
            try peer.shakeHands(capabilities: [.syncs])
            try peer.send(.syncRefusal(.init(question: 1)))
            while let message = try peer.nextMessage() {
                guard case .close(let close) = message else { continue }
                #expect(close.code == .protocolViolation)
                return
            }
            Issue.record("the session was not closed")
        }
    }

    @Test("a name that leads out of the folder ends the session, and nothing is written")
    func nameOutsideTheFolderEndsTheSession() async throws {
        try await SyncScene.withFolder { scene in
            var closed = 0
            for name in ["..", "a/b", ""] {
                let peer = try HostilePeer(port: scene.port, identity: scene.friend)
                try peer.shakeHands(capabilities: [.syncs])
                let latest = SyncPosition(epoch: 5, sequence: 1)
                try peer.send(
                    .syncFolders(.init([.init(id: scene.id, name: "notes", latest: latest, taken: nil)])))
                while let message = try peer.nextMessage() {
                    if case .syncSince(let since) = message {
                        let record = SyncScene.record(name, 1, .file, [1])
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

    @Test("content that differs from its announcement and a link that leaves the folder are not stored")
    func contents() async throws {
        try await SyncScene.withFolder { scene in
            let latest = SyncPosition(epoch: 5, sequence: 3)
            let (good, forged, target) = (Array("good".utf8), Array("asked".utf8), Array("../../outside".utf8))
            let records = [
                SyncScene.record("good", 1, .file, good), SyncScene.record("forged", 11, .file, forged),
                SyncScene.record("link", 21, .link, target),
            ]
            let peer = try HostilePeer(port: scene.port, identity: scene.friend)
            try peer.shakeHands(capabilities: [.syncs])
            let contents = HostileContents(peer) { _ in
                [
                    .folder(0), .whole(1, name: HostileContents.name(good), good),
                    .whole(2, name: HostileContents.name(forged), Array("given".utf8)),
                    .whole(3, name: HostileContents.name(target), target),
                ]
            }
            #expect(try scene.announce(.init(records: records, latest: latest), peer, contents) == .taken)
            #expect(try scene.names() == ["a.txt", "good"])
        }
    }
}
