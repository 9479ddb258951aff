import Foundation
import Glibc
import Testing

@testable import PortolanTrust

@Suite struct PairingAttemptsTests {
    let temporary: TemporaryHome
    let attempts: PairingAttempts
    let noon = Date(timeIntervalSince1970: 1_700_000_000)
    var file: String { temporary.home.state + "/" + PairingAttempts.fileName }

    init() throws {
        temporary = try TemporaryHome()
        attempts = PairingAttempts(home: temporary.home)
    }

    private func at(_ seconds: Double) -> Date { noon.addingTimeInterval(seconds) }

    @Test func readingAllowanceWritesNothing() throws {
        #expect(try attempts.allowance(now: noon) == .allowed(wrongInARow: 0))
        #expect(!FileManager.default.fileExists(atPath: temporary.home.state))
    }

    @Test func theThirdWrongGuessOfAMinuteStopsPairingUntilTheFirstIsAMinuteOld() throws {
        #expect(try attempts.noteWrongGuess(now: at(0)) == 1)
        #expect(try attempts.noteWrongGuess(now: at(10)) == 2)
        #expect(try attempts.allowance(now: at(10)) == .allowed(wrongInARow: 2))
        #expect(try attempts.noteWrongGuess(now: at(20)) == 3)
        #expect(try attempts.allowance(now: at(20)) == .wait(seconds: 40))
        #expect(try attempts.allowance(now: at(59.5)) == .wait(seconds: 1))
        #expect(try attempts.allowance(now: at(60)) == .allowed(wrongInARow: 3))
        #expect(try attempts.noteWrongGuess(now: at(61)) == 4)
        #expect(try attempts.allowance(now: at(61)) == .wait(seconds: 9))
    }

    @Test func onlyTheLastWrongGuessesCount() throws {
        for second in 0..<20 { try attempts.noteWrongGuess(now: at(Double(second))) }
        #expect(try attempts.allowance(now: at(19)) == .wait(seconds: 58))
        #expect(try temporary.bytes(file).count < 200)
    }

    @Test func guessesAreSharedByProcesses() throws {
        for _ in 0..<3 { try attempts.noteWrongGuess(now: noon) }
        #expect(try PairingAttempts(home: temporary.home).allowance(now: noon) == .wait(seconds: 60))
        #expect(temporary.mode(file) == 0o600)
    }

    @Test func successResetsTheCountOfWrongGuessesButKeepsTheLimit() throws {
        for _ in 0..<3 { try attempts.noteWrongGuess(now: noon) }
        try attempts.noteSuccess()
        #expect(try attempts.allowance(now: at(1)) == .wait(seconds: 59))
        #expect(try attempts.allowance(now: at(60)) == .allowed(wrongInARow: 0))
    }

    @Test("a clock off by a year either way stops pairing for a minute at most", arguments: [-365.0, 365.0])
    func wrongClockStopsPairingForAMinute(days: Double) throws {
        for _ in 0..<3 { try attempts.noteWrongGuess(now: noon) }
        #expect(try attempts.allowance(now: at(days * 86_400)) == .allowed(wrongInARow: 3))
        // The clock was set back by less than the window: the guesses seem to be in the future, and still count.
        #expect(try attempts.allowance(now: at(-30)) == .wait(seconds: 60))
    }

    @Test func guessesAtOnceAreAllCounted() async throws {
        let attempts = attempts
        let noon = noon
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<12 { group.addTask { try attempts.noteWrongGuess(now: noon) } }
            try await group.waitForAll()
        }
        #expect(try attempts.allowance(now: at(60)) == .allowed(wrongInARow: 12))
    }

    @Test func truncatedFileStopsPairingAndIsKept() throws {
        for _ in 0..<3 { try attempts.noteWrongGuess(now: noon) }
        let bytes = try temporary.bytes(file)
        for length in 0..<bytes.count {
            try temporary.write(bytes.prefix(length), to: file)
            #expect(throws: StoreError.self, "cut at \(length)") { try attempts.allowance(now: noon) }
            #expect(throws: StoreError.self, "cut at \(length)") { try attempts.noteWrongGuess(now: noon) }
            #expect(throws: StoreError.self, "cut at \(length)") { try attempts.noteSuccess() }
            #expect(try temporary.bytes(file).count == length)
        }
    }

    @Test func fileWritableByOthersStopsPairing() throws {
        try attempts.noteWrongGuess(now: noon)
        chmod(file, 0o606)
        let error = try #require(throws: StoreError.self) { try attempts.allowance(now: noon) }
        #expect(error.kind == .tooOpen(mode: 0o606))
    }
}
