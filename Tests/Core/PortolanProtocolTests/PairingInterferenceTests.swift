import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import PortolanValues
import Testing

/// An attacker between two machines that pair, or in place of one: reflections, relays, replays and invalid shares.
@Suite struct PairingInterferenceTests {
    private typealias Pairing = PairingHandshakeTests

    // MARK: Reflections

    @Test func reflectedShareIsRefusedAndNotAGuess() throws {
        let gate = try Pairing.gate()
        let end = try Pairing.waiting(gate)
        let answer = end.hear(preface(extra: [2] + [UInt8](repeating: 3, count: 16)))
        #expect(answer.count == 2 + 48)
        #expect(end.hear(frame(Array(answer.suffix(32)))).isEmpty)
        #expect(end.error?.kind.violationKind == .malformed)
        #expect(gate.state == .waiting(uses: 1))
    }

    @Test func reflectedFramesAreRefused() throws {
        let gate = try Pairing.gate()
        let end = try Pairing.waiting(gate)
        #expect(end.hear(end.hear(preface(extra: [2] + [UInt8](repeating: 3, count: 16)))).isEmpty)
        #expect(end.error?.kind.violationKind == .malformed, "An answer is no share")

        let one = try Pairing.caller()
        #expect(one.hear(one.start()).isEmpty)
        #expect(one.error?.kind == .notPortolan && !one.hasTriedCode)

        let other = try Pairing.caller()
        let tried = other.hear(try Pairing.waiting(gate).hear(other.start()))
        #expect(other.hear(tried).isEmpty)
        #expect(other.error?.kind == .wrongCode)
    }

    @Test func deviceDoesNotPairWithItsReflection() throws {
        // All that one initiator sends, and all that one responder sends, is sent back to it.
        let two = try Pairing.waiting(Pairing.gate())
        var said = preface(extra: [2] + [UInt8](repeating: 3, count: 16))
        for _ in 0..<4 where !said.isEmpty { said = two.hear(said) }
        #expect(!two.isEstablished && two.error != nil)
        // Two initiators that are connected to each other.
        let (one, other) = try (Pairing.caller(), Pairing.caller())
        _ = other.start()
        HandshakeEnd.converse(one, other)
        #expect(!one.isEstablished && !other.isEstablished)
    }

    // MARK: Replays

    @Test func successfulRunCannotBeReplayed() throws {
        let gate = try Pairing.gate(uses: 2)
        let flights = try HandshakeEnd.converse(Pairing.caller(), Pairing.waiting(gate))
        #expect(gate.state == .waiting(uses: 1))
        let again = try Pairing.waiting(gate)
        #expect(!again.hear(flights[0]).isEmpty, "It may ask")
        #expect(again.hear(flights[2]).isEmpty)
        #expect(again.error?.kind == .wrongGuess && gate.state == .guessedWrong)
        // The same against the machine where the code is entered.
        let one = try Pairing.caller()
        _ = one.start()
        one.hear(flights[1])
        one.hear(flights[3])
        #expect(one.error?.kind == .wrongCode)
    }

    // MARK: Relays

    @Test func relayReadsNothingAndHasNoIdentity() throws {
        let (one, two) = try (Pairing.caller(), Pairing.waiting(Pairing.gate()))
        let flights = HandshakeEnd.converse(one, two) { _, bytes in [bytes] }
        try HandshakeTests.expectConnected(one.outcome, two.outcome)
        let (ada, bob) = try (device("Ada", 1), device("Bob", 2))
        #expect(one.outcome.peer?.deviceKey == bob.publicKey && two.outcome.peer?.deviceKey == ada.publicKey)
        for flight in flights {
            for secret in [ada.publicKey.bytes, bob.publicKey.bytes, Array("Ada".utf8), Array("walnut".utf8)] {
                #expect(!flight.contains(sequence: secret))
            }
        }
    }

    @Test func attackerInTheMiddleHasOneGuessPerSide() throws {
        let honest = try Pairing.gate()
        let mallory = try device("Mallory", 9)
        let guess = PairingGate(code: try PairingCode("7-harbor-walnut"), purpose: .pairing, validity: .seconds(600)) {
            Pairing.start
        }
        let (one, inPlaceOfTwo) = try (
            Pairing.caller(), HandshakeEnd(behind: Door(allowsOpen: false, gate: guess), mallory)
        )
        HandshakeEnd.converse(one, inPlaceOfTwo)
        #expect(one.error?.kind == .wrongCode && one.outcome.peer == nil)
        let (inPlaceOfOne, two) = try (
            HandshakeEnd(.code(PairingCode("7-walnut-walnut"), .pairing), mallory), Pairing.waiting(honest)
        )
        HandshakeEnd.converse(inPlaceOfOne, two)
        #expect(two.error?.kind == .wrongGuess && inPlaceOfOne.outcome.peer == nil)
        #expect(honest.state == .guessedWrong)
    }

    @Test func noBitOfAPairingCanBeChanged() throws {
        let lengths = try HandshakeEnd.converse(Pairing.caller(), Pairing.waiting(Pairing.gate())).map(\.count)
        #expect(lengths == [29, 50, 34 + 50, 2 + 32 + 48 + 336, 2 + 48 + 336])
        for (flight, length) in lengths.enumerated() {
            for offset in 0..<length where flight < 3 || offset % 5 == 0 {
                let (one, two) = try (Pairing.caller(), Pairing.waiting(Pairing.gate()))
                HandshakeEnd.converse(one, two) { number, bytes in
                    guard number == flight else { return [bytes] }
                    var changed = bytes
                    changed[offset] ^= 1 << (offset % 8)
                    return [changed]
                }
                #expect(!one.isEstablished || !two.isEstablished, "flight \(flight), byte \(offset)")
                #expect(flight == 4 || !one.isEstablished, "flight \(flight), byte \(offset)")
            }
        }
    }

    @Test func aRunCannotBeCutAnywhereUnnoticed() throws {
        let flights = try HandshakeEnd.converse(Pairing.caller(), Pairing.waiting(Pairing.gate()))
        for (flight, bytes) in flights.enumerated() {
            for length in Set([0, 1, 2, 12, 28, 33, 34, 35, bytes.count - 1]) where length < bytes.count {
                let gate = try Pairing.gate()
                let (one, two) = try (Pairing.caller(), Pairing.waiting(gate))
                HandshakeEnd.converse(one, two) { $0 == flight ? [Array($1.prefix(length))] : [$1] }
                let victim = flight.isMultiple(of: 2) ? two : one
                #expect(!victim.isEstablished && victim.error != nil, "flight \(flight) after \(length) bytes")
                #expect(gate.state == .waiting(uses: 1), "Nobody guessed")
            }
        }
    }

    // MARK: Impossible shares

    /// A share that is possible: the generator of the group as RFC 9496 gives it (section 4.3.3, appendix A.1).
    static let element: [UInt8] = [
        0xE2, 0xF2, 0xAE, 0x0A, 0x6A, 0xBC, 0x4E, 0x71, 0xA8, 0x84, 0xA9, 0x61, 0xC5, 0x00, 0x51, 0x5F,
        0x58, 0xE3, 0x0B, 0x6A, 0xA5, 0x82, 0xDD, 0x8D, 0xB6, 0xA6, 0x59, 0x45, 0xE0, 0x8D, 0x2D, 0x76,
    ]

    /// Shares that no honest side sends: the identity, bytes that encode no element, and encodings that are not the
    /// canonical one.
    private static let impossible: [[UInt8]] = [
        [UInt8](repeating: 0, count: 32),
        [UInt8](repeating: 0xFF, count: 32),
        // The prime of the field, another encoding of zero; and the prime plus one, another encoding of one.
        [0xED] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
        [0xEE] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
        // The encoding is odd, and so "negative".
        [1] + [UInt8](repeating: 0, count: 31),
        // Minus one, a point of order two of the curve beneath.
        [0xEC] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
    ]

    @Test(arguments: impossible) func anImpossibleShareIsRefusedAndNoGuess(share: [UInt8]) throws {
        let gate = try Pairing.gate()
        let two = try Pairing.waiting(gate)
        two.hear(preface(extra: [2] + [UInt8](repeating: 3, count: 16)))
        #expect(two.hear(frame(share)).isEmpty)
        #expect(two.error?.kind.violationKind == .malformed)
        #expect(gate.state == .waiting(uses: 1))

        let one = try Pairing.caller()
        _ = one.start()
        #expect(one.hear(frame([UInt8](repeating: 4, count: 16) + share)).isEmpty)
        #expect(one.error?.kind.violationKind == .malformed)
        #expect(!one.hasTriedCode, "Nothing was sent that a guess could be tried on")
    }

    // MARK: Lengths

    @Test(arguments: [0, 1, 31, 33, 47, 49, 50, 64, 4096, 4097, 0x504F, 0xFFFF])
    func partOfWrongLengthIsRefusedBeforeItIsRead(length: Int) throws {
        let bytes = [UInt8(length >> 8), UInt8(length & 0xFF)]
        let two = try Pairing.waiting(Pairing.gate())
        two.hear(preface(extra: [2] + [UInt8](repeating: 3, count: 16)))
        #expect(two.hear(bytes).isEmpty)
        #expect(two.error?.kind.violationKind == (length > 4096 ? .limit : .malformed))

        let one = try Pairing.caller()
        _ = one.start()
        #expect(one.hear(bytes).isEmpty && !one.hasTriedCode)
        if length == 0x504F {
            #expect(one.error == nil, "It may become the refusal of a version")
        } else {
            #expect(one.error != nil && (one.error?.kind == .notPortolan) == (length > 4096))
        }
    }

    @Test func longFrameAfterTheGuessIsReportedAsASpentCode() throws {
        for bytes in [[0x10, 0x01], [0x50, 0x4F], [0xFF, 0xFF]] as [[UInt8]] {
            let one = try Pairing.caller()
            one.hear(try Pairing.waiting(Pairing.gate()).hear(one.start()))
            one.hear(bytes)
            #expect(one.error?.kind == .wrongCode)
        }
    }
}
