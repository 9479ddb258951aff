import PortolanCrypto
import PortolanProtocol
import TestSupport
import Testing

@Suite struct LaneTests {
    private static func keys(_ byte: UInt8, _ suite: RecordSuite = .chacha20poly1305) -> LaneKeys {
        LaneKeys(direction: SecretBytes(copying: [UInt8](repeating: byte, count: 32)), suite: suite)
    }

    private static let numbers: [UInt32] = [0, 1, 256, 1 << 24, .max]

    @Test func laneIsAdmittedOnlyByItsOwnKeys() throws {
        let keys = Self.keys(1)
        for index in 0..<16 {
            let number = UInt32(index) << 25 | 3
            let bytes = keys.preface(number).encode()
            #expect(bytes.count == LanePreface.length)
            let preface = try LanePreface(decoding: bytes)
            #expect(preface.number == number && preface.id == keys.id)
            #expect(keys.admits(preface))
            #expect(!Self.keys(2).admits(preface))
        }
    }

    @Test func tokenIsValidForOneLaneNumber() throws {
        let keys = Self.keys(1)
        let numbers = Self.numbers
        #expect(Set(numbers.map { keys.preface($0).encode().suffix(32) }).count == numbers.count)
        #expect(Set(numbers.map { keys.preface($0).id }).count == 1, "The identifier is the direction's")
    }

    /// Each side opens the lanes that the other sends, and neither direction's keys open the other's.
    @Test func eachDirectionHasLanesOfItsOwn() throws {
        let (one, other) = (Self.keys(1), Self.keys(2))
        let number: UInt32 = 0
        #expect(one.id != other.id)
        #expect(!one.admits(other.preface(number)) && !other.admits(one.preface(number)))
    }

    @Test func aPrefaceWithAnyBitWrongIsNotAdmitted() throws {
        let keys = Self.keys(1)
        let bytes = keys.preface(0x203).encode()
        for bit in 0..<(bytes.count * 8) {
            var damaged = bytes
            damaged[bit / 8] ^= 1 << (bit % 8)
            let isAdmitted = (try? LanePreface(decoding: damaged)).map(keys.admits) ?? false
            #expect(!isAdmitted, "bit \(bit)")
        }
        for length in 0..<LanePreface.length {
            #expect(violation { _ = try LanePreface(decoding: Array(bytes.prefix(length))) } == .malformed)
        }
        #expect(violation { _ = try LanePreface(decoding: bytes + [0]) } == .malformed)
    }

    @Test func aNumberIsGoodOnceInAnyOrder() {
        var numbers = LaneNumbers(isConnecting: true)
        for number in [0, 2, 1, 63, 66, 3, 200, 137, .max] as [UInt32] {
            #expect(numbers.begin(number) && !numbers.begin(number), "\(number)")
        }
        // A number far below the greatest may have been used.
        #expect(!numbers.begin(201) && !numbers.begin(.max - 64) && numbers.begin(.max - 63))
    }

    @Test func unsupportedVersionIsReported() {
        var bytes = Self.keys(1).preface(0).encode()
        bytes[8] = 1
        let error = #expect(throws: ProtocolViolation.self) { _ = try LanePreface(decoding: bytes) }
        #expect(error?.kind == .malformed)
        #expect(error?.sentence.contains("version 1") == true && error?.sentence.contains("version 2") == true)
    }

    @Test func answerToAnUnsupportedVersionListsTheSupportedOnes() {
        #expect(LanePreface.refusal == Array("PORTLANE".utf8) + [0, 2, 2, 0])
        #expect(LanePreface.versions(inRefusal: LanePreface.refusal) == 2...2)
        for (place, byte) in [(0, 0x20), (8, 1), (9, 3), (11, 1)] as [(Int, UInt8)] {
            var wrong = LanePreface.refusal
            wrong[place] = byte
            #expect(LanePreface.versions(inRefusal: wrong) == nil)
        }
        #expect(LanePreface.versions(inRefusal: Array(LanePreface.refusal.dropLast())) == nil)
        #expect(LanePreface.versions(inRefusal: Preface.refusal) == nil)
    }

    @Test func connectionKindIsKnownFromTheFewestBytes() throws {
        for (text, kind) in [("PORTOLAN", ConnectionKind.session), ("PORTLANE", .lane)] {
            let bytes = Array(text.utf8) + [1, 2, 3]
            for length in 0...bytes.count {
                #expect(try ConnectionKind.of(bytes.prefix(length)) == (length < 8 ? nil : kind))
            }
            for place in 0..<8 {
                var wrong = bytes
                wrong[place] = 0x20
                #expect(violation { _ = try ConnectionKind.of(wrong.prefix(place + 1)) } == .malformed)
            }
        }
    }

    @Test(arguments: RecordSuite.allCases)
    func lanesHaveKeysOfTheirOwn(suite: RecordSuite) throws {
        let keys = Self.keys(7, suite)
        let numbers = Self.numbers
        func sealed(_ lane: UInt32) -> [UInt8] {
            var sealer = keys.makeSealer(lane)
            var record = [0, 0, 0, 0] + [UInt8](repeating: 5, count: 20) + [UInt8](repeating: 0, count: 16)
            record.withUnsafeMutableBytes { sealer.seal(type: RecordType.payload.rawValue, $0) }
            return record
        }
        for sealing in numbers {
            for opening in numbers {
                var record = sealed(sealing)
                let header = RecordHeader(.payload, plaintextLength: 20)
                var opener = keys.makeOpener(opening)
                let isOpened = record.withUnsafeMutableBytes { bytes in
                    let body = UnsafeMutableRawBufferPointer(rebasing: bytes[RecordHeader.length...])
                    return (try? opener.open(header: header.encoded, body)) != nil
                }
                #expect(isOpened == (sealing == opening))
            }
        }
    }

    @Test func sessionAndLaneRecordsAreNotInterchangeable() {
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
