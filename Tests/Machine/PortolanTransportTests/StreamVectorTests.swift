import NIOCore
import PortolanConcurrency
import PortolanCrypto
import PortolanProtocol
import TestSupport
import Testing

@testable import PortolanTransport

/// The vectors of sealed streams, read and written as sessions and lanes do it.
@Suite struct StreamVectorTests {
    private struct Plain: Hashable {
        let type: UInt8
        let bytes: [UInt8]

        init(type: UInt8, bytes: [UInt8]) {
            self.type = type
            self.bytes = bytes
        }

        init(_ json: VectorObject) throws {
            self.init(type: UInt8(try json.number("type")), bytes: try json.bytes("plaintext"))
        }
    }

    // MARK: Sessions

    @Test(arguments: [Int.max, 1])
    func sessionStreams(piece: Int) throws {
        for vector in try VectorFile.all(ofKind: "records") {
            let suite = try #require(RecordSuite(rawValue: UInt8(vector.number("suite"))))
            let secret = SecretBytes(copying: try vector.bytes("secret"))
            let first = try vector.long("first_record")
            let stream = try vector.bytes("stream")
            let plain = try vector.objects("records").map { try Plain($0) }
            let outcome = try vector.object("outcome")
            let opener = RecordOpener(secret: secret, suite: suite, firstRecord: first)
            let read = Self.read(stream, opener, piece: piece)
            if outcome.has("ended") {
                #expect(try outcome.flag("ended") && read.failure == nil, "\(vector.path)")
                #expect(read.plain == plain, "\(vector.path)")
                let sealer = RecordSealer(secret: secret, suite: suite, firstRecord: first)
                #expect(Self.sealed(plain, sealer) == stream, "\(vector.path)")
            } else {
                #expect(try outcome.text("refused") == read.failure, "\(vector.path)")
                #expect(try read.plain == Array(plain.prefix(outcome.number("released"))), "\(vector.path)")
            }
        }
    }

    /// Reads a stream to its end or its first fault, so many bytes at a time.
    private static func read(
        _ stream: [UInt8], _ opener: consuming RecordOpener, piece: Int
    ) -> (plain: [Plain], failure: String?) {
        var assembler = RecordAssembler(opener: opener, buffers: RecordBuffers(limit: 2))
        assembler.phase = .afterAcceptance
        var plain: [Plain] = []
        var rest = stream[...]
        do {
            while !rest.isEmpty {
                var input = ByteBuffer(bytes: rest.prefix(piece))
                rest = rest.dropFirst(piece)
                while let record = try assembler.next(in: &input) {
                    plain.append(Plain(type: record.type.rawValue, bytes: Array(record.body.readableBytesView)))
                }
            }
            return (plain, assembler.isAtEnd ? nil : "truncated")
        } catch let violation as ProtocolViolation {
            return (plain, snake(violation.kind.rawValue))
        } catch {
            return (plain, error is RecordError ? "forged" : "\(error)")
        }
    }

    private static func sealed(_ plain: [Plain], _ sealer: consuming RecordSealer) -> [UInt8] {
        var sealer = sealer
        var stream: [UInt8] = []
        for record in plain {
            var bytes = [0, 0, 0, 0] + record.bytes + [UInt8](repeating: 0, count: RecordHeader.tagLength)
            bytes.withUnsafeMutableBytes { sealer.seal(type: record.type, $0) }
            stream += bytes
        }
        return stream
    }

    // MARK: Lanes

    @Test func readLanesMatchTheVectors() async throws {
        for vector in try VectorFile.all(ofKind: "lane") {
            let keys = LaneKeys(
                direction: SecretBytes(copying: try vector.bytes("secret")),
                suite: try #require(RecordSuite(rawValue: UInt8(vector.number("suite")))))
            let path = vector.path
            let number = UInt32(try vector.number("number"))
            let bytes = try vector.bytes("preface")
            let preface = try LanePreface(decoding: bytes)
            #expect(try keys.id == vector.bytes("id") && preface.id == keys.id && preface.number == number)
            #expect(keys.admits(preface) && keys.preface(number).encode() == bytes, "\(path)")
            let plain = try vector.objects("records").map { try Plain($0) }
            let stream = try vector.bytes("stream")

            let sockets = try SocketPair()
            let sender = try WorkerThread(named: "sender") {
                for byte in stream { _ = try withUnsafeBytes(of: byte) { try sockets.initiating.send($0) } }
            }
            let receiving = ReceivingLane(socket: sockets.accepted, opener: keys.makeOpener(number))
            let receiver = try WorkerThread(named: "receiver") { try Self.readAll(receiving) }
            try await sender.value
            // The end mark is the last record that the vector lists.
            #expect(try await receiver.value == plain.dropLast(), "\(path)")
        }
    }

    private static func readAll(_ lane: ReceivingLane) throws -> [Plain] {
        var plain: [Plain] = []
        while let record = try lane.next() {
            plain.append(Plain(type: record.type.rawValue, bytes: Array(record.plaintext)))
        }
        return plain
    }

    @Test func writtenLanesMatchTheVectors() async throws {
        for vector in try VectorFile.all(ofKind: "lane") {
            let keys = LaneKeys(
                direction: SecretBytes(copying: try vector.bytes("secret")),
                suite: try #require(RecordSuite(rawValue: UInt8(vector.number("suite")))))
            let path = vector.path
            let number = UInt32(try vector.number("number"))
            let plain = try vector.objects("records").map { try Plain($0) }
            let stream = try vector.bytes("stream")
            vector.leaveRest()

            let sockets = try SocketPair()
            let lane = SendingLane(socket: sockets.initiating, sealer: keys.makeSealer(number))
            let sender = try WorkerThread(named: "sender") {
                for record in plain.dropLast() {
                    guard let type = RecordType(rawValue: record.type) else { continue }
                    try lane.send(type) { buffer in
                        buffer.copyBytes(from: record.bytes)
                        return record.bytes.count
                    }
                }
                try lane.end()
            }
            let receiver = try WorkerThread(named: "receiver") {
                var bytes = [UInt8](repeating: 0, count: stream.count)
                let count = try bytes.withUnsafeMutableBytes {
                    try sockets.accepted.receive(into: $0, atLeast: $0.count)
                }
                return Array(bytes.prefix(count))
            }
            try await sender.value
            #expect(try await receiver.value == stream, "\(path)")
        }
    }
}
