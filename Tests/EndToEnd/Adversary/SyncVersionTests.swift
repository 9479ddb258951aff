import Dispatch
import HostilePeers
import PortolanProtocol
import PortolanSyncPeers
import PortolanValues
import Synchronization
import Testing

/// A contact whose program keeps folders alike by another version of the protocol.
@Suite(.serialized) struct SyncVersionTests {
    /// Sentences about failures, as a device reports them.
    private final class Reports: Sendable {
        private let said = Mutex<[String]>([])
        private let bell = DispatchSemaphore(value: 0)

        var all: [String] { said.withLock(\.self) }

        func add(_ event: SyncEvent) {
            guard case .failed(let sentence) = event else { return }
            said.withLock { $0.append(sentence.text) }
            bell.signal()
        }

        func wait() { _ = bell.wait(timeout: .now() + 600) }
    }

    @Test("a person is told both versions, of a contact and not of a stranger")
    func otherVersion() async throws {
        let reports = Reports()
        try await SyncScene.withFolder(events: { reports.add($0) }) { scene in
            let stranger = try HostilePeer(port: scene.port)
            try stranger.shakeHands(capabilities: Capabilities(rawValue: 8))
            let first = try HostilePeer(port: scene.port, identity: scene.friend)
            try first.shakeHands(capabilities: Capabilities(rawValue: 8))
            reports.wait()
            let second = try HostilePeer(port: scene.port, identity: scene.friend)
            try second.shakeHands(capabilities: Capabilities(rawValue: 8 + 16))
            reports.wait()
        }
        #expect(
            reports.all
                == ["1", "1 and 2"].map {
                    "“friend” keeps folders alike by version \($0) of the protocol, and this program by version 8: nothing "
                        + "is exchanged until both have the same one."
                })
    }

    @Test("questions of a peer that did not say that it keeps folders alike are passed over, and are no work")
    func neverSaid() async throws {
        try await SyncScene.withFolder { scene in
            let peer = try HostilePeer(port: scene.port, identity: scene.friend)
            try peer.shakeHands(capabilities: [])
            for question in 1...UInt64(Limits.questions + 2) {
                try peer.send(.syncSince(.init(question: question, folder: scene.id, position: nil)))
            }
            try peer.send(.ping(id: 7))
            while let message = try peer.nextMessage() {
                if case .close(let close) = message { Issue.record("The session was closed: \(close.code)") }
                if message == .pong(id: 7) { return }
            }
            Issue.record("The session ended")
        }
    }
}
