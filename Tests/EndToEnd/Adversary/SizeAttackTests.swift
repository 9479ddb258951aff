import Foundation
import HostilePeers
import NodeTestSupport
import Portolan
import PortolanProtocol
import PortolanValues
import Testing

/// A sender that gives more than it offered.
@Suite(.serialized) struct SizeAttackTests {
    /// Offers ten bytes, runs `attack`, and checks the result of the item.
    private func offerTen(
        _ form: HostilePeer.Form, apparentSize: UInt64? = nil, _ attack: @Sendable (HostilePeer) throws -> Void
    ) async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try peer.offer(form, size: 10, apparentSize: apparentSize)
            try attack(peer)
            #expect(try peer.nextReceipt() == .failed(StoringFailure(.tooLarge)))
            #expect(
                try await victim.hasComplained(
                    "It is larger than the \(apparentSize ?? 10) bytes that were offered and accepted."))
            #expect(try victim.contents() == [])
            try await victim.stillServes()
        }
    }

    @Test("ten bytes are accepted, and a megabyte of data is not stored")
    func refusesMoreData() async throws {
        try await offerTen(.data) { peer in
            try peer.begin(.data, name: Array("more".utf8))
            try peer.sendPayload(
                PayloadHeader(transfer: 1, entry: 0, offset: 0), [UInt8](repeating: 1, count: 1 << 20))
        }
    }

    @Test("a Begin that announces more than was offered is refused", arguments: [true, false])
    func refusesMoreAtTheBeginning(isFile: Bool) async throws {
        let form: HostilePeer.Form = isFile ? .file : .data
        try await offerTen(form) { try $0.begin(form, name: Array("more".utf8), size: 1 << 30) }
    }

    @Test("ten bytes are accepted, and neither a larger file nor a stream that goes on is stored")
    func refusesMoreOfFiles() async throws {
        try await offerTen(.file) { peer in
            try peer.begin(.file, name: Array("more".utf8))
            try peer.openLane().send(.file(0, size: 1 << 30))
        }
        try await offerTen(.file) { peer in
            try peer.begin(.file, name: Array("more".utf8))
            let lane = try peer.openLane()
            try lane.send(.file(0, size: nil))
            try lane.sendPayload([UInt8](repeating: 1, count: 10))
            try lane.sendPayload([1], at: 10)
        }
    }

    @Test("content that was offered as holes is refused")
    func refusesContentForHoles() async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try peer.offer(.file, size: 10, apparentSize: 1 << 30)
            try peer.begin(.file, name: Array("more".utf8))
            let lane = try peer.openLane()
            try lane.send(.file(0, size: 1 << 30))
            try lane.sendPayload([UInt8](repeating: 1, count: 11))
            #expect(try peer.nextReceipt() == .failed(StoringFailure(.tooLarge)))
            #expect(try victim.contents() == [])
            try await victim.stillServes()
        }
    }

    // MARK: Estimates

    @Test("an estimate that is false neither binds nor refuses a folder", arguments: [0, UInt64(Int64.max)])
    func estimateBindsNobody(estimate: UInt64) async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try peer.offer(.folder, estimatedSize: estimate)
            try peer.sendFolder(of: [1, 2, 3])
            #expect(try peer.nextStored()?.bytes == 3)
            #expect(try victim.contents() == ["tree"])
            try await victim.stillServes()
        }
    }

    @Test("a folder of more bytes than are taken is refused, although its estimate is smaller")
    func estimateDoesNotWidenALimit() async throws {
        // The honest peer's text has fewer bytes.
        let most = 1000
        var options = Node.ReceiveOptions()
        options.maximumSize = UInt64(most)
        try await Victim.with(options: options) { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            try peer.offer(.folder, estimatedSize: 1)
            try peer.sendFolder(of: [UInt8](repeating: 1, count: most + 1))
            #expect(try peer.nextReceipt() == .failed(StoringFailure(.tooLarge)))
            #expect(try victim.contents() == [])
            try await victim.stillServes()
        }
    }

    // MARK: Standard output

    /// Runs a receiver that writes to a descriptor that never blocks.
    ///
    /// - Parameter body: called with the peer, the receiver, and a function that waits for the begin of an item.
    private func withOutput(
        _ body: (HostilePeer, Task<Void, any Error>, AsyncStream<Void>) async throws -> Void
    ) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-output-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let node = try Node(blocking: .onLoopback("victim", home: root))
        let null = open("/dev/null", O_WRONLY)
        try #require(null >= 0)
        defer { close(null) }
        let (began, beginnings) = AsyncStream.makeStream(of: Void.self)
        let (port, receiving) = try await node.startReceiving(to: null) { event in
            if case .started = event { beginnings.yield() }
        }
        defer { receiving.cancel() }
        let peer = try HostilePeer(port: port)
        try peer.shakeHands()
        try await body(peer, receiving, began)
    }

    /// Sends a file that consists of a hole.
    private func sendHole(_ size: UInt64, by peer: HostilePeer) throws {
        try peer.offer(.file, size: 0, apparentSize: size)
        try peer.begin(.file, name: Array("hole".utf8))
        try peer.openLane().send(.file(0, size: size), .hole(0, 0..<size))
    }

    @Test("endless zeros stop when their sender has disconnected", .timeLimit(.minutes(20)))
    func stopsWritingForTheDead() async throws {
        try await withOutput { peer, receiving, began in
            try sendHole(1 << 62, by: peer)
            for await _ in began { break }
            peer.cut()
            await #expect(throws: NodeError.self) { try await receiving.value }
        }
    }

    @Test("endless zeros stop when the receiver is stopped", .timeLimit(.minutes(20)))
    func stopsWritingWhenStopped() async throws {
        try await withOutput { peer, receiving, began in
            try sendHole(1 << 62, by: peer)
            for await _ in began { break }
            receiving.cancel()
            await #expect(throws: CancellationError.self) { try await receiving.value }
        }
    }

    @Test("no more zeros are written than were accepted", .timeLimit(.minutes(20)))
    func writesNoMoreThanWasAccepted() async throws {
        try await withOutput { peer, receiving, _ in
            try peer.offer(.file, size: 10)
            try peer.begin(.file, name: Array("hole".utf8))
            try peer.openLane().send(.file(0, size: 1 << 62), .hole(0, 0..<(1 << 62)))
            #expect(try peer.nextReceipt() == .failed(StoringFailure(.tooLarge)))
            peer.cut()
            await #expect(throws: NodeError.self) { try await receiving.value }
        }
    }
}

extension HostilePeer {
    /// Sends a folder "tree" with one file of these bytes.
    fileprivate func sendFolder(of bytes: [UInt8]) throws {
        try begin(.folder, name: Array("tree".utf8))
        let lane = try openLane()
        try lane.send(.folder(0), .whole(1, in: 0, name: "file", bytes), .mark)
        try lane.sendEnd()
        try end(entries: 2, bytes: UInt64(bytes.count))
    }
}
