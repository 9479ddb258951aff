import PortolanConcurrency
import PortolanCrypto
import PortolanProtocol
import Testing

@testable import PortolanTransport

@Suite struct LaneRecordTests {
    /// Records that a lane carries from end to end, with lengths at every limit.
    private static let lengths: [(RecordType, Int)] = [
        (.tree, 5), (.payload, 17), (.payload, 4096), (.tree, 1 << 20), (.payload, 16 + (1 << 20)), (.tree, 6),
        (.packed, 21), (.packed, 19 + (1 << 20)), (.payload, SendingLane.chunk + 16), (.tree, 7),
    ]

    /// Bytes that show when they are cut, moved or of another record.
    private static func bytes(_ count: Int, seed: Int) -> [UInt8] {
        let beginning = (0..<min(count, 300)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ seed) }
        return beginning + [UInt8](repeating: UInt8(seed), count: count - beginning.count).dropLast()
            + (count > beginning.count ? [UInt8(255 - seed)] : [])
    }

    private static func fill(_ buffer: UnsafeMutableRawBufferPointer, _ count: Int, seed: Int) -> Int {
        buffer.copyBytes(from: bytes(count, seed: seed))
        return count
    }

    @Test("records of every length arrive as they were filled in, and then the end", arguments: RecordSuite.allCases)
    func carriesRecords(suite: RecordSuite) async throws {
        let pair = try LanePair(suite: suite)
        let sender = try WorkerThread(named: "sender") {
            for (seed, (type, count)) in Self.lengths.enumerated() {
                try pair.sending.send(type, room: LaneBuffer.longestPlaintext) { Self.fill($0, count, seed: seed) }
            }
            try pair.sending.end()
        }
        let receiver = try WorkerThread(named: "receiver") {
            var problems: [String] = []
            for (seed, (type, count)) in Self.lengths.enumerated() {
                guard let record = try pair.receiving.next() else { return ["the end came before record \(seed)"] }
                guard record.type == type, Array(record.plaintext) == Self.bytes(count, seed: seed) else {
                    problems.append("record \(seed)")
                    continue
                }
            }
            // Every later read reports the end, too.
            for _ in 0..<2 where try pair.receiving.next() != nil { problems.append("something after the end") }
            return problems
        }
        #expect(try await receiver.value == [])
        try await sender.value
        let overhead = Self.lengths.count * 20 + 20
        #expect(pair.sending.bytesSent == UInt64(Self.lengths.map(\.1).reduce(overhead, +)))
    }

    @Test("the data of a payload record lies at the beginning of a page on both sides")
    func alignsData() async throws {
        let pair = try LanePair()
        let sent = try WorkerThread(named: "sender") {
            var address = 0
            try pair.sending.send(.payload) {
                address = Int(bitPattern: $0.baseAddress)
                return 20
            }
            return address + PayloadHeader.length
        }
        let received = try WorkerThread(named: "receiver") {
            Int(bitPattern: try pair.receiving.next()?.plaintext.baseAddress) + PayloadHeader.length
        }
        #expect(try await sent.value % 4096 == 0)
        #expect(try await received.value % 4096 == 0)
    }

    @Test("an empty record is not sent, and an error while a record is filled leaves the lane unchanged")
    func emptyRecordIsNotSent() async throws {
        struct Unreadable: Error {}
        let pair = try LanePair()
        let sender = try WorkerThread(named: "sender") {
            #expect(try pair.sending.send(.payload) { _ in 0 } == 0)
            #expect(throws: Unreadable.self) { try pair.sending.send(.payload) { _ in throw Unreadable() } }
            #expect(pair.sending.bytesSent == 0)
            try pair.sending.send(.tree) { Self.fill($0, 5, seed: 9) }
            try pair.sending.end()
        }
        let receiver = try WorkerThread(named: "receiver") {
            let first = try pair.receiving.next().map { Array($0.plaintext) }
            return (first, try pair.receiving.next() == nil)
        }
        try await sender.value
        let (first, isOver) = try await receiver.value
        #expect(first == Self.bytes(5, seed: 9))
        #expect(isOver)
    }

    @Test("a record is delivered as soon as it has arrived, without waiting for the next one")
    func doesNotWaitForTheNext() async throws {
        let pair = try LanePair()
        for count in [5, 300, 70_000] {
            let sender = try WorkerThread(named: "sender") {
                try pair.sending.send(.tree) { Self.fill($0, count, seed: 1) }
            }
            let receiver = try WorkerThread(named: "receiver") { try pair.receiving.next()?.plaintext.count }
            #expect(try await receiver.value == count)
            _ = try await sender.value
        }
    }
}
