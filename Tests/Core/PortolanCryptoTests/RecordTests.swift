import TestSupport
import Testing

@testable import PortolanCrypto

@Suite struct RecordTests {
    @Test(arguments: RecordSuite.allCases, [0, 1, 15, 16, 17, 1000, 65_536])
    func sealedRecordsOpen(suite: RecordSuite, size: Int) throws {
        var sealer = RecordSealer(secret: RecordSuite.secret, suite: suite)
        var opener = RecordOpener(secret: RecordSuite.secret, suite: suite)
        let payload = [UInt8](repeating: 0x5C, count: size)
        for type in UInt8(1)...2 {
            let record = sealer.record(type, payload)
            let opened = try opener.payload(record)
            #expect(opened.type == type)
            #expect(opened.payload == payload)
        }
    }

    @Test(arguments: RecordSuite.allCases, [1 << 20, RawRecordHeader.maximumBodyLength - 16])
    func largeRecordsOpenInPlace(suite: RecordSuite, size: Int) throws {
        var sealer = RecordSealer(secret: RecordSuite.secret, suite: suite)
        var opener = RecordOpener(secret: RecordSuite.secret, suite: suite)
        var record = [UInt8](repeating: 0x5C, count: RecordSealer.headerLength + size + RecordSealer.tagLength)
        let header = RawRecordHeader(type: 2, bodyLength: size + RecordSealer.tagLength)
        try record.withUnsafeMutableBytes { record in
            let body = UnsafeMutableRawBufferPointer(rebasing: record[RecordSealer.headerLength...])
            let last = size - 1
            sealer.seal(type: 2, record)
            #expect(record.loadUnaligned(as: UInt32.self).bigEndian == header.rawValue)
            #expect(header.type == 2 && header.bodyLength == body.count)
            // The ciphertext has these four bytes with a chance of 1 in 2^32; the stream is always the same.
            #expect([body[0], body[1], body[last - 1], body[last]] != [0x5C, 0x5C, 0x5C, 0x5C])
            try opener.open(header: header.rawValue, body)
            #expect([body[0], body[1], body[size / 2], body[last - 1], body[last]].allSatisfy { $0 == 0x5C })
        }
    }

    @Test(arguments: RecordSuite.allCases)
    func spansDoAsPointersDo(suite: RecordSuite) throws {
        var one = RecordSealer(secret: RecordSuite.secret, suite: suite)
        var other = RecordSealer(secret: RecordSuite.secret, suite: suite)
        let payload = Array("the same bytes".utf8)
        let expected = one.record(7, payload)
        var record = [0, 0, 0, 0] + payload + [UInt8](repeating: 0, count: 16)
        var span = record.mutableSpan
        var bytes = span.mutableBytes
        other.seal(type: 7, &bytes)
        #expect(record == expected)

        var opener = RecordOpener(secret: RecordSuite.secret, suite: suite)
        var body = Array(record.dropFirst(4))
        let header = RawRecordHeader(type: 7, bodyLength: body.count).rawValue
        var bodySpan = body.mutableSpan
        var bodyBytes = bodySpan.mutableBytes
        try opener.open(header: header, &bodyBytes)
        #expect(body.dropLast(16) == payload[...])
    }

    @Test func equalPlaintextsGiveDifferentRecords() {
        var sealer = RecordSealer(secret: RecordSuite.secret, suite: .chacha20poly1305)
        let records = (0..<100).map { _ in sealer.record(1, [1, 2, 3]) }
        #expect(Set(records).count == 100)
    }

    @Test(arguments: RecordSuite.allCases)
    func aChangedBitAnywhereIsNoticed(suite: RecordSuite) throws {
        var sealer = RecordSealer(secret: RecordSuite.secret, suite: suite)
        let record = sealer.record(1, Array("small".utf8))
        for position in record.indices {
            for bit in 0..<8 {
                var opener = RecordOpener(secret: RecordSuite.secret, suite: suite)
                var changed = record
                changed[position] ^= 1 << UInt8(bit)
                let expected: RecordError = (1..<4).contains(position) ? .truncated : .forged
                #expect(throws: expected, "byte \(position), bit \(bit)") { try opener.payload(changed) }
            }
        }
    }

    @Test(arguments: RecordSuite.allCases)
    func matchingLengthIsAuthenticated(suite: RecordSuite) {
        // A framer believes the header: it passes on as many bytes as the changed length states.
        var sealer = RecordSealer(secret: RecordSuite.secret, suite: suite)
        let stream = sealer.record(1, Array("first".utf8)) + sealer.record(1, Array("second".utf8))
        let bodyLength = 5 + 16
        for length in 16...bodyLength + 8 where length != bodyLength {
            var opener = RecordOpener(secret: RecordSuite.secret, suite: suite)
            let header: [UInt8] = [1, 0, 0, UInt8(length)]
            #expect(throws: RecordError.forged) { try opener.payload(header + stream[4..<4 + length]) }
        }
    }

    @Test(arguments: RecordSuite.allCases)
    func aRecordCutAnywhereIsRefused(suite: RecordSuite) {
        var sealer = RecordSealer(secret: RecordSuite.secret, suite: suite)
        let record = sealer.record(1, Array("small".utf8))
        for cut in record.indices {
            var opener = RecordOpener(secret: RecordSuite.secret, suite: suite)
            #expect(throws: RecordError.truncated, "cut at \(cut)") { try opener.payload(Array(record.prefix(cut))) }
        }
    }

    @Test(arguments: RecordSuite.allCases)
    func headerShorterThanATagIsRefused(suite: RecordSuite) {
        for length in 0..<16 {
            var opener = RecordOpener(secret: RecordSuite.secret, suite: suite)
            let record: [UInt8] = [1, 0, 0, UInt8(length)] + [UInt8](repeating: 0, count: length)
            #expect(throws: RecordError.truncated) { try opener.payload(record) }
        }
    }

    @Test(arguments: RecordSuite.allCases)
    func recordsOutOfOrderRepeatedOrLeftOutAreRefused(suite: RecordSuite) throws {
        var sealer = RecordSealer(secret: RecordSuite.secret, suite: suite)
        let records = (0..<4).map { sealer.record(1, [UInt8($0)]) }
        for order in [[1], [0, 0], [0, 2], [0, 1, 0], [0, 1, 3], [1, 0]] {
            var opener = RecordOpener(secret: RecordSuite.secret, suite: suite)
            var refused = 0
            for number in order {
                do { _ = try opener.payload(records[number]) } catch {
                    #expect(error == .forged)
                    refused += 1
                }
            }
            #expect(refused >= 1, "order \(order)")
        }
    }

    @Test func theOtherSuiteAndTheOtherDirectionDoNotOpen() {
        var sealer = RecordSealer(secret: RecordSuite.secret, suite: .aes256gcm)
        let record = sealer.record(1, [1, 2, 3])
        var otherSuite = RecordOpener(secret: RecordSuite.secret, suite: .chacha20poly1305)
        #expect(throws: RecordError.forged) { try otherSuite.payload(record) }
        var otherDirection = RecordOpener(secret: .random(count: 32), suite: .aes256gcm)
        #expect(throws: RecordError.forged) { try otherDirection.payload(record) }
    }

    @Test(arguments: RecordSuite.allCases)
    func afterAnErrorNotEvenTheRightRecordOpens(suite: RecordSuite) {
        var sealer = RecordSealer(secret: RecordSuite.secret, suite: suite)
        let right = sealer.record(1, [1, 2, 3])
        let changed = right.dropLast() + [right[right.count - 1] ^ 1]
        for (wrong, error) in [(changed, RecordError.forged), ([1], .truncated)] {
            var opener = RecordOpener(secret: RecordSuite.secret, suite: suite)
            var body = Array(wrong.dropFirst(4))
            let header = RawRecordHeader(type: 1, bodyLength: 19).rawValue
            #expect(throws: error) {
                try body.withUnsafeMutableBytes { body in try opener.open(header: header, body) }
            }
            #expect(throws: error) { try opener.payload(right) }
        }
    }

    @Test(arguments: RecordSuite.allCases)
    func aRefusedRecordLeavesNoPlaintextBehind(suite: RecordSuite) {
        var sealer = RecordSealer(secret: RecordSuite.secret, suite: suite)
        let plaintext = Array("nobody vouched for these words".utf8)
        var record = sealer.record(1, plaintext)
        record[record.count - 1] ^= 1
        var body = Array(record.dropFirst(4))
        var opener = RecordOpener(secret: RecordSuite.secret, suite: suite)
        let header = RawRecordHeader(type: 1, bodyLength: body.count).rawValue
        #expect(throws: RecordError.forged) {
            try body.withUnsafeMutableBytes { body in try opener.open(header: header, body) }
        }
        #expect(body.dropLast(16).allSatisfy { $0 == 0 })
    }

    @Test(arguments: RecordSuite.allCases)
    func injuredRecordsNeverCrashAndNeverPass(suite: RecordSuite) {
        for seed in UInt64(0)..<2000 {
            var generator = SeededGenerator(seed: seed)
            var sealer = RecordSealer(secret: RecordSuite.secret, suite: suite)
            let record = sealer.record(1, generator.bytes(Int.random(in: 0...64, using: &generator)))
            let injured = generator.mutated(record)
            guard injured != record else { continue }
            var opener = RecordOpener(secret: RecordSuite.secret, suite: suite)
            #expect(throws: RecordError.self, "seed \(seed)") { try opener.payload(injured) }
        }
    }

    @Test func aRecordWithoutRoomForItsTagTraps() async {
        await #expect(processExitsWith: .failure) {
            var sealer = RecordSealer(secret: .random(count: 32), suite: .chacha20poly1305)
            var record = [UInt8](repeating: 0, count: 19)
            record.withUnsafeMutableBytes { sealer.seal(type: 1, $0) }
        }
    }

    @Test func chaChaIsAlwaysOfferedAndLast() {
        #expect(RecordSuite.hardware.last == .chacha20poly1305)
        #expect(Set(RecordSuite.hardware).count == RecordSuite.hardware.count)
    }
}
