import NIOCore
import PortolanCrypto
import PortolanProtocol
import TestSupport
import Testing

@testable import PortolanTransport

@Suite(.aside) struct RecordAssemblerTests {
    private static let secret = SecretBytes(copying: Array(repeating: 7, count: 32))

    /// Three records: a message, a payload that is worth a buffer of its own, and the end.
    private static func stream() -> (bytes: [UInt8], plaintexts: [[UInt8]]) {
        var sealer = RecordSealer(secret: secret, suite: .chacha20poly1305)
        let plaintexts: [[UInt8]] = [
            Message.ping(id: 1).encode(),
            PayloadHeader(transfer: 1, entry: 0, offset: 0).encode()
                + (0..<70_000).map { UInt8(truncatingIfNeeded: $0) },
            [],
        ]
        var bytes: [UInt8] = []
        for (type, plaintext) in zip([RecordType.control, .payload, .end], plaintexts) {
            var record = [0, 0, 0, 0] + plaintext + [UInt8](repeating: 0, count: 16)
            record.withUnsafeMutableBytes { sealer.seal(type: type.rawValue, $0) }
            bytes += record
        }
        return (bytes, plaintexts)
    }

    private static func assembler() -> RecordAssembler {
        var assembler = RecordAssembler(
            opener: RecordOpener(secret: secret, suite: .chacha20poly1305), buffers: RecordBuffers(limit: 2))
        assembler.phase = .afterAcceptance
        return assembler
    }

    private static func records(in bytes: [UInt8], pieces: some Sequence<Int>) throws -> [[UInt8]] {
        var assembler = assembler()
        var found: [[UInt8]] = []
        var rest = bytes[...]
        for size in pieces where !rest.isEmpty {
            var input = ByteBuffer(bytes: rest.prefix(size))
            rest = rest.dropFirst(size)
            while let record = try assembler.next(in: &input) { found.append(Array(record.body.readableBytesView)) }
            #expect(input.readableBytes == 0)
        }
        return found
    }

    @Test(
        "records come out the same however the bytes are cut",
        arguments: [1, 2, 3, 5, 19, 20, 21, 4096, 70_000, 1 << 20])
    func doesNotCareAboutCuts(size: Int) throws {
        let (bytes, plaintexts) = Self.stream()
        #expect(try Self.records(in: bytes, pieces: repeatElement(size, count: bytes.count)) == plaintexts)
    }

    @Test("random cuts change nothing", arguments: 1...20)
    func doesNotCareAboutRandomCuts(seed: UInt64) throws {
        let (bytes, plaintexts) = Self.stream()
        var state = seed
        let pieces = (0..<bytes.count).lazy.map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 48) % 9000 + 1
        }
        #expect(try Self.records(in: bytes, pieces: Array(pieces)) == plaintexts, "seed \(seed)")
    }

    @Test("a stream that is cut short gives the records before the cut and no more")
    func givesNothingOfACutRecord() throws {
        let (bytes, plaintexts) = Self.stream()
        let first = 4 + plaintexts[0].count + 16
        for end in [0, 1, 4, first - 1] { #expect(try Self.records(in: Array(bytes[..<end]), pieces: [end]) == []) }
        #expect(try Self.records(in: Array(bytes[..<first]), pieces: [first]) == [plaintexts[0]])
        #expect(try Self.records(in: Array(bytes.dropLast()), pieces: [bytes.count]) == Array(plaintexts[..<2]))
    }

    @Test("a changed byte anywhere in a record is noticed")
    func noticesChanges() {
        let (bytes, plaintexts) = Self.stream()
        for index in 0..<(4 + plaintexts[0].count + 16) {
            var changed = bytes
            changed[index] ^= 1
            #expect(throws: (any Error).self, "byte \(index)") {
                // A length that became larger only waits for more, until what follows does not verify.
                guard try Self.records(in: changed, pieces: [changed.count]).first == plaintexts[0] else {
                    throw RecordError.forged
                }
            }
        }
    }

    @Test("payload is refused by its header while nothing is accepted")
    func refusesEarlyPayload() {
        var assembler = Self.assembler()
        assembler.phase = .beforeAcceptance
        var input = ByteBuffer(bytes: [RecordType.payload.rawValue, 0, 1, 0])
        var refused = false
        do { _ = try assembler.next(in: &input) } catch { refused = error is ProtocolViolation }
        #expect(refused)
    }
}
