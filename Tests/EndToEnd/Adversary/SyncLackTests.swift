import Glibc
import HostilePeers
import PortolanProtocol
import PortolanSyncPeers
import PortolanSyncPlan
import Synchronization
import Testing

/// A member that tells whatever it likes of what it does not have alike.
@Suite(.serialized) struct SyncLackTests {
    @Test(
        "lacks that change all the time, of unknown files and huge numbers, are passed over, and later ones are heard")
    func flood() async throws {
        let events = Mutex(0)
        try await SyncScene.withFolder(events: { event in
            if case .lacking = event { events.withLock { $0 += 1 } }
        }) { scene in
            let peer = try HostilePeer(port: scene.port, identity: scene.friend)
            try peer.shakeHands(capabilities: [.syncs])
            let text = Array("text".utf8)
            let record = SyncScene.record("file", 1, .file, text)
            let news = SyncScene.News(
                records: [record], contents: [text], latest: SyncPosition(epoch: 5, sequence: 1))
            #expect(try scene.announce(news, peer) == .taken)

            let unknown = NodeID(Dot(ReplicaID(device: DeviceID(78), epoch: 6), 9))
            func tell(_ lacks: [MemberLack]) throws {
                try peer.send(
                    .syncFolders(
                        .init([.init(id: scene.id, name: "notes", latest: news.latest, taken: nil, lacks: lacks)])))
            }
            for number in 0..<3000 {
                try tell(
                    (0..<16).map { place in
                        let count = MemberLack.mostCount - number - place
                        return MemberLack(
                            number % 2 == 0 ? .deletion : .link, [unknown], count: count,
                            mark: [UInt8(place), 2, 3, UInt8(number % 256)])
                    })
            }
            // A link that is not known here is passed over; a deletion is told without a path.
            try tell([MemberLack(.link, [unknown], count: 1), MemberLack(.deletion, [unknown], count: 5)])
            try scene.wait { $0.others?.map(\.count) == [5] && $0.others?.first?.paths == [] }
            try tell([MemberLack(.name, [record.id, unknown], count: 2)])
            try scene.wait { $0.others?.map(\.kind) == ["name"] && $0.others?.first?.paths == ["file"] }
            #expect(try scene.status()?.isAlike == false)
            try tell([])
            try scene.wait { $0.others == [] }
            #expect(try scene.names() == ["a.txt", "file"])
        }
        #expect(events.withLock { $0 } <= 16)
    }

    @Test("a lack of a file that the folder does not have tells nothing of other folders or paths")
    func strangers() async throws {
        try await SyncScene.withFolder { scene in
            let stranger = try HostilePeer(port: scene.port)
            try stranger.shakeHands(capabilities: [.syncs])
            let lack = MemberLack(.diskFull, [], count: 0)
            let latest = SyncPosition(epoch: 5, sequence: 1)
            for _ in 0..<100 {
                try stranger.send(
                    .syncFolders(.init([.init(id: scene.id, name: "notes", latest: latest, taken: nil, lacks: [lack])]))
                )
                try stranger.send(
                    .syncFolders(.init([.init(id: scene.id, name: "notes", latest: latest, taken: nil)])))
            }
            #expect(try stranger.nextMessage() == .syncFolders(Message.SyncFolders([])))
            #expect(try scene.announce([.init(records: [], latest: latest)]) == [.taken])
            #expect(try scene.status()?.others ?? [] == [])
        }
    }
}

extension SyncScene {
    /// Waits until the status of the folder is as wanted.
    func wait(until isTrue: (SyncFolderList.Status) -> Bool) throws {
        while try !(status().map(isTrue) ?? false) { usleep(10_000) }
    }
}
