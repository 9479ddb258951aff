import Foundation
import HostilePeers
import NodeTestSupport
import Portolan
import PortolanProtocol
import Testing

/// Connected peers that neither send nor receive the announced content.
struct StalledPeerTests {
    private static let wait = Duration.seconds(2)

    /// Reads until the victim has closed the session, and returns its reason.
    private static func closeReason(of peer: HostilePeer) throws -> CloseCode? {
        while let record = try peer.nextRecord() {
            guard record.type == RecordType.control.rawValue else { continue }
            if case .close(let close) = try Message(decoding: record.plaintext[...]) { return close.code }
        }
        return nil
    }

    @Test("a receiver that accepts and then only sends signs of life is abandoned with a reason")
    func givesUpOnReceivers() async throws {
        let error = try await Sender.fails(stallWait: Self.wait) { receiver in
            try receiver.shakeHands(as: .responder)
            guard case .offer(let offer)? = try receiver.nextMessage() else { return }
            try receiver.send(
                .answer(
                    Message.Answer(offer: offer.id, choices: [ItemChoice(item: 0, .take(representation: 0))])))
            for number in 0..<UInt64(20) { try receiver.send(.ping(id: number)) }
            #expect(try Self.closeReason(of: receiver) == .notInTime)
        }
        #expect(error.kind == .interrupted)
        #expect(error.description.contains("2 s"))
    }

    @Test("a holder that does not answer is abandoned")
    func givesUpOnHolders() async throws {
        let home = try Sender.home()
        defer { try? FileManager.default.removeItem(at: home) }
        var configuration = try Node.Configuration.onLoopback("asking", home: home)
        configuration.stallWait = Self.wait
        let node = try Node(blocking: configuration)
        let listener = try HostileListener()
        let finished = listener.serveOne { holder in
            try holder.shakeHands(as: .responder, capabilities: [.serves])
            guard case .list? = try holder.nextMessage() else { return }
            for number in 0..<UInt64(20) { try holder.send(.ping(id: number)) }
            #expect(try Self.closeReason(of: holder) == .notInTime)
        }
        let peer = Peer(name: "mallory", fingerprint: nil, address: "127.0.0.1", port: listener.port)
        let error = await #expect(throws: NodeError.self) { _ = try await node.items(of: peer) }
        #expect(error?.kind == .interrupted)
        try await finished.value
    }
}
