import Testing

@testable import PortolanCrypto

/// Changes of a direction's keys over many records.
@Suite struct RecordEpochTests {
    @Test(arguments: RecordSuite.allCases)
    func bothSidesChangeKeysTogether(suite: RecordSuite) throws {
        // Every record from the first to beyond the second change of keys.
        var sealer = RecordSealer(secret: RecordSuite.secret, suite: suite)
        var opener = RecordOpener(secret: RecordSuite.secret, suite: suite)
        var record = [UInt8](repeating: 0, count: 4 + 4 + 16)
        let header = RawRecordHeader(type: 1, bodyLength: 20).rawValue
        for number in UInt32(0)..<(1 << 17) + 3 {
            try record.withUnsafeMutableBytes { record in
                record.storeBytes(of: number, toByteOffset: 4, as: UInt32.self)
                sealer.seal(type: 1, record)
                try opener.open(header: header, UnsafeMutableRawBufferPointer(rebasing: record[4...]))
                guard record.loadUnaligned(fromByteOffset: 4, as: UInt32.self) == number else {
                    throw VectorError(description: "record \(number) opened as something else")
                }
            }
        }
    }

    @Test(arguments: RecordSuite.allCases)
    func keysOfALaterEpochAreEqualWhenReachedDirectly(suite: RecordSuite) {
        var walking = RecordSealer(secret: RecordSuite.secret, suite: suite)
        for _ in 0..<(1 << 16) - 2 { _ = walking.record(1, []) }
        for number in UInt64(1 << 16) - 2..<(1 << 16) + 3 {
            var jumping = RecordSealer(secret: RecordSuite.secret, suite: suite, firstRecord: number)
            #expect(walking.record(1, [9]) == jumping.record(1, [9]), "record \(number)")
        }
    }

    @Test(arguments: RecordSuite.allCases, [UInt64(1) << 16, 2 << 16, 300 << 16])
    func streamContinuesAcrossAnEpochChange(suite: RecordSuite, change: UInt64) throws {
        var sealer = RecordSealer(secret: RecordSuite.secret, suite: suite, firstRecord: change - 3)
        var opener = RecordOpener(secret: RecordSuite.secret, suite: suite, firstRecord: change - 3)
        for number in UInt8(0)..<6 {
            #expect(try opener.payload(sealer.record(2, [number])).payload == [number])
        }
    }

    @Test(arguments: RecordSuite.allCases)
    func sideOneRecordAheadAtAnEpochChangeIsDetected(suite: RecordSuite) {
        var sealer = RecordSealer(secret: RecordSuite.secret, suite: suite, firstRecord: 1 << 16)
        var opener = RecordOpener(secret: RecordSuite.secret, suite: suite, firstRecord: (1 << 16) - 1)
        #expect(throws: RecordError.forged) { try opener.payload(sealer.record(1, [1])) }
    }
}
