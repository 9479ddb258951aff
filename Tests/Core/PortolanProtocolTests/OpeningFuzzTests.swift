import PortolanCrypto
import PortolanProtocol
import TestSupport
import Testing

/// Openings of every value, and handshakes that are damaged everywhere: they end with errors or without an answer,
/// never with a trap, a session or a reply.
@Suite(.aside) struct OpeningFuzzTests {
    private static let nonce = [UInt8](repeating: 0xA0, count: 16)
    private static let secret = SecretBytes(copying: [UInt8](repeating: 0x5E, count: 32))

    private static func door(allowsOpen: Bool = false) throws -> Door {
        let nonces = AdvertisedNonces { [secret] }
        nonces.rotate(to: nonce)
        return Door(allowsOpen: allowsOpen, teams: nonces, gate: try PairingHandshakeTests.gate())
    }

    private static func openings() throws -> [Opening] {
        [
            .open, .team(secret: secret, nonce: nonce), .code(try PairingCode("7-walnut-harbor"), .pairing),
            .code(try PairingCode("7-harbor-walnut"), .pairing),
        ]
    }

    @Test func openingCallOfWrongLengthIsRefused() throws {
        let lengths = Set(0...256).union((0...255).map { $0 << 8 }).union((0...255).map { $0 << 8 | 17 })
        for length in lengths.sorted() {
            for (pattern, right) in [(UInt8(1), 0), (2, 17)] {
                let end = try HandshakeEnd(behind: Self.door(allowsOpen: true))
                let said = end.hear(Array("PORTOLAN".utf8) + [1, pattern, UInt8(length >> 8), UInt8(length & 255)])
                #expect(said.isEmpty)
                #expect(end.error?.kind.violationKind == (length == right ? nil : .malformed), "\(pattern), \(length)")
            }
        }
    }

    @Test func onlyTheKnownPatternsAndPurposesAreTaken() throws {
        for value in UInt8.min ... .max {
            let pattern = try HandshakeEnd(behind: Self.door(allowsOpen: true))
            #expect(pattern.hear(Array("PORTOLAN".utf8) + [1, value, 0, value == 2 ? 17 : 0]).isEmpty)
            #expect(pattern.error?.kind.violationKind == ([1, 2].contains(value) ? nil : .malformed))

            let purpose = try HandshakeEnd(behind: Self.door(allowsOpen: true))
            let said = purpose.hear(preface(extra: [value] + Self.nonce))
            #expect(said.isEmpty == (value != 2), "\(value): only the code that is waited with is answered")
            if ![1, 2, 3].contains(value) { #expect(purpose.error?.kind.violationKind == .malformed) }
        }
    }

    @Test func hiddenDeviceSendsNoVersionRefusal() throws {
        for version in UInt8.min ... .max where version != Preface.version {
            for allowsOpen in [false, true] {
                let end = try HandshakeEnd(behind: Self.door(allowsOpen: allowsOpen))
                let said = end.hear(Array("PORTOLAN".utf8) + [version, 2, 0, 17])
                #expect(said == (allowsOpen ? Preface.refusal : []))
                #expect(end.error?.kind == .versionUnknown(version))
            }
        }
    }

    @Test(arguments: [0xF0_0001, 0xF0_0002, 0xF0_0003] as [UInt64])
    func damagedHandshakesEndInErrorsOrNotAtAll(seed: UInt64) {
        withSeed(seed) { random in
            for _ in 0..<60 {
                let opening = try Self.openings()[random.below(4)]
                let target = random.below(5)
                var (wasChanged, damage) = (false, [UInt8]())
                let (one, two) = try (HandshakeEnd(opening), HandshakeEnd(behind: Self.door(allowsOpen: true)))
                let flights = HandshakeEnd.converse(one, two) { flight, bytes in
                    guard flight == target else { return [bytes] }
                    damage = bytes.mutated(&random)
                    // Bytes behind the last flight are records, which the handshake does not check.
                    wasChanged = !damage.starts(with: bytes)
                    let cut = random.below(damage.count + 1)
                    return [Array(damage[..<cut]), Array(damage[cut...])]
                }
                if wasChanged, one.isEstablished && two.isEstablished {
                    throw VectorError("\(opening) was established with \(damage) in flight \(target)")
                }
                guard flights.count <= 5 else { throw VectorError("\(flights.count) flights") }
            }
        }
    }

    @Test(arguments: [0xF1_0001, 0xF1_0002] as [UInt64])
    func randomBytesGetNoAnswer(seed: UInt64) {
        withSeed(seed) { random in
            for _ in 0..<150 {
                // The input begins with valid messages, as far as a stranger may get, and continues with arbitrary
                // bytes.
                let two = try HandshakeEnd(behind: Self.door())
                let beginnings = [
                    [], preface(pattern: 1), preface(extra: [1] + Self.nonce), preface(extra: [2] + Self.nonce),
                    preface(extra: [2] + Self.nonce) + frame(PairingInterferenceTests.element),
                ]
                two.hear(beginnings[random.below(beginnings.count)])
                for _ in 0..<(1 + random.below(4)) {
                    let length = random.chance(2) ? random.below(80) : random.below(5000)
                    let noise = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
                    let said = two.hear(random.chance(2) ? frame(noise) : noise)
                    if !said.isEmpty { throw VectorError("\(said.count) bytes were answered") }
                }
                if two.isEstablished { throw VectorError("A session with noise") }

                let one = try HandshakeEnd(Self.openings()[random.below(4)])
                _ = one.start()
                for _ in 0..<4 {
                    let noise = (0..<random.below(120)).map { _ in UInt8.random(in: 0...255, using: &random) }
                    one.hear(random.chance(2) ? frame(noise) : noise)
                }
                if one.isEstablished || one.outcome.peer != nil { throw VectorError("A peer made of noise") }
            }
        }
    }
}
