import Foundation
import HostilePeers
import Portolan
import PortolanProtocol
import Testing

/// Attacks of a receiver on a sender that asks it for its stored parts of a file or folder.
@Suite(.serialized) struct LaneReceiverAttackTests {
    struct Attack: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let asks: Bool
        let sendsFolder: Bool
        /// Sentence for the sender's user.
        let sentence: String
        let messages: @Sendable () throws -> [Message]

        init(
            _ description: String, asks: Bool = true, folder: Bool = false, says sentence: String,
            _ messages: @escaping @Sendable () throws -> [Message]
        ) {
            testDescription = description
            self.asks = asks
            sendsFolder = folder
            self.sentence = sentence
            self.messages = messages
        }
    }

    private static func wanted(_ first: UInt32, _ decisions: [EntryDecision], of transfer: UInt32 = 1) throws -> Message
    {
        .wanted(try Message.Wanted(transfer: transfer, first: first, decisions: decisions))
    }

    private static func holding(
        _ block: UInt64, count: Int = 1, of index: UInt32 = 0, transfer: UInt32 = 1
    ) throws -> Message {
        .holding(
            try Message.Holding(
                transfer: transfer, index: index, block: block, digests: [UInt8](repeating: 7, count: 16 * count),
                isLast: false))
    }

    /// The file has 64 blocks.
    static let attacks = [
        Attack("entries that were never announced", says: "The receiver decides about entries that were not announced.")
        {
            [try wanted(0, [.all, .all])]
        },
        Attack("entries before their turn", says: "The receiver decides about entry 1 before 0.") {
            [try wanted(1, [.all])]
        },
        Attack("the same entry twice", says: "The receiver decides about entry 0 before 1.") {
            [try wanted(0, [.compare]), try wanted(0, [.compare])]
        },
        Attack("content of a folder", folder: true, says: "The receiver wants the content of an entry that has none.") {
            [try wanted(0, [.all])]
        },
        Attack(
            "decisions without having been asked", asks: false,
            says: "The receiver decides about entries without being asked."
        ) { [try wanted(0, [.nothing])] },
        Attack(
            "decisions about a transfer that has not begun",
            says: "The receiver refers to transfer 2, which has not begun."
        ) { [try wanted(0, [.all], of: 2)] },
        Attack(
            "blocks of an undecided entry", says: "The receiver reports present content without being asked."
        ) { [try holding(0)] },
        Attack("blocks beyond the file", says: "The receiver reports more present content than the file has.") {
            [try wanted(0, [.compare]), try holding(63, count: 2)]
        },
        Attack("blocks out of their order", says: "The receiver reports present content out of order.") {
            [try wanted(0, [.compare]), try holding(1), try holding(0)]
        },
        Attack("the same blocks again and again", says: "The receiver reports present content out of order.") {
            try [wanted(0, [.compare])] + (0..<1000).map { _ in try holding(0) }
        },
        Attack(
            "blocks of a transfer that has not begun",
            says: "The receiver refers to transfer 2, which has not begun."
        ) { [try holding(0, transfer: 2)] },
    ]

    @Test("an invalid claim of a receiver about its content ends the session with one sentence", arguments: attacks)
    func invalidClaimsEndTheSession(attack: Attack) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "portolan-asked-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }
        // More than the buffers between the two hold while the lane is not read.
        let file = root.appending(path: "64-blocks")
        try Self.noise(16 << 20).write(to: file)
        let item = try await Item.file(at: attack.sendsFolder ? root.path : file.path)
        let error = try await Sender.fails(sending: item) { receiver in
            try receiver.shakeHands(as: .responder)
            guard case .offer(let offer)? = try receiver.nextMessage() else { throw HostileSocket.Gone() }
            let choice = ItemChoice(item: 0, .take(representation: 0), terms: LaneTerms(asks: attack.asks, lanes: 2))
            try receiver.send(.answer(Message.Answer(offer: offer.id, choices: [choice])))
            guard case .begin? = try receiver.nextMessage() else { throw HostileSocket.Gone() }
            // Announced content comes on the lane.
            let lane = try receiver.takeLane()
            let messages = try attack.messages()
            for message in messages.prefix(2) { try receiver.send(message) }
            // The session may be closed already.
            for message in messages.dropFirst(2) { try? receiver.send(message) }
            // Checked before the lane is read: messages about a transfer that was sent meanwhile are ignored.
            if messages.count <= 2 { #expect(try receiver.closeReason() == .protocolViolation) }
            #expect(lane.isHungUpOn(within: 300))
        }
        #expect(error.kind == .inputOutput)
        #expect(error.description == attack.sentence)
    }

    /// Returns bytes that do not compress.
    private static func noise(_ count: Int) throws -> Data {
        let source = try #require(FileHandle(forReadingAtPath: "/dev/urandom"))
        return try #require(try source.read(upToCount: count))
    }

    @Test("a receiver that sends something on a lane ends the session")
    func refusesAnswersOnLanes() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "portolan-asked-\(UUID().uuidString)")
        try Self.noise(64 << 20).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let error = try await Sender.fails(sending: .file(at: file.path)) { receiver in
            try receiver.shakeHands(as: .responder)
            guard case .offer(let offer)? = try receiver.nextMessage() else { throw HostileSocket.Gone() }
            try receiver.send(
                .answer(Message.Answer(offer: offer.id, choices: [ItemChoice(item: 0, .take(representation: 0))])))
            let lane = try receiver.takeLane()
            try lane.send([0])
            #expect(lane.isHungUpOn(within: 300))
            #expect(receiver.isHungUpOn(within: 300))
        }
        #expect(error.kind == .inputOutput)
    }
}
