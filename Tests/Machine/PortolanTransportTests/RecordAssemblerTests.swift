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
        "the records do not depend on how the bytes are split",
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
    func truncatedRecordGivesNothing() throws {
        let (bytes, plaintexts) = Self.stream()
        let first = 4 + plaintexts[0].count + 16
        for end in [0, 1, 4, first - 1] { #expect(try Self.records(in: Array(bytes[..<end]), pieces: [end]) == []) }
        #expect(try Self.records(in: Array(bytes[..<first]), pieces: [first]) == [plaintexts[0]])
        #expect(try Self.records(in: Array(bytes.dropLast()), pieces: [bytes.count]) == Array(plaintexts[..<2]))
    }

    @Test("a stream ends with its end record and not before")
    func knowsTheEnd() throws {
        let (bytes, _) = Self.stream()
        for end in [0, bytes.count - 1, bytes.count] {
            var assembler = Self.assembler()
            var input = ByteBuffer(bytes: bytes[..<end])
            while try assembler.next(in: &input) != nil {}
            let isAtEnd = assembler.isAtEnd
            #expect(isAtEnd == (end == bytes.count))
        }
    }

    @Test("random damage gives records that were sent, or a failure")
    func survivesDamage() {
        let (bytes, plaintexts) = Self.stream()
        var random = SeededGenerator(seed: 0xBEEF_0002)
        for _ in 0..<500 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                damaged[Int.random(in: 0..<200, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            damaged.removeLast(Int.random(in: 0...100, using: &random))
            guard let found = try? Self.records(in: damaged, pieces: [damaged.count]) else { continue }
            #expect(plaintexts.starts(with: found))
        }
    }

    @Test("a changed byte anywhere in a record is noticed")
    func noticesChanges() {
        let (bytes, plaintexts) = Self.stream()
        for index in 0..<(4 + plaintexts[0].count + 16) {
            var changed = bytes
            changed[index] ^= 1
            #expect(throws: (any Error).self, "byte \(index)") {
                // A larger length only waits for more bytes, until the rest does not verify.
                guard try Self.records(in: changed, pieces: [changed.count]).first == plaintexts[0] else {
                    throw RecordError.forged
                }
            }
        }
    }

    @Test("any byte behind the end record is refused, in the same piece or a later one")
    func refusesBytesAfterTheEndRecord() throws {
        let (bytes, plaintexts) = Self.stream()
        for more in [[0], bytes] {
            for pieces in [[bytes.count + more.count], [bytes.count, more.count]] {
                var kind: ProtocolViolation.Kind?
                do { _ = try Self.records(in: bytes + more, pieces: pieces) } catch {
                    kind = (error as? ProtocolViolation)?.kind
                }
                #expect(kind == .unexpected)
            }
        }
        #expect(try Self.records(in: bytes, pieces: [bytes.count]) == plaintexts)
    }

    @Test("a length beyond the limit is refused before any byte of the body")
    func refusesLongRecords() {
        var kind: ProtocolViolation.Kind?
        do { _ = try Self.records(in: [1, 0xFF, 0xFF, 0xFF], pieces: [4]) } catch {
            kind = (error as? ProtocolViolation)?.kind
        }
        #expect(kind == .limit)
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
