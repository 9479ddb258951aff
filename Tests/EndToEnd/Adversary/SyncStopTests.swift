import HostilePeers
import PortolanProtocol
import PortolanSyncPeers
import PortolanSyncPlan
import PortolanValues
import Synchronization
import Testing

/// A member that has a device stop, as if its key were used elsewhere.
@Suite(.serialized) struct SyncStopTests {
    @Test("forged stops have no member stand still, and the texts beside them are never shown unescaped")
    func forged() async throws {
        let sentences = Mutex<[String]>([])
        try await SyncScene.withFolder(events: { event in
            if case .failed(let text) = event { sentences.withLock { $0.append(text.text) } }
        }) { scene in
            let peer = try HostilePeer(port: scene.port, identity: scene.friend)
            try peer.shakeHands(capabilities: [.syncs])
            let machine = try HeardStop.Machine(host: "\u{1B}[2J\u{202E}", address: "evil\n", seen: 1)
            for byte in 0..<32 as Range<UInt8> {
                let seal = try #require(ReplicaSeal([UInt8](repeating: 255 - byte, count: ReplicaSeal.length)))
                try peer.send(
                    .syncFolders(
                        .init([
                            .init(
                                id: scene.id, name: "notes", latest: nil, taken: nil,
                                heardStop: HeardStop(seal, [machine, machine]))
                        ])))
            }
            // The news say nothing of stops, and a round sees the newest announcement alone.
            try scene.wait { _ in sentences.withLock { $0.contains { $0.contains("that it did not make") } } }
            let text = Array("text".utf8)
            let news = SyncScene.News(
                records: [SyncScene.record("file", 1, .file, text)], contents: [text],
                latest: SyncPosition(epoch: 5, sequence: 1))
            #expect(try scene.announce(news, peer) == .taken)
            #expect(try scene.names() == ["a.txt", "file"])
            let status = try scene.status()
            #expect(status?.problem == nil && status?.isCopied == nil)
        }
        #expect(sentences.withLock { $0.allSatisfy { !$0.contains("\u{1B}") } })
    }

    @Test(
        "a member that says that it stands still is not alike, holds up nothing, and is heard of no more by older seals"
    )
    func ofItself() async throws {
        try await SyncScene.withFolder { scene in
            let peer = try HostilePeer(port: scene.port, identity: scene.friend)
            try peer.shakeHands(capabilities: [.syncs])
            let seal = try #require(ReplicaSeal([UInt8](repeating: 255, count: ReplicaSeal.length)))
            let stop = try SyncStop(seal, host: "\u{1B}[2J")
            try peer.send(
                .syncFolders(.init([.init(id: scene.id, name: "notes", latest: nil, taken: nil, stop: stop)])))
            try scene.wait { status in
                status.lacks?.contains { $0.reason.contains("two machines") && !$0.reason.contains("\u{1B}") } ?? false
            }
            #expect(try scene.status()?.isAlike == false)
            // Its stop comes back to it, also in a later session, and its changes without a later seal are passed over.
            let other = try HostilePeer(port: scene.port, identity: scene.friend)
            try other.shakeHands(capabilities: [.syncs])
            let latest = SyncPosition(epoch: 5, sequence: 1)
            try other.send(.syncFolders(.init([.init(id: scene.id, name: "notes", latest: latest, taken: nil)])))
            let record = SyncScene.record("file", 1, .file, [1])
            var (isAsked, isGivenBack) = (false, false)
            while !isAsked || !isGivenBack, let message = try other.nextMessage() {
                switch message {
                case .syncSince(let since):
                    isAsked = true
                    try other.send(
                        .syncChanges(.init(question: since.question, records: [record], latest: latest)))
                case .syncFolders(let told): isGivenBack = isGivenBack || told.folders.first?.heardStop?.seal == seal
                default: break
                }
            }
            #expect(isAsked && isGivenBack)
            #expect(try scene.names() == ["a.txt"])
        }
    }
}
