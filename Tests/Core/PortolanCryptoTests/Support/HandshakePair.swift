@testable import PortolanCrypto

/// Two sides of one handshake with fixed keys, so that every run has the same messages.
struct HandshakePair: ~Copyable {
    static let psk = SecretBytes(copying: [UInt8](repeating: 5, count: 32))
    static let payloads: [[UInt8]] = [[], Array("a responder's payload".utf8), Array("an initiator's payload".utf8)]

    var initiator: NoiseHandshake
    var responder: NoiseHandshake

    init(
        _ pattern: NoisePattern, prologues: ([UInt8], [UInt8]) = ([1, 2, 3], [1, 2, 3]),
        responderPSK: SecretBytes = psk
    ) {
        initiator = NoiseHandshake(
            pattern: pattern, role: .initiator, prologue: prologues.0, staticKey: Self.key(1),
            psk: pattern.needsPSK ? Self.psk : nil, ephemeral: Self.key(2))
        responder = NoiseHandshake(
            pattern: pattern, role: .responder, prologue: prologues.1, staticKey: Self.key(3),
            psk: pattern.needsPSK ? responderPSK : nil, ephemeral: Self.key(4))
    }

    /// Delivers the first `count` messages and returns the next one, undelivered.
    mutating func message(after count: Int) throws -> [UInt8] {
        for number in 0..<count { _ = try deliver(try write(number), number) }
        return try write(count)
    }

    mutating func write(_ number: Int) throws -> [UInt8] {
        let payload = Self.payloads[number]
        return number.isMultiple(of: 2)
            ? try initiator.writeMessage(payload: payload) : try responder.writeMessage(payload: payload)
    }

    /// Delivers a message to the side that must read next.
    mutating func deliver(_ message: [UInt8], _ number: Int) throws -> [UInt8] {
        number.isMultiple(of: 2) ? try responder.readMessage(message) : try initiator.readMessage(message)
    }

    static func key(_ byte: UInt8) -> NoiseKeyPair {
        NoiseKeyPair(privateKey: SecretBytes(copying: [UInt8](repeating: byte, count: 32)))
    }
}
