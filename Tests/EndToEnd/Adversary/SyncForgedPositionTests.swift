import HostilePeers
import PortolanCrypto
import PortolanProtocol
import PortolanSyncPeers
import PortolanSyncPlan
import Testing

/// Members that claim to know changes of a device that it did not make.
@Suite(.serialized) struct SyncForgedPositionTests {
    @Test("claims to know more of a device's changes begin no epoch there, and change no file")
    func claims() async throws {
        try await SyncScene.withFolder { scene in
            let peer = try HostilePeer(port: scene.port, identity: scene.friend)
            try peer.shakeHands(capabilities: [.syncs])
            let own = try #require(try latest(peer))
            let seal = ReplicaSeal([UInt8](repeating: 255, count: ReplicaSeal.length))
            var device: DeviceID?
            let far = SyncPosition(epoch: own.epoch, sequence: own.sequence + 1_000_000, seal: seal)
            for question in 1...20 as ClosedRange<UInt64> {
                try peer.send(.syncHeard(.init(folder: scene.id, position: far)))
                try peer.send(.syncSince(.init(question: question, folder: scene.id, position: far)))
                while let message = try peer.nextMessage() {
                    guard case .syncChanges(let changes) = message else { continue }
                    #expect(changes.latest?.epoch == own.epoch && changes.records.count == 1)
                    device = changes.records.first?.id.creation.replica.device
                    break
                }
            }
            // Records with changes by the device that it did not make, and a seal of it that it did not make.
            let holder = try #require(device)
            var record = SyncScene.record("new", 1, .file, [1])
            record.version.add(Dot(ReplicaID(device: holder, epoch: own.epoch), 1_000_000))
            let news = SyncPosition(epoch: 5, sequence: 1)
            try peer.send(.syncFolders(.init([.init(id: scene.id, name: "notes", latest: news, taken: far)])))
            var isTaken = false
            while !isTaken, let message = try peer.nextMessage() {
                switch message {
                case .syncSince(let since):
                    try peer.send(
                        .syncChanges(
                            .init(
                                question: since.question, records: [record], latest: news,
                                seals: seal.map { [holder: $0] } ?? [:])))
                case .syncFolders(let told):
                    #expect(told.folders.first?.latest?.epoch == own.epoch)
                    isTaken = told.folders.first?.taken == news
                default: break
                }
            }
            #expect(isTaken)
            #expect(try scene.names() == ["a.txt"])
        }
    }

    /// The device's latest change, in its first announcement that has one.
    private func latest(_ peer: HostilePeer) throws -> SyncPosition? {
        while let message = try peer.nextMessage() {
            guard case .syncFolders(let told) = message, let latest = told.folders.first?.latest else { continue }
            return latest
        }
        return nil
    }
}
