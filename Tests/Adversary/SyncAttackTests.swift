import Foundation
import HostilePeers
import NodeTestSupport
import Portolan
import PortolanCrypto
import PortolanProtocol
import PortolanSyncModel
import PortolanSyncing
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

    @Test("a peer without the folders' capability may not send messages about folders, nor unrequested answers")
    func outOfTurn() async throws {
        try await SyncScene.withFolder { scene in
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
            let peer = try HostilePeer(port: scene.port, identity: scene.friend)
            try peer.shakeHands(capabilities: [.syncs])
            let latest = SyncPosition(epoch: 5, sequence: 3)
            let (good, target) = (Array("good".utf8), Array("../../outside".utf8))
            let records = [
                SyncScene.record("good", 1, .file, good), SyncScene.record("forged", 11, .file, Array("asked".utf8)),
                SyncScene.record("link", 21, .link, target),
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
