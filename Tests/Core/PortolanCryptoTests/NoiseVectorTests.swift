import Testing

@testable import PortolanCrypto

/// Other implementations' handshakes, byte for byte.
@Suite struct NoiseVectorTests {
    private struct File: Decodable {
        let protocolName: String
        let vectors: [Vector]
    }

    private struct Vector: Decodable {
        let source: String
        let initPrologue, respPrologue: Hex?
        let initStatic, initEphemeral, respStatic, respEphemeral: Hex
        let initPsks, respPsks: [Hex]?
        let handshakeHash: Hex?
        let messages: [Message]
    }

    private struct Message: Decodable {
        let payload, ciphertext: Hex
    }

    @Test(arguments: [
        (NoisePattern.xx, vectors: 1, hashes: 1, transportMessages: 3),
        (NoisePattern.xxPSK0, vectors: 2, hashes: 0, transportMessages: 4),
    ])
    func bothSidesReproduceTheVectors(
        pattern: NoisePattern, vectors count: Int, hashes: Int, transportMessages: Int
    ) throws {
        let file = try vectors("Noise_\(pattern.name)_25519_ChaChaPoly_SHA256", as: File.self)
        #expect(file.protocolName == pattern.protocolName)
        #expect(file.vectors.count == count)
        var hashesChecked = 0
        var transportMessagesChecked = 0
        for vector in file.vectors {
            var initiator = handshake(
                pattern, .initiator, vector.initPrologue, vector.initStatic, vector.initEphemeral, vector.initPsks)
            var responder = handshake(
                pattern, .responder, vector.respPrologue, vector.respStatic, vector.respEphemeral, vector.respPsks)
            let handshakeLength = pattern.messages.count
            for (number, message) in vector.messages.prefix(handshakeLength).enumerated() {
                let payload = message.payload.bytes
                if number.isMultiple(of: 2) {
                    #expect(try initiator.writeMessage(payload: payload) == message.ciphertext.bytes)
                    #expect(try responder.readMessage(message.ciphertext.bytes) == payload)
                } else {
                    #expect(try responder.writeMessage(payload: payload) == message.ciphertext.bytes)
                    #expect(try initiator.readMessage(message.ciphertext.bytes) == payload)
                }
                #expect(initiator.handshakeHash == responder.handshakeHash)
            }
            if let hash = vector.handshakeHash {
                #expect(initiator.handshakeHash == hash.bytes)
                hashesChecked += 1
            }
            let (initiatorDone, responderDone) = (initiator.isComplete, responder.isComplete)
            #expect(initiatorDone && responderDone)
            let (initiatorLearned, responderLearned) = (initiator.remoteStatic, responder.remoteStatic)
            #expect(initiatorLearned == keyPair(vector.respStatic).publicKey)
            #expect(responderLearned == keyPair(vector.initStatic).publicKey)

            transportMessagesChecked += try checkTransport(
                vector.messages.dropFirst(handshakeLength), from: initiator.split(), to: responder.split(),
                initiatorBegins: vector.source.hasPrefix("flynn") || handshakeLength.isMultiple(of: 2))
        }
        #expect(hashesChecked == hashes)
        #expect(transportMessagesChecked == transportMessages)
    }

    /// The vectors' transport phase is Noise's own, which Portolan's records replace; it proves the split keys.
    private func checkTransport(
        _ messages: ArraySlice<Message>, from initiator: NoiseSecrets, to responder: NoiseSecrets,
        initiatorBegins: Bool
    ) throws -> Int {
        var initiatorSends = CipherState(key: initiator.initiatorToResponder)
        var responderReads = CipherState(key: responder.initiatorToResponder)
        var responderSends = CipherState(key: responder.responderToInitiator)
        var initiatorReads = CipherState(key: initiator.responderToInitiator)
        for (number, message) in messages.enumerated() {
            let (payload, ciphertext) = (message.payload.bytes, message.ciphertext.bytes)
            if number.isMultiple(of: 2) == initiatorBegins {
                #expect(initiatorSends.encrypt(payload, associatedData: []) == ciphertext)
                #expect(try responderReads.decrypt(ciphertext, associatedData: []) == payload)
            } else {
                #expect(responderSends.encrypt(payload, associatedData: []) == ciphertext)
                #expect(try initiatorReads.decrypt(ciphertext, associatedData: []) == payload)
            }
        }
        return messages.count
    }

    private func handshake(
        _ pattern: NoisePattern, _ role: NoiseRole, _ prologue: Hex?, _ staticKey: Hex, _ ephemeral: Hex, _ psks: [Hex]?
    ) -> NoiseHandshake {
        NoiseHandshake(
            pattern: pattern, role: role, prologue: prologue?.bytes ?? [], staticKey: keyPair(staticKey),
            psk: psks.map { SecretBytes(copying: $0[0].bytes) }, ephemeral: keyPair(ephemeral))
    }

    private func keyPair(_ hex: Hex) -> NoiseKeyPair {
        NoiseKeyPair(privateKey: SecretBytes(copying: hex.bytes))
    }
}
