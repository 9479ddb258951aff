import PortolanProtocol
import Testing

@Suite struct RecordTests {
    @Test func headersOfRecordsThatMayBeSentAreReadBack() throws {
        for (type, lengths) in [(RecordType.control, [1, 262_144]), (.payload, [17, 1_048_592]), (.end, [0])] {
            for length in lengths {
                let header = RecordHeader(type, plaintextLength: length)
                #expect(try RecordHeader(decoding: header.encoded, phase: .afterAcceptance) == header)
                #expect(header.bodyLength == length + 16)
            }
        }
    }

    @Test func everyHeaderIsEitherInsideTheLimitsOrRefused() {
        withSeed(0xBEEF_0001) { random in
            for _ in 0..<20_000 {
                let word = UInt32.random(in: .min ... .max, using: &random) & (random.chance(2) ? .max : 0x030F_FFFF)
                for phase in [RecordPhase.beforeAcceptance, .afterAcceptance] {
                    guard let header = try? RecordHeader(decoding: word, phase: phase) else { continue }
                    #expect(header.encoded == word)
                    #expect(header.type != .payload || phase == .afterAcceptance)
                    #expect(header.bodyLength <= 16 + 16 + 1_048_576)
                }
            }
        }
    }

    private static let stream: [UInt8] =
        [1, 0, 0, 18] + [UInt8](repeating: 0xA1, count: 18) + [2, 0, 0, 40] + [UInt8](repeating: 0xA2, count: 40)
        + [3, 0, 0, 16] + [UInt8](repeating: 0xA3, count: 16)

    /// Feeds pieces through a buffer as a transport would, and lists what is found.
    private static func records(
        in pieces: [[UInt8]]
    ) throws -> (found: [RecordType], bodies: [UInt8], framer: RecordFramer, rest: Int) {
        var bodies: [UInt8] = []
        var framer = RecordFramer(phase: .afterAcceptance)
        var buffer: [UInt8] = []
        var found: [RecordType] = []
        for piece in pieces {
            buffer += piece
            reading: while true {
                switch try buffer.withUnsafeBytes({ try framer.next(in: $0) }) {
                case .record(let header, let body):
                    #expect(body.count == header.bodyLength)
                    found.append(header.type)
                    bodies += buffer[body]
                    buffer.removeFirst(body.upperBound)
                case .needs(let count):
                    #expect(count > buffer.count)
                    break reading
                }
            }
        }
        return (found, bodies, framer, buffer.count)
    }

    @Test func recordsAreFoundHoweverTheStreamIsCut() throws {
        let dripped = try Self.records(in: Self.stream.map { [$0] })
        #expect(dripped.found == [.control, .payload, .end])
        try dripped.framer.finish(unread: dripped.rest)
        #expect(dripped.bodies == [0xA1, 0xA2, 0xA3].flatMap { byte in Self.stream.filter { $0 == byte } })
        for cut in 0...Self.stream.count {
            let halves = try Self.records(in: [Array(Self.stream[..<cut]), Array(Self.stream[cut...])])
            #expect(halves.found == [.control, .payload, .end])
            #expect(halves.bodies == dripped.bodies)
        }
    }

    @Test func aStreamWithoutItsEndIsTruncatedWhereverItStops() throws {
        for cut in 0..<Self.stream.count {
            let part = try Self.records(in: [Array(Self.stream[..<cut])])
            #expect(throws: TruncatedStream.self) { try part.framer.finish(unread: part.rest) }
        }
    }

    @Test func nothingMayFollowTheEnd() {
        #expect(violation { _ = try Self.records(in: [Self.stream + [0]]) } == .unexpected)
    }

    @Test func aLengthThatLiesIsRefusedBeforeItsBytesAreAwaited() {
        #expect(violation { _ = try Self.records(in: [[1, 0xFF, 0xFF, 0xFF]]) } == .limit)
    }

    @Test func randomStreamsNeverTrap() {
        withSeed(0xBEEF_0002) { random in
            for _ in 0..<3000 { _ = try? Self.records(in: [Self.stream.mutated(&random)]) }
        }
    }

    @Test func payloadHeadersAreReadBackAndRefusedAtEveryShorterLength() throws {
        let header = PayloadHeader(transfer: 0x0102_0304, entry: 0x0506_0708, offset: 0x090A_0B0C_0D0E_0F10)
        #expect(header.encode() == Array(1...16))
        #expect(try PayloadHeader(decoding: header.encode() + [99]) == header)
        for cut in 0..<16 {
            #expect(violation { _ = try PayloadHeader(decoding: header.encode().prefix(cut)) } == .malformed)
        }
    }
}
