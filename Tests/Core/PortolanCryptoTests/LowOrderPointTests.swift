import Testing

@testable import PortolanCrypto

/// Public keys that give a shared secret of zero for every private key.
@Suite struct LowOrderPointTests {
    /// The points of order 1, 2, 4 and 8 on the curve and its twist, in every encoding, as RFC 7748 section 6.1 and
    /// libsodium's own list have them.
    static let points: [Hex] = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    ]

    @Test(arguments: points.map(\.bytes))
    func areRefusedAsAnyKey(point: [UInt8]) {
        let key = NoisePublicKey(bytes: point)
        #expect(throws: NoiseError.lowOrderPoint) { try HandshakePair.key(1).sharedSecret(with: key) }
    }

    @Test(arguments: points.map(\.bytes))
    func inTheFirstMessageStopTheAnswer(point: [UInt8]) throws {
        var pair = HandshakePair(.xx)
        _ = try pair.responder.readMessage(point)
        #expect(throws: NoiseError.lowOrderPoint) { try pair.responder.writeMessage(payload: []) }
        #expect(throws: NoiseError.alreadyFailed) { try pair.responder.writeMessage(payload: []) }
    }

    @Test(arguments: points.map(\.bytes))
    func inTheSecondMessageStopTheInitiator(point: [UInt8]) throws {
        var pair = HandshakePair(.xx)
        let message = try pair.message(after: 1)
        #expect(throws: NoiseError.lowOrderPoint) {
            try pair.initiator.readMessage(point + message.dropFirst(32))
        }
    }
}
