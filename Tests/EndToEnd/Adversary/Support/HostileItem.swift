import Foundation
import HostilePeers
import NodeTestSupport
import Portolan
import PortolanProtocol
import PortolanValues
import Testing
import UniformTypeIdentifiers

extension HostilePeer {
    enum Form {
        case file
        case folder
        case data
    }

    /// - Parameters:
    ///   - size: claimed size.
    ///   - source: claimed identifier of the source.
    func offered(
        _ form: Form, id: UInt64 = 1, title: String = "a present", size: UInt64? = nil, apparentSize: UInt64? = nil,
        estimatedSize: UInt64? = nil, source: [UInt8] = []
    ) throws -> Offer {
        let channel: PortolanProtocol.Channel = form == .data ? .data : .file
        let type = form == .folder ? "public.folder" : "public.data"
        return try Offer(
            id: id,
            items: [
                OfferedItem(
                    title: title,
                    representations: [
                        OfferedRepresentation(
                            type: OfferedType(identifier: type), channel: channel, size: size,
                            apparentSize: apparentSize, estimatedSize: estimatedSize, isFolder: form == .folder,
                            source: source)
                    ])
            ])
    }

    /// - Returns: how the victim wants it.
    @discardableResult
    func offer(
        _ form: Form, size: UInt64? = nil, apparentSize: UInt64? = nil, estimatedSize: UInt64? = nil,
        source: [UInt8] = [], awaitingAnswer: Bool = true
    ) throws -> LaneTerms? {
        try send(
            .offer(
                offered(
                    form, size: size, apparentSize: apparentSize, estimatedSize: estimatedSize, source: source)))
        guard awaitingAnswer else { return nil }
        guard case .answer(let answer)? = try nextMessage() else { throw HostileSocket.Gone() }
        return answer.choices.first?.terms
    }

    func begin(
        _ form: Form, name: [UInt8], size: UInt64? = nil, asks: Bool = false, requirements: Fidelity = []
    ) throws {
        try send(
            .begin(
                Message.Begin(
                    transfer: 1, offer: 1, item: 0, representation: 0, channel: form == .data ? .data : .file,
                    name: name, size: size, asks: asks, requirements: requirements)))
    }

    /// Sends all parts of a transfer of one small file that follow its beginning.
    func sendWholeFile(_ bytes: [UInt8]) throws {
        let lane = try openLane()
        try lane.send(.whole(0, bytes), .mark)
        try lane.sendEnd()
        try end(entries: 1, bytes: UInt64(bytes.count))
    }

    func end(entries: UInt32, bytes: UInt64, lanes: UInt32 = 1) throws {
        try send(.end(Message.End(transfer: 1, entries: entries, bytes: bytes, lanes: Array(0..<lanes))))
    }

    func nextReceipt() throws -> Message.Receipt.Outcome? {
        var message = try nextMessage()
        // A peer that is removed is told first.
        while case .teamUpdate? = message { message = try nextMessage() }
        guard case .receipt(let receipt)? = message else { return nil }
        return receipt.outcome
    }
}

extension HostilePeer {
    /// The next receipt, if it reports a stored item.
    func nextStored() throws -> StoredItem? {
        guard case .stored(let stored)? = try nextReceipt() else { return nil }
        return stored
    }
}

/// Messages that our own types cannot express.
enum Wire {
    /// A `Begin` (field 4 of the control message) for transfer 1 of offer 1 on the file channel.
    static func begin(name: [UInt8]) -> [UInt8] {
        let body = [0x08, 0x01, 0x10, 0x01, 0x28, 0x02] + field(6, name)
        return field(4, body)
    }

    /// A field that holds bytes, text or a message.
    static func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        [number << 3 | 2] + length(UInt64(bytes.count)) + bytes
    }

    /// A length before the bytes of a field.
    static func length(_ count: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = count
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}

extension Victim {
    /// Connects a peer that begins a file and declares its size on a lane. The content is not sent yet.
    func beginFile(named name: String, size: UInt64) throws -> (peer: HostilePeer, lane: HostileLane) {
        let peer = try HostilePeer(port: port)
        try peer.shakeHands()
        try peer.offer(.file)
        try peer.begin(.file, name: Array(name.utf8))
        let lane = try peer.openLane()
        try lane.send(.file(0, size: size))
        return (peer, lane)
    }

    /// An honest peer can still give it something.
    func stillServes(as name: String = "honest") async throws {
        let sender = try Honest(self, name)
        // The victim's deadlines may be too short for a machine that is busy with other tests.
        let end = ContinuousClock.now + .seconds(300)
        while ContinuousClock.now < end {
            if (try? await sender.sends()) == true { return }
            try await Task.sleep(for: .milliseconds(200))
        }
        Issue.record("an honest peer was not served")
    }
}

/// A stranger without hostile intent.
struct Honest {
    private let node: Node
    private let port: UInt16

    init(_ victim: Victim, _ name: String = "honest") throws {
        let home = victim.root.appendingPathComponent("home").appendingPathComponent("other-\(name)")
        var configuration = try Node.Configuration.patient(home: home)
        configuration.name = try DeviceName(name)
        node = try Node(blocking: configuration)
        port = victim.port
    }

    /// Sends a short text, once.
    ///
    /// - Returns: whether it was stored.
    func sends() async throws -> Bool {
        let item = Item(
            title: "honest",
            representations: [
                .data(Data("hello".utf8), contentType: .utf8PlainText, suggestedName: "honest.txt")
            ])
        return try await node.send([item], to: node.find("127.0.0.1:\(port)"), options: .once).map(\.isStored) == [true]
    }
}
