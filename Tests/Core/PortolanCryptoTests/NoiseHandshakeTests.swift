import TestSupport
import Testing

@testable import PortolanCrypto

@Suite struct NoiseHandshakeTests {
    static let patterns: [NoisePattern] = [.xx, .xxPSK0]

    @Test func randomKeysOnBothSidesAgreeAndEveryHandshakeDiffers() throws {
        var hashes: Set<[UInt8]> = []
        var secrets: [SecretBytes] = []
        let (one, other) = (NoiseKeyPair.generate(), NoiseKeyPair.generate())
        for _ in 0..<3 {
            var initiator = NoiseHandshake(pattern: .xx, role: .initiator, prologue: [], staticKey: one)
            var responder = NoiseHandshake(pattern: .xx, role: .responder, prologue: [], staticKey: other)
            _ = try responder.readMessage(try initiator.writeMessage(payload: []))
            _ = try initiator.readMessage(try responder.writeMessage(payload: []))
            _ = try responder.readMessage(try initiator.writeMessage(payload: []))
            #expect(initiator.handshakeHash == responder.handshakeHash)
            hashes.insert(initiator.handshakeHash)
            let (here, there) = (initiator.split(), responder.split())
            #expect(here.initiatorToResponder == there.initiatorToResponder)
            #expect(here.responderToInitiator == there.responderToInitiator)
            secrets += [here.initiatorToResponder, here.responderToInitiator]
        }
        #expect(hashes.count == 3)
        for (number, secret) in secrets.enumerated() {
            #expect(!secrets[..<number].contains(secret))
        }
    }

    @Test(arguments: zip(patterns, [[32, 96, 64], [48, 96, 64]] as [[Int]]))
    func messagesHaveTheSizesOfThePattern(pattern: NoisePattern, sizes: [Int]) throws {
        for (number, size) in sizes.enumerated() {
            var pair = HandshakePair(pattern)
            #expect(try pair.message(after: number).count == size + HandshakePair.payloads[number].count)
        }
    }

    @Test func turnsAlternateAndThePeersKeyIsKnownAfterItsMessage() throws {
        var pair = HandshakePair(.xx)
        for number in 0..<3 {
            let turns = (pair.initiator.isOurTurn, pair.responder.isOurTurn)
            #expect(turns == (number != 1, number == 1))
            let done = pair.initiator.isComplete || pair.responder.isComplete
            #expect(!done)
            _ = try pair.deliver(try pair.write(number), number)
            let known = (pair.initiator.remoteStatic != nil, pair.responder.remoteStatic != nil)
            #expect(known == (number >= 1, number == 2))
        }
        let over = (pair.initiator.isOurTurn, pair.responder.isOurTurn, pair.initiator.isComplete)
        #expect(over == (false, false, true))
    }

    @Test func theHashBeforeAMessageIsTheSameOnBothSides() throws {
        // Devices sign the hash in their messages: the other side must reach the same value before reading one.
        var pair = HandshakePair(.xx)
        for number in 0..<3 {
            #expect(pair.initiator.handshakeHash == pair.responder.handshakeHash)
            let message = try pair.write(number)
            #expect(pair.initiator.handshakeHash != pair.responder.handshakeHash)
            _ = try pair.deliver(message, number)
        }
    }

    @Test(arguments: patterns, 0..<3)
    func aMessageCutAnywhereIsRefused(pattern: NoisePattern, number: Int) throws {
        var whole = HandshakePair(pattern)
        let length = try whole.message(after: number).count
        for cut in 0..<length {
            var pair = HandshakePair(pattern)
            let message = try pair.message(after: number)
            #expect(throws: NoiseError.self, "cut after \(cut) bytes") {
                try pair.deliver(Array(message.prefix(cut)), number)
            }
            #expect(throws: NoiseError.alreadyFailed) { try pair.deliver(message, number) }
        }
    }

    @Test(arguments: patterns, 0..<3)
    func aMessageWithAnyBitChangedEndsTheHandshake(pattern: NoisePattern, number: Int) throws {
        var whole = HandshakePair(pattern)
        let length = try whole.message(after: number).count
        for position in 0..<length {
            var pair = HandshakePair(pattern)
            var message = try pair.message(after: number)
            message[position] ^= 1 << UInt8(position % 8)
            // An unkeyed first message cannot be judged yet; then the second one does not verify.
            #expect(throws: NoiseError.self, "byte \(position)") {
                for later in number..<3 {
                    _ = try pair.deliver(later == number ? message : try pair.write(later), later)
                }
            }
        }
    }

    @Test(arguments: patterns, 1..<3)
    func messageWithTrailingBytesIsRefused(pattern: NoisePattern, number: Int) throws {
        var pair = HandshakePair(pattern)
        let message = try pair.message(after: number)
        #expect(throws: NoiseError.forged) { try pair.deliver(message + [0], number) }
    }

    @Test func aDifferentPrologueFailsAtTheFirstSealedMessage() throws {
        var pair = HandshakePair(.xx, prologues: ([1], [2]))
        let message = try pair.message(after: 1)
        #expect(throws: NoiseError.forged) { try pair.deliver(message, 1) }
    }

    @Test func aDifferentSharedKeyFailsAtTheFirstMessage() throws {
        var pair = HandshakePair(.xxPSK0, responderPSK: SecretBytes(copying: [UInt8](repeating: 6, count: 32)))
        let message = try pair.message(after: 0)
        #expect(throws: NoiseError.forged) { try pair.deliver(message, 0) }
    }

    @Test func replayedFirstMessageIsUseless() throws {
        var pair = HandshakePair(.xx)
        let first = try pair.message(after: 0)
        var again = NoiseHandshake(pattern: .xx, role: .responder, prologue: [1, 2, 3], staticKey: .generate())
        _ = try again.readMessage(first)
        _ = try pair.deliver(first, 0)
        let answer = try pair.write(1)
        let another = try again.writeMessage(payload: [])
        #expect(answer.prefix(32) != another.prefix(32))
    }

    @Test func messagesAreLimitedTo65535Bytes() throws {
        var pair = HandshakePair(.xx)
        #expect(throws: NoiseError.messageTooLong(65536)) {
            try pair.initiator.writeMessage(payload: [UInt8](repeating: 0, count: 65536 - 32))
        }
        #expect(throws: NoiseError.messageTooLong(65536)) {
            try pair.responder.readMessage([UInt8](repeating: 0, count: 65536))
        }
        var largest = HandshakePair(.xx)
        let payload = [UInt8](repeating: 9, count: 65535 - 32)
        #expect(try largest.responder.readMessage(try largest.initiator.writeMessage(payload: payload)) == payload)
    }

    @Test func anOwnKeySentBackIsAKeyLikeAnyOther() throws {
        // Noise does not forbid it (section 14); the signature in the payload identifies the sender.
        var initiator = NoiseHandshake(
            pattern: .xx, role: .initiator, prologue: [], staticKey: HandshakePair.key(1),
            ephemeral: HandshakePair.key(2))
        var mirror = NoiseHandshake(
            pattern: .xx, role: .responder, prologue: [], staticKey: HandshakePair.key(1),
            ephemeral: HandshakePair.key(2))
        _ = try mirror.readMessage(try initiator.writeMessage(payload: []))
        _ = try initiator.readMessage(try mirror.writeMessage(payload: []))
        #expect(initiator.remoteStatic == HandshakePair.key(1).publicKey)
    }

    @Test(arguments: patterns)
    func injuredMessagesNeverCrashAndNeverPass(pattern: NoisePattern) throws {
        for seed in UInt64(0)..<600 {
            var generator = SeededGenerator(seed: seed)
            var pair = HandshakePair(pattern)
            let number = Int(seed % 3)
            let message = try pair.message(after: number)
            let injured = generator.mutated(message)
            guard injured != message else { continue }
            do {
                _ = try pair.deliver(injured, number)
                #expect(number == 0 && pattern == .xx, "an injured message passed, seed \(seed)")
            } catch {
                #expect(error is NoiseError, "seed \(seed)")
            }
        }
    }

    @Test func writingOutOfTurnTraps() async {
        await #expect(processExitsWith: .failure) {
            var pair = HandshakePair(.xx)
            _ = try pair.responder.writeMessage(payload: [])
        }
    }

    @Test func splittingTooEarlyTraps() async {
        await #expect(processExitsWith: .failure) {
            let handshake = NoiseHandshake(pattern: .xx, role: .initiator, prologue: [], staticKey: .generate())
            _ = handshake.split()
        }
    }

    @Test func aPatternWithoutItsSharedKeyTraps() async {
        await #expect(processExitsWith: .failure) {
            _ = NoiseHandshake(pattern: .xxPSK0, role: .initiator, prologue: [], staticKey: .generate())
        }
    }
}
