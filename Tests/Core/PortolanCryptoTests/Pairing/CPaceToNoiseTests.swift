import Testing

@testable import PortolanCrypto

/// A whole pairing: CPace makes the key, Noise XXpsk0 proves that both sides have it and carries their payloads.
@Suite struct CPaceToNoiseTests {
    /// The handshakes of two sides under the keys that CPace gave them.
    private struct Pair: ~Copyable {
        var initiator: NoiseHandshake
        var responder: NoiseHandshake

        init(_ one: CPaceSide, _ other: CPaceSide) throws {
            let (initiatorKey, responderKey) = try CPaceSide.keys(one, other)
            initiator = NoiseHandshake(
                pattern: .xxPSK0, role: .initiator, prologue: [], staticKey: HandshakePair.key(1), psk: initiatorKey)
            responder = NoiseHandshake(
                pattern: .xxPSK0, role: .responder, prologue: [], staticKey: HandshakePair.key(2), psk: responderKey)
        }
    }

    @Test func equalCodesCompleteTheHandshake() throws {
        var pair = try Pair(.initiator, .responder)
        let first = try pair.initiator.writeMessage(payload: Array("one".utf8))
        #expect(try pair.responder.readMessage(first) == Array("one".utf8))
        let second = try pair.responder.writeMessage(payload: Array("two".utf8))
        #expect(try pair.initiator.readMessage(second) == Array("two".utf8))
        let third = try pair.initiator.writeMessage(payload: Array("three".utf8))
        #expect(try pair.responder.readMessage(third) == Array("three".utf8))

        let (known, knownBack) = (pair.initiator.remoteStatic, pair.responder.remoteStatic)
        #expect(known == HandshakePair.key(2).publicKey)
        #expect(knownBack == HandshakePair.key(1).publicKey)
        let (hash, hashBack) = (pair.initiator.handshakeHash, pair.responder.handshakeHash)
        #expect(hash == hashBack)
        let (complete, completeBack) = (pair.initiator.isComplete, pair.responder.isComplete)
        #expect(complete && completeBack)
    }

    @Test(arguments: [
        CPaceSide.responder.with(\.code, "7-walnut-horizon"),
        CPaceSide.responder.with(\.channel, Array("bob, ada".utf8)),
        CPaceSide.responder.with(\.session, [2]),
    ])
    func withADifferenceTheFirstMessageFailsAndTheResponderHasSaidNothing(side: CPaceSide) throws {
        var pair = try Pair(.initiator, side)
        let first = try pair.initiator.writeMessage(payload: [])
        #expect(throws: NoiseError.forged) { try pair.responder.readMessage(first) }
        #expect(throws: NoiseError.alreadyFailed) { try pair.responder.readMessage(first) }
    }

    @Test func attackerInTheMiddleFailsOnBothSidesWithAWrongGuess() throws {
        let wrong = "7-walnut-horizon"
        var towardsInitiator = try Pair(.initiator, .responder.with(\.code, wrong))
        var towardsResponder = try Pair(.initiator.with(\.code, wrong), .responder)
        let honest = try towardsInitiator.initiator.writeMessage(payload: [])
        #expect(throws: NoiseError.forged) { try towardsInitiator.responder.readMessage(honest) }
        // Neither its own messages nor relayed ones open at the other end.
        let made = try towardsResponder.initiator.writeMessage(payload: [])
        #expect(throws: NoiseError.forged) { try towardsResponder.responder.readMessage(made) }
        var another = try Pair(.initiator.with(\.code, wrong), .responder)
        #expect(throws: NoiseError.forged) { try another.responder.readMessage(honest) }
    }

    @Test func messageIsUselessInAnotherRun() throws {
        var pair = try Pair(.initiator, .responder)
        var later = try Pair(.initiator, .responder)
        let recorded = try pair.initiator.writeMessage(payload: [])
        #expect(throws: NoiseError.forged) { try later.responder.readMessage(recorded) }
    }
}
