import Foundation
import HostilePeers
import NodeTestSupport
import PortolanCrypto
import PortolanProtocol
import PortolanSyncPeers
import PortolanSyncPlan
import Testing

/// Small contents in the announcements of a hostile member, and announcements for a member that does not need them.
@Suite(.serialized) struct SyncCarriedContentTests {
    private static let good = Array("good".utf8)
    private static let latest = SyncPosition(epoch: 5, sequence: 3)

    /// Returns the end of a session in which a contact answers every question for changes.
    ///
    /// - Parameter answer: the answer to the question with this index.
    /// - Returns: the code with which the device closes the session; nil if it has processed everything.
    private static func end(
        of scene: SyncScene, _ answer: (_ place: Int, Message.SyncSince) -> Message.SyncChanges
    ) throws -> CloseCode? {
        let peer = try HostilePeer(port: scene.port, identity: scene.friend)
        try peer.shakeHands(capabilities: [.syncs])
        try peer.send(.syncFolders(.init([.init(id: scene.id, name: "notes", latest: latest, taken: nil)])))
        var place = 0
        while let message = try peer.nextMessage() {
            switch message {
            case .syncSince(let since):
                try peer.send(.syncChanges(answer(place, since)))
                place += 1
            case .syncWant: Issue.record("content was asked for")
            case .syncFolders(let told): if told.folders.first?.taken == latest { return nil }
            case .close(let close): return close.code
            default: break
            }
        }
        throw HostileSocket.Gone()
    }

    @Test("content that was sent with its changes is not requested")
    func sentContentIsNotRequested() async throws {
        try await SyncScene.withFolder { scene in
            let end = try Self.end(of: scene) { _, since in
                #expect(since.contents == .all)
                return .init(
                    question: since.question, records: [SyncScene.record("good", 1, .file, Self.good)],
                    latest: Self.latest, contents: [Self.good])
            }
            #expect(end == nil)
            #expect(try scene.names() == ["a.txt", "good"])
        }
    }

    @Test("content that is forged, named by no change, sent twice or too large ends the session, and nothing is stored")
    func invalidContentEndsTheSession() async throws {
        try await SyncScene.withFolder { scene in
            let large = [UInt8](repeating: 7, count: Limits.syncContent + 1)
            let cases: [([[UInt8]], CloseCode)] = [
                ([Array("evil".utf8)], .protocolViolation), ([Self.good, Array("more".utf8)], .protocolViolation),
                ([Self.good, Self.good], .protocolViolation), ([[]], .protocolViolation), ([large], .limit),
            ]
            for (contents, code) in cases {
                let end = try Self.end(of: scene) { _, since in
                    .init(
                        question: since.question,
                        records: [
                            SyncScene.record("good", 1, .file, Self.good),
                            SyncScene.record("large", 11, .file, large),
                        ],
                        latest: Self.latest, contents: contents)
                }
                #expect(end == code)
                #expect(try scene.names() == ["a.txt"])
            }
        }
    }

    @Test("content that was not asked for ends the session")
    func unrequestedContentEndsTheSession() async throws {
        try await SyncScene.withFolder { scene in
            let end = try Self.end(of: scene) { place, since in
                guard place > 0 else {
                    // The content is present already, so that further contents are not needed.
                    return .init(
                        question: since.question,
                        records: [SyncScene.record("copy", 1, .file, Array("secret".utf8))],
                        latest: SyncPosition(epoch: 5, sequence: 2))
                }
                #expect(since.contents == .none)
                return .init(
                    question: since.question, records: [SyncScene.record("good", 11, .file, Self.good)],
                    latest: Self.latest, contents: [Self.good])
            }
            #expect(end == .protocolViolation)
        }
    }

    @Test("small content is sent with the changes to a contact that asks for it, and to no other")
    func onlyAContactThatAsksGetsContentWithChanges() async throws {
        try await SyncScene.withFolder { scene in
            for asked in [Message.SyncSince.Contents.none, .own, .all] {
                let peer = try HostilePeer(port: scene.port, identity: scene.friend)
                try peer.shakeHands(capabilities: [.syncs])
                var contents: [[UInt8]] = []
                var hasAsked = false
                while let message = try peer.nextMessage() {
                    if case .syncFolders(let told) = message, told.folders.first?.latest != nil, !hasAsked {
                        hasAsked = true
                        try peer.send(.syncSince(.init(question: 1, folder: scene.id, position: nil, contents: asked)))
                    }
                    guard case .syncChanges(let changes) = message else { continue }
                    contents += changes.contents
                    if changes.latest != nil { break }
                }
                #expect(contents == (asked == .none ? [] : [Array("secret".utf8)]))
                try peer.send(.syncWant(scene.want(1, ["secret"])))
                guard case .offer(let offer)? = try peer.nextContents() else {
                    Issue.record("the content was not offered")
                    return
                }
                #expect(offer.items[0].representations[0].size == 6)
            }
        }
    }

    @Test("a stranger gets no contents with an answer")
    func strangerGetsNoContent() async throws {
        try await SyncScene.withFolder { scene in
            let peer = try HostilePeer(port: scene.port)
            try peer.shakeHands(capabilities: [.syncs])
            #expect(try peer.nextMessage() == .syncFolders(Message.SyncFolders([])))
            try peer.send(.syncSince(.init(question: 1, folder: scene.id, position: nil, contents: .all)))
            #expect(try peer.nextMessage() == .syncRefusal(.init(question: 1)))
        }
    }
}
