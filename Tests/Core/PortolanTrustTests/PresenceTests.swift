import PortolanCrypto
import PortolanTrust
import PortolanValues
import TestSupport
import Testing

@Suite(.aside) struct PresenceTests {
    private var random = SeededGenerator(seed: .random(in: .min ... .max))
    private let device = Self.fingerprint(1)
    private let port: UInt16 = 47217

    private static func fingerprint(_ number: UInt8) -> Fingerprint {
        Fingerprint(bytes: Array(repeating: number, count: Fingerprint.length))!
    }

    private static func team(_ number: UInt8) -> TeamID {
        TeamID(bytes: Array(repeating: number, count: 16))!
    }

    private static func secret(_ number: UInt8) -> SecretBytes {
        SecretBytes(copying: Array(repeating: number, count: 32))
    }

    /// Returns a recogniser for these teams; the secret of each is derived from its number.
    private static func recogniser(_ teams: UInt8...) -> PresenceRecogniser {
        PresenceRecogniser(teams.map { .init(team: team($0), secret: secret($0), generation: 0) })
    }

    @Test mutating func memberRecognisesTheDeviceAndItsPlace() throws {
        let seal = PresenceSeal(of: device, port: port, for: [Self.secret(1), Self.secret(2)], using: &random)
        let match = try #require(Self.recogniser(9, 2).recognise(seal, port: port))
        #expect(match.fingerprint == device)
        #expect(
            match.access
                == PresenceAccess(team: Self.team(2), generation: 0, nonce: seal.nonce, secret: Self.secret(2)))
    }

    @Test mutating func strangersAndOtherTeamsRecogniseNothing() {
        let seal = PresenceSeal(of: device, port: port, for: [Self.secret(1)], using: &random)
        #expect(Self.recogniser().recognise(seal, port: port) == nil)
        #expect(Self.recogniser(2, 3, 4).recognise(seal, port: port) == nil)
    }

    @Test mutating func firstMatchingSecretCounts() {
        let seal = PresenceSeal(
            of: device, port: port, for: [Self.secret(1), Self.secret(2), Self.secret(3)], using: &random)
        #expect(Self.recogniser(3, 1, 2).recognise(seal, port: port)?.access.team == Self.team(3))
    }

    @Test mutating func memberWithAnOlderSecretIsRecognised() throws {
        let seal = PresenceSeal(of: device, port: port, for: [Self.secret(1)], using: &random)
        let recogniser = PresenceRecogniser([
            .init(team: Self.team(5), secret: Self.secret(2), generation: 0),
            .init(team: Self.team(5), secret: Self.secret(1), generation: 1),
        ])
        let access = try #require(recogniser.recognise(seal, port: port)).access
        #expect(access.generation == 1 && access.secret == Self.secret(1) && access.team == Self.team(5))
    }

    @Test mutating func sealIsBoundToPortAndNonce() throws {
        let seal = PresenceSeal(of: device, port: port, for: [Self.secret(1)], using: &random)
        let recogniser = Self.recogniser(1)
        for other in [0, 1, port ^ 1, port ^ 0x100, .max] { #expect(recogniser.recognise(seal, port: other) == nil) }
        for index in seal.nonce.indices {
            var nonce = seal.nonce
            nonce[index] ^= 1
            let moved = try #require(PresenceSeal(nonce: nonce, slots: seal.slots))
            #expect(recogniser.recognise(moved, port: port) == nil, "byte \(index) of the nonce")
        }
    }

    @Test mutating func changedBitInvalidatesASlot() throws {
        let teams = (1...UInt8(PresenceSeal.slotCount)).map(Self.secret)
        let seal = PresenceSeal(of: device, port: port, for: teams, using: &random)
        var slots = seal.slots
        for slot in 0..<PresenceSeal.slotCount {
            let byte = slot * PresenceSeal.slotLength + Int.random(in: 0..<PresenceSeal.slotLength, using: &random)
            slots[byte] ^= 1 << UInt8.random(in: 0...7, using: &random)
        }
        let broken = try #require(PresenceSeal(nonce: seal.nonce, slots: slots))
        #expect(Self.recogniser(1, 2, 3, 4, 5, 6, 7).recognise(broken, port: port) == nil, "seed \(random.seed)")
    }

    @Test mutating func sealsHaveOneSizeAndAreUnlinkable() {
        var seen: Set<[UInt8]> = []
        for count in 0...PresenceSeal.slotCount {
            let secrets = (0..<UInt8(count)).map(Self.secret)
            for _ in 1...20 {
                let seal = PresenceSeal(of: device, port: port, for: secrets, using: &random)
                #expect(seal.nonce.count == 16 && seal.slots.count == 252)
                seen.insert(seal.nonce)
                for start in stride(from: 0, to: 252, by: 36) { seen.insert(Array(seal.slots[start..<start + 36])) }
            }
        }
        #expect(seen.count == 8 * 20 * 8, "seed \(random.seed)")
    }

    @Test mutating func theSlotOfATeamIsAnywhere() {
        let recogniser = Self.recogniser(1)
        var places: Set<Int> = []
        for _ in 1...500 {
            let seal = PresenceSeal(of: device, port: port, for: [Self.secret(1)], using: &random)
            let blank = [UInt8](repeating: 0, count: PresenceSeal.slotLength)
            for slot in 0..<PresenceSeal.slotCount {
                var slots = seal.slots
                slots.replaceSubrange(slot * 36..<(slot + 1) * 36, with: blank)
                let without = PresenceSeal(nonce: seal.nonce, slots: slots)
                if without.flatMap({ recogniser.recognise($0, port: port) }) == nil { places.insert(slot) }
            }
        }
        #expect(places == Set(0..<PresenceSeal.slotCount), "seed \(random.seed)")
    }

    @Test mutating func moreThanSevenTeamsNeedSeveralSeals() {
        for (teams, seals) in [(0, 1), (1, 1), (7, 1), (8, 2), (14, 2), (16, 3)] {
            let secrets = (0..<UInt8(teams)).map(Self.secret)
            let made = PresenceSeal.seals(of: device, port: port, for: secrets, using: &random)
            #expect(made.count == seals && Set(made.map(\.nonce)).count == 1)
            for team in 0..<UInt8(teams) {
                #expect(made.count { Self.recogniser(team).recognise($0, port: port)?.fingerprint == device } == 1)
            }
        }
    }

    @Test func valuesOfAnyOtherLengthAreNoSeal() {
        for nonce in 0...40 {
            for slots in [0, 1, 35, 36, 216, 251, 252, 253, 288] {
                let seal = PresenceSeal(
                    nonce: Array(repeating: 0, count: nonce), slots: Array(repeating: 0, count: slots))
                #expect((seal != nil) == (nonce == 16 && slots == 252))
            }
        }
        for slots in 0...400 {
            let seal = PresenceSeal(
                nonce: Array(repeating: 0, count: 16), slots: Array(repeating: 0, count: slots))
            #expect((seal != nil) == (slots == 252))
        }
    }

    @Test mutating func secretsBeyondTheLimitAreNotTried() {
        let seal = PresenceSeal(of: device, port: port, for: [Self.secret(1)], using: &random)
        func recogniser(fittingAt place: Int) -> PresenceRecogniser {
            PresenceRecogniser(
                (0..<1000).map {
                    .init(team: Self.team(1), secret: Self.secret($0 == place ? 1 : 2), generation: $0)
                })
        }
        #expect(recogniser(fittingAt: PresenceRecogniser.maximumSecrets - 1).recognise(seal, port: port) != nil)
        #expect(recogniser(fittingAt: PresenceRecogniser.maximumSecrets).recognise(seal, port: port) == nil)
    }

    /// A thousand hidden devices near a device that is in one team, and some near a device that is in sixteen teams and
    /// keeps eight older secrets of each.
    @Test mutating func costOfAFullNetworkIsBounded() {
        let secrets = (0..<1000).map { number in
            PresenceRecogniser.TeamSecret(
                team: Self.team(UInt8(number / 63)), secret: Self.secret(UInt8(number % 200)), generation: number % 9)
        }
        let busy = PresenceRecogniser(Array(secrets.prefix(144)))
        let strangers = (0..<1000).map { _ in
            PresenceSeal(of: device, port: port, for: [Self.secret(255)], using: &random)
        }
        func measure(_ recogniser: PresenceRecogniser, secrets: Int, _ count: Int) {
            let time = ContinuousClock().measure {
                for seal in strangers.prefix(count) { #expect(recogniser.recognise(seal, port: port) == nil) }
            }
            print("measured: \(count) seals of strangers, \(7 * secrets) openings each: \(time)")
        }
        measure(Self.recogniser(1), secrets: 1, 1000)
        measure(busy, secrets: 144, 50)
    }

    @Test func aHashOfAnAccessDoesNotDependOnTheSecret() {
        func access(_ secret: UInt8) -> PresenceAccess {
            PresenceAccess(team: Self.team(1), generation: 0, nonce: [1], secret: Self.secret(secret))
        }
        #expect(access(1) != access(2) && access(1) == access(1))
        #expect(access(1).hashValue == access(2).hashValue)
    }
}
