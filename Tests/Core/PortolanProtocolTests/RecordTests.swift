import PortolanProtocol
import Testing

@Suite struct RecordTests {
    @Test func validHeadersRoundTrip() throws {
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

    @Test func payloadHeadersAreReadBackAndRefusedAtEveryShorterLength() throws {
        let header = PayloadHeader(transfer: 0x0102_0304, entry: 0x0506_0708, offset: 0x090A_0B0C_0D0E_0F10)
        #expect(header.encode() == Array(1...16))
        #expect(try PayloadHeader(decoding: header.encode() + [99]) == header)
        for cut in 0..<16 {
            #expect(violation { _ = try PayloadHeader(decoding: header.encode().prefix(cut)) } == .malformed)
        }
    }
}
