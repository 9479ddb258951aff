import PortolanProtocol
import TestSupport
import Testing

@Suite struct MessageTests {
    /// Samples of all messages, from the vectors.
    static func samples() throws -> [Message] {
        try VectorFile.all(ofKind: "message").compactMap { vector in
            defer { vector.leaveRest() }
            return try vector.optional("meaning").map { try Message(meaning: $0) }
        }
    }

    @Test func everyMessageIsReadBack() throws {
        let samples = try Self.samples()
        #expect(samples.count > 20)
        for message in samples { #expect(try Message(decoding: message.encode()) == message) }
    }

    @Test func truncatedMessageIsRefusedOrAnotherValidOne() throws {
        for message in try Self.samples() {
            let bytes = message.encode()
            for cut in 0..<bytes.count {
                // The message is a single field: without its last byte its length is wrong.
                #expect(violation { _ = try Message(decoding: bytes.prefix(cut)) } != nil)
            }
        }
    }

    @Test(arguments: [0xF00D_0001, 0xF00D_0002] as [UInt64])
    func damagedMessagesAreRefusedOrWellFormed(seed: UInt64) throws {
        let samples = try Self.samples().map { $0.encode() }
        withSeed(seed) { random in
            for _ in 0..<2500 {
                let bytes = samples[random.below(samples.count)].mutated(&random)
                do {
                    let message = try Message(decoding: bytes)
                    // An accepted message can be encoded again, and means the same.
                    #expect(try Message(decoding: message.encode()) == message)
                } catch is ProtocolViolation {}
            }
        }
    }

    @Test func unknownFieldsArePassedOver() throws {
        let ping = Message.ping(id: 5).encode()
        // Field 15 of the Ping inside field 10, and field 100 beside it.
        let extended = [ping[0], ping[1] + 2] + ping[2...] + [15 << 3, 1] + [0xA0, 0x06, 1]
        #expect(try Message(decoding: extended) == .ping(id: 5))
    }

    @Test func aMessageBeyondTheLimitIsNotEvenLookedAt() {
        #expect(violation { _ = try Message(decoding: [UInt8](repeating: 0, count: 262_145)) } == .limit)
    }

    @Test func longDetailsAreCutAtAWholeCharacter() {
        let decline = Decline(.notWanted, detail: String(repeating: "é", count: 600))
        #expect(decline.detail.utf8.count == 1024)
        #expect(Decline(.notWanted, detail: "x" + String(repeating: "é", count: 600)).detail.utf8.count == 1023)
    }

    @Test func omissionsAreListedWhileThereIsRoomAndCountedBeyond() throws {
        let path = [UInt8](repeating: 0x61, count: 1000)
        let omissions = Omissions((0..<100).map { _ in Omission(path: path, reason: .unreadable) })
        #expect(omissions.count == 100)
        #expect(omissions.listed.count == 32)
        let end = Message.end(try Message.End(transfer: 1, entries: 1, bytes: 0, omissions: omissions))
        #expect(try Message(decoding: end.encode()) == end)
    }

    @Test func violationRevealsOnlyItsKindToThePeer() {
        #expect(ProtocolViolation(.badIndex, "secret").closeCode == .badIndex)
        #expect(ProtocolViolation(.limit, "secret").closeCode == .limit)
        for kind in [ProtocolViolation.Kind.malformed, .unexpected] {
            #expect(ProtocolViolation(kind, "secret").closeCode == .protocolViolation)
        }
    }

    @Test func sentencesDoNotCarryThePeersControlCharacters() throws {
        let error = #expect(throws: InvalidValue.self) { _ = try OfferedType(identifier: "a\u{1B}[2J\u{202E}") }
        let sentence = try #require(error?.description)
        #expect(!sentence.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
    }
}
