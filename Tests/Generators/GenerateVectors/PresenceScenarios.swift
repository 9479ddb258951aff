import Crypto
import Foundation

/// Advertisements of hidden devices, sealed here with another implementation of the same algorithms.
func presenceScenarios() throws -> [Scenario] {
    let fingerprint = Array(fixedBytes(0x60).prefix(20))
    let nonce = Array(fixedBytes(0xA0).prefix(16))
    let port: UInt16 = 47217
    let (ours, older, theirs) = (fixedBytes(0x10), fixedBytes(0x20), fixedBytes(0x30))

    /// Makes a seal with the given slots; the others are filled.
    func slots(_ places: [Int: [UInt8]], port: UInt16 = port, nonce: [UInt8] = nonce) throws -> [UInt8] {
        try (0..<7).flatMap { place in
            try places[place].map { try slot(fingerprint, secret: $0, nonce: nonce, port: port) } ?? filler(place)
        }
    }
    func scenario(
        _ name: String, _ comment: String, slots: [UInt8], nonce: [UInt8] = nonce, port: UInt16 = port,
        secrets: [[UInt8]] = [ours, older], recognisedBy secret: Int?
    ) -> Scenario {
        var outcome: [String: Any] = ["stranger": true]
        if let secret { outcome = ["secret": secret, "fingerprint": hex(fingerprint)] }
        return Scenario(
            "presence-" + name, kind: "presence", comment,
            [
                "secrets": secrets.map(hex), "port": Int(port), "n": hex(nonce), "t": hex(slots), "outcome": outcome,
            ])
    }

    let good = try slots([3: ours])
    var tampered = good
    tampered[3 * 36 + 35] ^= 1
    var otherNonce = nonce
    otherNonce[15] ^= 1
    return [
        scenario(
            "member", "A device of one of the reader's teams; six slots are random.", slots: good, recognisedBy: 0),
        scenario(
            "older-secret", "A member that has been away still seals with the secret before.",
            slots: try slots([6: older]), recognisedBy: 1),
        scenario(
            "several-teams", "Both of the reader's teams are there: the first of its secrets that fits counts.",
            slots: try slots([0: older, 1: theirs, 5: ours]), recognisedBy: 0),
        scenario("stranger", "A device of another team.", slots: try slots([2: theirs]), recognisedBy: nil),
        scenario("no-team", "Seven random slots.", slots: try slots([:]), recognisedBy: nil),
        scenario(
            "other-port", "Shown again by somebody else under another port.", slots: good, port: port + 1,
            recognisedBy: nil),
        scenario(
            "other-nonce", "The last bit of the nonce is wrong, which is behind the part that the cipher takes.",
            slots: good, nonce: otherNonce, recognisedBy: nil),
        scenario("tampered", "The last bit of the slot's tag is wrong.", slots: tampered, recognisedBy: nil),
        scenario(
            "truncated", "One byte is missing: not a hidden record.", slots: good.dropLast(), recognisedBy: nil),
        scenario(
            "short-nonce", "The nonce has twelve bytes: not a hidden record.", slots: good,
            nonce: Array(nonce.prefix(12)), recognisedBy: nil),
    ]
}

private func slot(_ fingerprint: [UInt8], secret: [UInt8], nonce: [UInt8], port: UInt16) throws -> [UInt8] {
    let key = HMAC<SHA256>.authenticationCode(
        for: Array("portolan/1 team presence".utf8), using: SymmetricKey(data: secret))
    let sealed = try ChaChaPoly.seal(
        fingerprint, using: SymmetricKey(data: Array(key)), nonce: ChaChaPoly.Nonce(data: nonce.prefix(12)),
        authenticating: nonce + [UInt8(port >> 8), UInt8(port & 0xFF)])
    return Array(sealed.ciphertext + sealed.tag)
}

/// Fixed bytes in place of random ones.
private func filler(_ place: Int) -> [UInt8] {
    Array(SHA256.hash(data: [UInt8(place)])) + [UInt8](repeating: UInt8(place), count: 4)
}
