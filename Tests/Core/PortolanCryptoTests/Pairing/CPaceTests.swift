import TestSupport
import Testing

@testable import PortolanCrypto

/// Inputs of one side of a run; the defaults are equal on both sides.
struct CPaceSide {
    var role = NoiseRole.initiator
    var code = "7-walnut-harbor"
    var channel = Array("ada, bob".utf8)
    var session = [UInt8](repeating: 1, count: 32)
    var associatedData = Array("portolan/1".utf8)
    var scalar: SecretBytes?

    static let initiator = CPaceSide(role: .initiator)
    static let responder = CPaceSide(role: .responder)

    func with<Value>(_ path: WritableKeyPath<CPaceSide, Value>, _ value: Value) -> CPaceSide {
        var side = self
        side[keyPath: path] = value
        return side
    }

    func begin() -> CPace {
        let password = SecretBytes(copying: Array(code.utf8))
        return if let scalar {
            CPace(
                role: role, password: password, channel: channel, session: session, associatedData: associatedData,
                scalar: scalar)
        } else {
            CPace(
                role: role, password: password, channel: channel, session: session, associatedData: associatedData)
        }
    }

    /// Keys of two sides that receive each other's messages.
    static func keys(_ one: CPaceSide, _ other: CPaceSide) throws(CPaceError) -> (SecretBytes, SecretBytes) {
        let here = one.begin()
        let there = other.begin()
        let (said, heard) = (here.message, there.message)
        return (try here.preSharedKey(with: heard), try there.preSharedKey(with: said))
    }
}

@Suite struct CPaceTests {
    @Test func equalCodesGiveOneKeyPerRun() throws {
        var keys: [SecretBytes] = []
        for _ in 0..<4 {
            let (one, other) = try CPaceSide.keys(.initiator, .responder)
            #expect(one == other)
            #expect(one.count == ChaChaPoly.keyLength)
            #expect(!keys.contains(one))
            keys.append(one)
        }
    }

    @Test(
        arguments: [
            CPaceSide.responder.with(\.code, "7-walnut-horizon"),
            CPaceSide.responder.with(\.code, "8-walnut-harbor"),
            CPaceSide.responder.with(\.code, ""),
            CPaceSide.responder.with(\.channel, Array("bob, ada".utf8)),
            CPaceSide.responder.with(\.channel, []),
            CPaceSide.responder.with(\.session, [UInt8](repeating: 2, count: 32)),
            CPaceSide.responder.with(\.session, []),
            CPaceSide.responder.with(\.role, .initiator),
        ])
    func aDifferenceGivesTwoKeysAndNoError(responder: CPaceSide) throws {
        let (one, other) = try CPaceSide.keys(.initiator, responder)
        #expect(one != other)
    }

    @Test func inputsAreSeparated() throws {
        let one = CPaceSide.initiator.with(\.channel, [1, 2]).with(\.session, [3])
        let other = CPaceSide.responder.with(\.channel, [1]).with(\.session, [2, 3])
        let (here, there) = try CPaceSide.keys(one, other)
        #expect(here != there)
    }

    @Test(arguments: [NoiseRole.initiator, .responder])
    func changedAssociatedDataGivesTwoKeys(changed: NoiseRole) throws {
        let initiator = CPaceSide.initiator.begin()
        let responder = CPaceSide.responder.begin()
        func onItsWay(_ message: CPaceMessage, from role: NoiseRole) -> CPaceMessage {
            role == changed
                ? CPaceMessage(share: message.share, associatedData: message.associatedData + [0]) : message
        }
        let toResponder = onItsWay(initiator.message, from: .initiator)
        let toInitiator = onItsWay(responder.message, from: .responder)
        let (one, other) = (
            try initiator.preSharedKey(with: toInitiator), try responder.preSharedKey(with: toResponder)
        )
        #expect(one != other)
    }

    @Test func differentAssociatedDataGivesOneKey() throws {
        let (one, other) = try CPaceSide.keys(
            .initiator.with(\.associatedData, []),
            .responder.with(\.associatedData, [UInt8](repeating: 3, count: CPace.maximumAssociatedDataLength)))
        #expect(one == other)
    }

    @Test func aCodeLongerThanABlockOfTheHashIsACodeToo() throws {
        let long = String(repeating: "a", count: 300)
        let (one, other) = try CPaceSide.keys(.initiator.with(\.code, long), .responder.with(\.code, long))
        #expect(one == other)
        let (here, there) = try CPaceSide.keys(.initiator.with(\.code, long), .responder.with(\.code, long + "a"))
        #expect(here != there)
    }

    @Test(arguments: [NoiseRole.initiator, .responder], [Array("portolan/1".utf8), [9]])
    func reflectedMessageIsRefused(role: NoiseRole, associatedData: [UInt8]) {
        var generator = SeededGenerator(seed: 2)
        let side = CPaceSide(role: role, scalar: scalar(&generator))
        let message = CPaceMessage(share: side.begin().message.share, associatedData: associatedData)
        #expect(throws: CPaceError.reflectedShare) { try side.begin().preSharedKey(with: message) }
    }

    @Test(arguments: [0, 1, 31, 33, 64, 100_000])
    func shareOfWrongLengthIsRefused(length: Int) {
        let message = CPaceMessage(share: [UInt8](repeating: 8, count: length), associatedData: [])
        #expect(throws: CPaceError.wrongShareLength(length)) {
            try CPaceSide.responder.begin().preSharedKey(with: message)
        }
    }

    @Test func moreAssociatedDataThanAllowedIsRefused() {
        let length = CPace.maximumAssociatedDataLength + 1
        let message = CPaceMessage(
            share: CPaceSide.initiator.begin().message.share, associatedData: [UInt8](repeating: 0, count: length))
        #expect(throws: CPaceError.associatedDataTooLong(length)) {
            try CPaceSide.responder.begin().preSharedKey(with: message)
        }
    }

    /// The rules of RFC 9496 section 4.3.1: a field element in its one form, not negative, and on the curve.
    @Test(arguments: [
        // The identity element.
        [UInt8](repeating: 0, count: 32),
        // Field elements that are not below p = 2^255 - 19: p, p + 1, 2^255 - 1, 2^256 - 1.
        [0xed] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
        [0xee] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
        [UInt8](repeating: 0xff, count: 31) + [0x7f],
        [UInt8](repeating: 0xff, count: 32),
        // The identity element with the unused bit set.
        [UInt8](repeating: 0, count: 31) + [0x80],
        // Negative: 1 and p - 2.
        [1] + [UInt8](repeating: 0, count: 31),
        [0xeb] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
    ])
    func invalidElementIsRefusedByBothSides(share: [UInt8]) {
        for role in [NoiseRole.initiator, .responder] {
            #expect(throws: CPaceError.invalidShare) {
                try CPaceSide(role: role).begin().preSharedKey(
                    with: CPaceMessage(share: share, associatedData: []))
            }
        }
    }

    @Test func damagedSharesAreRefusedOrGiveAnotherKey() {
        var refused = 0
        var accepted = 0
        for seed in UInt64(0)..<800 {
            var generator = SeededGenerator(seed: seed)
            let initiator = CPaceSide.initiator.with(\.scalar, scalar(&generator)).begin()
            let responder = CPaceSide.responder.with(\.scalar, scalar(&generator)).begin()
            let sent = initiator.message
            let injured = CPaceMessage(
                share: generator.mutated(sent.share), associatedData: generator.mutated(sent.associatedData))
            guard injured != sent else { continue }
            let answer = responder.message
            do throws(CPaceError) {
                let key = try responder.preSharedKey(with: injured)
                #expect(try initiator.preSharedKey(with: answer) != key, "seed \(seed)")
                accepted += 1
            } catch {
                refused += 1
            }
        }
        // About one in 16 strings of 32 bytes encodes an element; other changes leave the share valid.
        #expect(refused > 500 && accepted > 10)
    }

    @Test func knownScalarReproducesTheRun() {
        var generator = SeededGenerator(seed: 1)
        let side = CPaceSide.initiator.with(\.scalar, scalar(&generator))
        let (one, other) = (side.begin().message, side.begin().message)
        #expect(one == other)
        let (fresh, another) = (CPaceSide.initiator.begin().message, CPaceSide.initiator.begin().message)
        #expect(fresh != another)
    }

    @Test func everyErrorIsASentence() {
        let errors: [CPaceError] = [
            .wrongShareLength(3), .invalidShare, .reflectedShare, .associatedDataTooLong(5000),
        ]
        for error in errors { #expect("\(error)".hasSuffix(".")) }
        #expect("\(errors[0])".contains("3 bytes where 32"))
    }

    @Test func sayingMoreThanAllowedTraps() async {
        await #expect(processExitsWith: .failure) {
            let tooLong = [UInt8](repeating: 0, count: CPace.maximumAssociatedDataLength + 1)
            _ = CPaceSide.initiator.with(\.associatedData, tooLong).begin()
        }
    }

    /// Below 2^252, so surely below the group's order, and not zero.
    private func scalar(_ generator: inout SeededGenerator) -> SecretBytes {
        var bytes = generator.bytes(Ristretto255.scalarLength)
        bytes[0] |= 1
        bytes[31] &= 0x0f
        return SecretBytes(copying: bytes)
    }
}
