import Foundation
import PortolanCrypto
import PortolanProtocol
import PortolanValues
import TestSupport
import Testing

/// Handshakes under a code: CPace, then XXpsk0. Attacks without the code.
@Suite struct PairingHandshakeTests {
    static let start = ContinuousClock.now

    static func code(_ text: String = "7-walnut-harbor") throws -> PairingCode { try PairingCode(text) }

    static func gate(_ purpose: PairingPurpose = .pairing, uses: Int = 1) throws -> PairingGate {
        PairingGate(code: try code(), purpose: purpose, uses: uses, validity: .seconds(600)) { start }
    }

    /// Returns an initiator that enters a code.
    static func caller(_ text: String = "7-walnut-harbor", _ purpose: PairingPurpose = .pairing) throws -> HandshakeEnd
    {
        try HandshakeEnd(.code(code(text), purpose), device("Ada", 1))
    }

    /// A connection that reached the machine that waits.
    static func waiting(_ gate: PairingGate) throws -> HandshakeEnd {
        try HandshakeEnd(behind: Door(allowsOpen: false, gate: gate))
    }

    private static let wrong = "7-harbor-walnut"

    @Test(arguments: PairingPurpose.allCases, [false, true])
    func theRightCodeIntroducesTwoDevices(purpose: PairingPurpose, dripping: Bool) throws {
        let gate = try Self.gate(purpose)
        let (one, two) = try (Self.caller("07 Walnut HARBOR", purpose), Self.waiting(gate))
        HandshakeEnd.converse(one, two) { dripping ? $1.map { [$0] } : [$1] }
        try HandshakeTests.expectConnected(one.outcome, two.outcome)
        #expect(one.outcome.peer?.name.text == "Bob" && two.outcome.peer?.name.text == "Ada")
        #expect(one.outcome.opening == .code(purpose) && two.outcome.opening == .code(purpose))
        #expect(gate.state == .used)
        #expect(gate.number == 7)
    }

    /// The list of the protocol, from which other programs take it.
    @Test func codeBytesMatchTheProtocol() throws {
        let path = VectorFile.folder.deletingLastPathComponent().appending(path: "words.txt")
        let words = try String(contentsOf: path, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(words.count == 512)
        #expect(PairingCode.completions(of: "1-") == words.map { "1-\($0)-" })
    }

    // MARK: Guessing

    @Test func aWrongCodeIsNoticedByBothAndEndsTheCode() throws {
        let gate = try Self.gate(uses: 3)
        let (one, two) = try (Self.caller(Self.wrong), Self.waiting(gate))
        let flights = HandshakeEnd.converse(one, two)
        #expect(flights.count == 3, "Call, answer, guess, and not a byte more")
        #expect(one.error?.kind == .wrongCode && one.hasTriedCode)
        #expect(two.error?.kind == .wrongGuess)
        #expect(gate.state == .guessedWrong)
    }

    @Test func wrongCodeSpendsTheRightOne() throws {
        let gate = try Self.gate(uses: 3)
        HandshakeEnd.converse(try Self.caller(Self.wrong), try Self.waiting(gate))
        let (one, two) = try (Self.caller(), Self.waiting(gate))
        let flights = HandshakeEnd.converse(one, two)
        #expect(flights.count == 1, "Not even a share is answered")
        #expect(one.error?.kind == .cut && !one.hasTriedCode, "The initiator's code is as good as before")
        #expect(two.error?.kind == .refused(.noCode))
    }

    @Test func concurrentRunsShareOneGuess() throws {
        // Forty runs have all received a share and not sent their guesses yet; one of them even has the right code.
        let gate = try Self.gate(uses: 50)
        var runs: [(guess: [UInt8], at: HandshakeEnd)] = []
        for number in 0..<40 {
            let (one, two) = try (Self.caller(number == 20 ? "7-walnut-harbor" : Self.wrong), Self.waiting(gate))
            runs.append((one.hear(two.hear(one.start())), two))
        }
        for run in runs { #expect(run.at.hear(run.guess).isEmpty) }
        #expect(runs[0].at.error?.kind == .wrongGuess)
        #expect(runs.dropFirst().allSatisfy { $0.at.error?.kind == .refused(.codeOver) })
        #expect(gate.state == .guessedWrong)
    }

    @Test func concurrentThreadsShareOneGuess() async throws {
        let gate = try Self.gate(uses: 50)
        let kinds = try await withThrowingTaskGroup(of: HandshakeError.Kind?.self) { group in
            for _ in 0..<32 {
                group.addTask {
                    let (one, two) = try (Self.caller(Self.wrong), Self.waiting(gate))
                    HandshakeEnd.converse(one, two)
                    return two.error?.kind
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(kinds.count { $0 == .wrongGuess } == 1)
        #expect(kinds.count { $0 == .refused(.codeOver) || $0 == .refused(.noCode) } == 31)
    }

    @Test func aBrokenGuessIsAGuess() throws {
        for guess in [[], [0], [UInt8](repeating: 0, count: 47), [UInt8](repeating: 0, count: 4096)] {
            let gate = try Self.gate()
            let (one, two) = try (Self.caller(), Self.waiting(gate))
            let tried = one.hear(two.hear(one.start()))
            #expect(two.hear(Array(tried.prefix(34)) + frame(guess)).isEmpty)
            #expect(two.error?.kind == .wrongGuess && gate.state == .guessedWrong)
        }
    }

    @Test func runEndedBeforeTheGuessDoesNotCount() throws {
        let gate = try Self.gate()
        for _ in 0..<5 {
            let (one, two) = try (Self.caller(Self.wrong), Self.waiting(gate))
            let tried = one.hear(two.hear(one.start()))
            // All but the last byte of the guess.
            #expect(two.hear(Array(tried.dropLast())).isEmpty)
            #expect(two.hangUp().kind == .cut)
        }
        #expect(gate.state == .waiting(uses: 1))
        let (one, two) = try (Self.caller(), Self.waiting(gate))
        HandshakeEnd.converse(one, two)
        #expect(two.isEstablished)
    }

    @Test func aDifferentNumberIsADifferentCode() throws {
        let gate = try Self.gate()
        HandshakeEnd.converse(try Self.caller("8-walnut-harbor"), try Self.waiting(gate))
        #expect(gate.state == .guessedWrong)
    }

    // MARK: Third machines

    @Test func releasedUseAdmitsTheNextMachine() throws {
        let gate = try Self.gate(uses: 2)
        for left in [PairingGate.State.waiting(uses: 1), .used] {
            let (one, two) = try (Self.caller(), Self.waiting(gate))
            HandshakeEnd.converse(one, two)
            #expect(two.isEstablished && gate.state == left)
        }
        let (third, two) = try (Self.caller(), Self.waiting(gate))
        HandshakeEnd.converse(third, two)
        #expect(!third.isEstablished && two.error?.kind == .refused(.noCode))
    }

    @Test func oneUseAdmitsOneOfTwoConcurrentMachines() throws {
        let gate = try Self.gate()
        let (first, firstEnd) = try (Self.caller(), Self.waiting(gate))
        let (second, secondEnd) = try (Self.caller(), Self.waiting(gate))
        let firstTry = first.hear(firstEnd.hear(first.start()))
        let secondTry = second.hear(secondEnd.hear(second.start()))
        let offer = firstEnd.hear(firstTry)
        #expect(!offer.isEmpty)
        #expect(secondEnd.hear(secondTry).isEmpty, "The only use is the first one's until it is over")
        #expect(secondEnd.error?.kind == .refused(.codeOver))
        #expect(second.hangUp().kind == .wrongCode)
        firstEnd.hear(first.hear(offer))
        #expect(firstEnd.isEstablished && gate.state == .used)
    }

    @Test func useIsConsumedOnlyByACompleteHandshake() throws {
        let gate = try Self.gate()
        for ending in 0..<3 {
            let (one, two) = try (HandshakeEnd(.code(Self.code(), .pairing), isAccepting: false), Self.waiting(gate))
            one.hear(two.hear(one.hear(two.hear(one.start()))))
            #expect(one.outcome.isDeciding && !two.isEstablished)
            switch ending {
            case 0: break  // The connection goes with the machine.
            case 1: two.hear(frame([UInt8](repeating: 0, count: 80)))
            default: two.hear([0x10, 0x01])
            }
        }
        #expect(gate.state == .waiting(uses: 1), "Who has the code has guessed nothing")
        let (one, two) = try (Self.caller(), Self.waiting(gate))
        HandshakeEnd.converse(one, two)
        #expect(two.isEstablished && gate.state == .used)
    }

    @Test func provenRunMayFinishAfterAWrongCode() throws {
        let gate = try Self.gate(uses: 2)
        let (one, two) = try (Self.caller(), Self.waiting(gate))
        let offer = two.hear(one.hear(two.hear(one.start())))
        HandshakeEnd.converse(try Self.caller(Self.wrong), try Self.waiting(gate))
        #expect(gate.state == .guessedWrong)
        two.hear(one.hear(offer))
        try HandshakeTests.expectConnected(one.outcome, two.outcome)
        #expect(gate.state == .guessedWrong, "Nobody else gets in")
    }

    @Test func codeIsValidForOnePurpose() throws {
        for (asked, waited) in [(PairingPurpose.pairing, PairingPurpose.joining), (.joining, .pairing)] {
            let gate = try Self.gate(waited)
            let (one, two) = try (Self.caller("7-walnut-harbor", asked), Self.waiting(gate))
            #expect(HandshakeEnd.converse(one, two).count == 1)
            #expect(two.error?.kind == .refused(.noCode) && gate.state == .waiting(uses: 1))
            // A purpose that is changed in transit fails as well.
            let (tricked, end) = try (Self.caller("7-walnut-harbor", asked), Self.waiting(gate))
            HandshakeEnd.converse(tricked, end) { flight, bytes in
                flight == 0 ? [preface(extra: [waited.rawValue] + bytes.suffix(16))] : [bytes]
            }
            #expect(!tricked.isEstablished && end.error?.kind == .wrongGuess)
        }
    }

    @Test func reachingOneselfWithACodeIsNoticed() throws {
        let own = try device("Ada", 1)
        let gate = try Self.gate()
        let one = try HandshakeEnd(.code(Self.code(), .pairing), own)
        let two = try HandshakeEnd(behind: Door(allowsOpen: false, gate: gate), own)
        HandshakeEnd.converse(one, two)
        #expect(one.error?.kind == .ownKey)
        #expect(gate.state == .waiting(uses: 1))
    }

    // MARK: Time and other ends

    @Test func codeExpiresForRunningHandshakes() throws {
        let clock = TestClock(Self.start)
        let gate = PairingGate(code: try Self.code(), purpose: .pairing, validity: .seconds(60)) { clock.now }
        let (one, two) = try (Self.caller(), Self.waiting(gate))
        let tried = one.hear(two.hear(one.start()))
        clock.advance(by: .seconds(59))
        #expect(gate.state == .waiting(uses: 1))
        clock.advance(by: .seconds(1))
        #expect(gate.state == .expired)
        #expect(two.hear(tried).isEmpty && two.error?.kind == .refused(.codeOver))
        #expect(try Self.waiting(gate).hear(Self.caller().start()).isEmpty)
    }

    @Test func closedGateRefusesAllRuns() throws {
        let gate = try Self.gate()
        let (one, two) = try (Self.caller(), Self.waiting(gate))
        let tried = one.hear(two.hear(one.start()))
        gate.close()
        #expect(gate.state == .closed)
        #expect(two.hear(tried).isEmpty && two.error?.kind == .refused(.codeOver))
        #expect(try Self.waiting(gate).hear(Self.caller().start()).isEmpty)
        #expect(
            try HandshakeEnd(behind: .open).hear(Self.caller().start()).isEmpty, "Nor one where no code is waited for")
    }

    @Test func everyChangeOfTheGateIsReported() async throws {
        let used = try Self.gate(uses: 2)
        for _ in 0..<2 { HandshakeEnd.converse(try Self.caller(), try Self.waiting(used)) }
        let guessed = try Self.gate(uses: 2)
        HandshakeEnd.converse(try Self.caller(Self.wrong), try Self.waiting(guessed))
        guessed.close()
        let closed = try Self.gate()
        closed.close()
        for (gate, changes) in [
            (used, [PairingGate.State.waiting(uses: 1), .used]), (guessed, [.guessedWrong]), (closed, [.closed]),
        ] {
            #expect(await gate.changes.reduce(into: []) { $0.append($1) } == changes)
        }
    }

    @Test func theInitiatorKnowsFromWhichMomentItsCodeIsSpent() throws {
        let one = try Self.caller()
        let call = one.start()
        #expect(!one.hasTriedCode && one.hangUp().kind == .cut)
        let two = try Self.waiting(Self.gate())
        let answer = two.hear(call)
        one.hear(Array(answer.dropLast()))
        #expect(!one.hasTriedCode && one.hangUp().kind == .cut)
        let other = try Self.caller()
        let tried = other.hear(try Self.waiting(Self.gate()).hear(other.start()))
        #expect(!tried.isEmpty && other.hasTriedCode && other.hangUp().kind == .wrongCode)
        other.hear([0])
        #expect(other.hangUp().kind == .wrongCode)
    }
}
