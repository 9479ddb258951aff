import PortolanCrypto
import PortolanProtocol
import TestSupport
import Testing

@Suite struct LaneTests {
    private static func keys(_ byte: UInt8, _ suite: RecordSuite = .chacha20poly1305) -> LaneKeys {
        LaneKeys(direction: SecretBytes(copying: [UInt8](repeating: byte, count: 32)), suite: suite)
    }

    @Test func aLaneIsAdmittedByTheKeysItWasMadeWith() throws {
        let keys = Self.keys(1)
        for index in 0..<16 {
            let bytes = keys.preface(index: index).encode()
            #expect(bytes.count == LanePreface.length)
            let preface = try LanePreface(decoding: bytes)
            #expect(preface.index == index && preface.id == keys.id)
            #expect(keys.admits(preface))
            #expect(!Self.keys(2).admits(preface))
        }
    }

    @Test func aPrefaceWithAnyBitWrongIsNotAdmitted() throws {
        let keys = Self.keys(1)
        let bytes = keys.preface(index: 3).encode()
        for bit in 0..<(bytes.count * 8) {
            var damaged = bytes
            damaged[bit / 8] ^= 1 << (bit % 8)
            let isAdmitted = (try? LanePreface(decoding: damaged)).map(keys.admits) ?? false
            #expect(!isAdmitted, "bit \(bit)")
        }
        for length in 0..<60 {
            #expect(violation { _ = try LanePreface(decoding: Array(bytes.prefix(length))) } == .malformed)
        }
        #expect(violation { _ = try LanePreface(decoding: bytes + [0]) } == .malformed)
    }

    @Test func theFirstBytesSayWhatIsWantedAndNoSoonerThanTheyCan() throws {
        for (text, kind) in [("PORTOLAN", ConnectionKind.session), ("PORTLANE", .lane)] {
            let bytes = Array(text.utf8) + [1, 2, 3]
            for length in 0...bytes.count {
                #expect(try ConnectionKind.of(bytes.prefix(length)) == (length < 8 ? nil : kind))
            }
            for place in 0..<8 {
                var wrong = bytes
                wrong[place] = 0x20
                #expect(violation { _ = try ConnectionKind.of(wrong.prefix(place + 1)) } == .unknown)
            }
        }
    }

    @Test(arguments: RecordSuite.allCases)
    func lanesHaveKeysOfTheirOwn(suite: RecordSuite) throws {
        let keys = Self.keys(7, suite)
        func sealed(_ lane: Int) -> [UInt8] {
            var sealer = keys.makeSealer(index: lane)
            var record = [0, 0, 0, 0] + [UInt8](repeating: 5, count: 20) + [UInt8](repeating: 0, count: 16)
            record.withUnsafeMutableBytes { sealer.seal(type: RecordType.payload.rawValue, $0) }
            return record
        }
        for sealing in 0..<3 {
            for opening in 0..<3 {
                var record = sealed(sealing)
                let header = RecordHeader(.payload, plaintextLength: 20)
                var opener = keys.makeOpener(index: opening)
                let isOpened = record.withUnsafeMutableBytes { bytes in
                    let body = UnsafeMutableRawBufferPointer(rebasing: bytes[RecordHeader.length...])
                    return (try? opener.open(header: header.encoded, body)) != nil
                }
                #expect(isOpened == (sealing == opening))
            }
        }
    }

    @Test func sessionsAndLanesRefuseEachOthersRecords() {
        for type in RecordType.allCases {
            let length = RecordHeader.lengths(of: type).lowerBound
            let word = RecordHeader(type, plaintextLength: length).encoded
            let isForLanes = type == .tree || type == .packed
            let session = violation { _ = try RecordHeader(decoding: word, phase: .afterAcceptance) }
            #expect(session == (isForLanes ? .unexpected : nil))
            let lane = violation { _ = try RecordHeader(decoding: word, phase: .lane) }
            #expect(lane == (type == .control ? .unexpected : nil))
        }
    }
}
