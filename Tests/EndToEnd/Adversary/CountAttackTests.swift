import Foundation
import HostilePeers
import NodeTestSupport
import Portolan
import PortolanProtocol
import Testing

/// More of everything than a message may hold, in bytes that our own types cannot express.
@Suite(.serialized) struct CountAttackTests {
    /// A message that consists of repeated parts.
    struct Crowd: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: CloseCode
        let message: [UInt8]

        /// True if it replaces the first message.
        var isGreeting: Bool { message.starts(with: [0x82, 1]) }

        init(_ description: String, _ message: [UInt8], closing code: CloseCode = .limit) {
            testDescription = description
            self.code = code
            self.message = message
        }
    }

    /// Repeats `part` as often as it fits into one message, with `spare` bytes for the surrounding fields.
    private static func many(_ part: [UInt8], spare: Int = 64) -> [UInt8] {
        let count = (Limits.control - spare) / part.count
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count * part.count)
        for _ in 0..<count { bytes += part }
        return bytes
    }

    /// The tag of a field from 16 on has two bytes.
    private static func hello(_ teams: [UInt8]) -> [UInt8] {
        [16 << 3 & 0x7F | 0x80 | 2, 1] + Wire.length(UInt64(teams.count)) + teams
    }

    private static let type = Wire.field(1, Wire.field(1, Array("public.data".utf8)))
    /// A valid representation on the data channel.
    private static let representation = type + [3 << 3, 1]

    private static func offer(items: [UInt8]) -> [UInt8] { Wire.field(1, [1 << 3, 1] + items) }
    private static func offer(representations: [UInt8]) -> [UInt8] { offer(items: Wire.field(2, representations)) }
    private static func offer(type content: [UInt8]) -> [UInt8] {
        offer(representations: Wire.field(2, Wire.field(1, Wire.field(1, [0x61]) + content) + [3 << 3, 1]))
    }

    static let crowds = [
        Crowd("representations of one item, empty", offer(representations: many([2 << 3 | 2, 0]))),
        Crowd("representations of one item", offer(representations: many(Wire.field(2, representation)))),
        Crowd("one representation more than there may be", offer(representations: repeated(33))),
        Crowd("items, empty", offer(items: many([2 << 3 | 2, 0]))),
        Crowd("ancestors of a type", offer(type: many(Wire.field(2, [0x61])))),
        Crowd("extensions of a type", offer(type: many(Wire.field(3, [0x61])))),
        Crowd("MIME types of a type", offer(type: many(Wire.field(4, Array("a/b".utf8))))),
        Crowd("teams that it knows", hello(many([1 << 3 | 2, 0]))),
        Crowd(
            "identifiers of an offer, of which the last counts", Wire.field(1, many([1 << 3, 1])),
            closing: .protocolViolation),
        Crowd("fields that no message has", many([15 << 3, 1]), closing: .protocolViolation),
        Crowd("groups, one in the other", many([15 << 3 | 3]), closing: .protocolViolation),
    ]

    private static func repeated(_ count: Int) -> [UInt8] {
        (0..<count).flatMap { _ in Wire.field(2, representation) }
    }

    @Test("a message with too many elements of one kind ends the session without a question", arguments: crowds)
    func tooManyElementsEndTheSession(crowd: Crowd) async throws {
        try await Victim.with(deciding: { _ in
            Issue.record("somebody was asked")
            return .accept
        }) { victim in
            #expect(crowd.message.count <= Limits.control)
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands(greets: !crowd.isGreeting)
            try peer.sendRecord(type: RecordType.control.rawValue, crowd.message)
            #expect(try peer.closeReason() == crowd.code)
            #expect(try victim.contents() == [])
        }
    }

    /// Ten million representations are at least twenty million bytes, for which there is no record.
    @Test("ten million representations of one item cannot be announced", arguments: [16 << 20, 20_000_000])
    func refusesTenMillion(bytes: Int) async throws {
        try await Victim.with { victim in
            let peer = try HostilePeer(port: victim.port)
            try peer.shakeHands()
            // A record's length has 24 bits; larger values would change the type.
            let header = UInt32(RecordType.control.rawValue) << 24 | UInt32(min(bytes, 0xFF_FFFF))
            try peer.send(withUnsafeBytes(of: header.bigEndian, Array.init))
            // The attacker sends as long as the victim reads.
            let part = [UInt8](repeating: 2, count: 64 << 10)
            for _ in 0..<bytes / part.count {
                do { try peer.send(part) } catch { break }
            }
            #expect(peer.isHungUpOn(within: 300))
            try await victim.stillServes()
        }
    }

    @Test(
        "a field that claims more than its message holds ends the session",
        arguments: [1 << 18, 1 << 31, (1 << 32) - 1, 1 << 32, (1 << 63) - 1, .max] as [UInt64])
    func refusesLyingLengths(length: UInt64) async throws {
        try await Victim.with { victim in
            for message in [
                [1 << 3 | 2] + Wire.length(length),
                Wire.field(1, [2 << 3 | 2] + Wire.length(length)),
                Wire.field(1, Wire.field(2, [1 << 3 | 2] + Wire.length(length) + Array("title".utf8))),
            ] {
                let peer = try HostilePeer(port: victim.port)
                try peer.shakeHands()
                try peer.sendRecord(type: RecordType.control.rawValue, message)
                #expect(try peer.closeReason() == .protocolViolation)
            }
            try await victim.stillServes()
        }
    }

    @Test("an answer with too many choices ends the sender's session")
    func refusesChoices() async throws {
        let failure = try await Sender.fails(sending: .text("hello")) { peer in
            try peer.shakeHands(as: .responder)
            while let message = try peer.nextMessage() {
                if case .offer(let offer) = message {
                    let choices = Self.many([2 << 3 | 2, 0])
                    try peer.sendRecord(
                        type: RecordType.control.rawValue,
                        Wire.field(2, [1 << 3, UInt8(truncatingIfNeeded: offer.id)] + choices))
                    break
                }
            }
            #expect(try peer.closeReason() == .limit)
        }
        #expect(failure.kind == .inputOutput || failure.kind == .notDelivered, "\(failure)")
    }
}
