import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import PortolanValues
import Synchronization
import TestSupport
import Testing

/// Handshakes with a device that only members of its teams can find: XXpsk0 under the team's secret.
@Suite(.aside) struct TeamHandshakeTests {
    private static let nonce = [UInt8](repeating: 0xA0, count: 16)
    private static let nextNonce = [UInt8](repeating: 0xB0, count: 16)

    private static func secret(_ number: Int) -> SecretBytes {
        SecretBytes(copying: (0..<32).map { UInt8(truncatingIfNeeded: $0 + number * 7) })
    }

    /// The door of a device in these teams that advertises `nonce`.
    private static func door(_ numbers: [Int] = [1], allowsOpen: Bool = false) -> Door {
        let nonces = AdvertisedNonces { numbers.map(secret) }
        nonces.rotate(to: nonce)
        return Door(allowsOpen: allowsOpen, teams: nonces)
    }

    private static func member(of number: Int = 1, nonce: [UInt8] = nonce) -> Opening {
        .team(secret: secret(number), nonce: nonce)
    }

    @Test(arguments: [false, true]) func membersMeet(dripping: Bool) throws {
        let (one, two) = try (HandshakeEnd(Self.member()), HandshakeEnd(behind: Self.door()))
        HandshakeEnd.converse(one, two) { dripping ? $1.map { [$0] } : [$1] }
        try HandshakeTests.expectConnected(one.outcome, two.outcome)
        #expect(one.outcome.peer?.name.text == "Bob" && two.outcome.peer?.name.text == "Ada")
        #expect(one.outcome.opening == .team && two.outcome.opening == .team)
        #expect(!one.hasTriedCode)
    }

    @Test(arguments: [1, 9, 16]) func anyOfSeveralTeamsWillDo(number: Int) throws {
        let (one, two) = try (
            HandshakeEnd(Self.member(of: number)), HandshakeEnd(behind: Self.door(Array(1...16)))
        )
        HandshakeEnd.converse(one, two)
        try HandshakeTests.expectConnected(one.outcome, two.outcome)
    }

    @Test func noMoreSecretsAreTriedThanTheLimit() throws {
        let (one, two) = try (HandshakeEnd(Self.member(of: 17)), HandshakeEnd(behind: Self.door(Array(1...17))))
        HandshakeEnd.converse(one, two)
        #expect(two.error?.kind == .forged && !one.isEstablished)
    }

    @Test func aDeviceMayTalkToEveryoneAndToMembers() throws {
        for opening in [Opening.open, Self.member()] {
            let (one, two) = try (HandshakeEnd(opening), HandshakeEnd(behind: Self.door(allowsOpen: true)))
            HandshakeEnd.converse(one, two)
            #expect(one.isEstablished && two.outcome.opening == opening.kind)
        }
    }

    // MARK: Strangers

    @Test func strangerGetsNoAnswerFromAHiddenDevice() throws {
        let noise = [UInt8](repeating: 9, count: 48)
        let call = [1] + Self.nonce
        let probes: [(String, [UInt8])] = [
            ("an open handshake", preface(pattern: 1) + frame(Array(noise.prefix(32)))),
            ("another version", Array("PORTOLAN".utf8) + [2, 1, 0, 0]),
            ("version 0", Array("PORTOLAN".utf8) + [0, 1, 1, 0]),
            ("another pattern", preface(pattern: 3)),
            ("a web browser", Array("GET / HTTP/1.1\r\n\r\n".utf8)),
            ("the right nonce", preface(extra: call) + frame(noise)),
            ("a wrong nonce", preface(extra: [1] + Self.nextNonce) + frame(noise)),
            ("no message", preface(extra: call) + [0, 0]),
            ("a long frame", preface(extra: call) + [0x10, 0x01]),
            ("the longest frame", preface(extra: call) + frame([UInt8](repeating: 0, count: 4096))),
            ("a low-order point", preface(extra: call) + frame([UInt8](repeating: 0, count: 48))),
            ("a code", preface(extra: [2] + Self.nonce)),
            ("a code for joining", preface(extra: [3] + Self.nonce)),
        ]
        for (what, bytes) in probes {
            for dripping in [false, true] {
                let end = try HandshakeEnd(behind: Self.door())
                let said = (dripping ? bytes.map { [$0] } : [bytes]).flatMap { end.hear($0) }
                #expect(said.isEmpty, "\(what)")
                #expect(end.error != nil, "\(what) is over at once")
            }
        }
    }

    @Test func validityOfANonceIsNotRevealedWithoutASecret() throws {
        for nonce in [Self.nonce, Self.nextNonce] {
            let end = try HandshakeEnd(behind: Self.door())
            end.hear(preface(extra: [1] + nonce) + [0, 48] + [UInt8](repeating: 1, count: 47))
            #expect(end.error == nil, "It waits for the whole message either way")
            end.hear([1])
            #expect(end.error != nil)
        }
        let noTeams = try HandshakeEnd(behind: Door(allowsOpen: false))
        noTeams.hear(preface(extra: [1] + Self.nonce) + [0, 48] + [UInt8](repeating: 1, count: 47))
        #expect(noTeams.error == nil)
    }

    @Test func memberOfAnotherTeamIsAStranger() throws {
        let (one, two) = try (HandshakeEnd(Self.member(of: 2)), HandshakeEnd(behind: Self.door()))
        let flights = HandshakeEnd.converse(one, two)
        #expect(flights.count == 1, "Nothing was answered")
        #expect(one.error?.kind == .notAdmitted)
        #expect(two.error?.kind == .forged)
    }

    @Test func messageLengthsRevealNothing() throws {
        var lengths: Set<[Int]> = []
        for name in ["B", String(repeating: "b", count: 21), String(repeating: "b", count: 63)] {
            for suites in [RecordSuite.allCases, [.chacha20poly1305]] {
                var one = SessionHandshake(
                    opening: Self.member(), identity: try device(name, 1), suites: suites, noiseKey: .generate())
                var two = SessionHandshake(
                    door: Self.door(), identity: try device(name, 2), suites: suites, noiseKey: .generate())
                var (first, second) = (Outcome(), Outcome())
                try one.perform(one.start(), into: &first)
                _ = two.start()
                let call = first.sent
                try two.perform(two.receive(call), into: &second)
                first.sent = []
                try one.perform(one.receive(second.sent), into: &first)
                lengths.insert([call.count, second.sent.count, first.sent.count])
            }
        }
        #expect(lengths == [[12 + 17 + 2 + 48, 2 + 32 + 48 + 336, 2 + 48 + 336]])
    }

    // MARK: Replays

    @Test func aMembersFirstMessageIsAnsweredOnce() throws {
        let door = Self.door()
        let call = try HandshakeEnd(Self.member()).start()
        #expect(!(try HandshakeEnd(behind: door).hear(call).isEmpty))
        for _ in 0..<3 {
            let end = try HandshakeEnd(behind: door)
            #expect(end.hear(call).isEmpty)
            #expect(end.error?.kind == .forged)
        }
        door.teams?.rotate(to: Self.nextNonce)
        #expect(try HandshakeEnd(behind: door).hear(call).isEmpty, "Nor while the nonce is the one before")
    }

    @Test func aReplayUnderALaterNonceIsForged() throws {
        let door = Self.door()
        var call = try HandshakeEnd(Self.member()).start()
        door.teams?.rotate(to: Self.nextNonce)
        call.replaceSubrange(13..<29, with: Self.nextNonce)
        let end = try HandshakeEnd(behind: door)
        #expect(end.hear(call).isEmpty)
        #expect(end.error?.kind == .forged)
    }

    @Test func previousNonceIsValidAndEarlierOnesAreNot() throws {
        let door = Self.door()
        func succeeds(_ nonce: [UInt8]) throws -> Bool {
            let (one, two) = try (HandshakeEnd(Self.member(nonce: nonce)), HandshakeEnd(behind: door))
            HandshakeEnd.converse(one, two)
            return two.isEstablished
        }
        door.teams?.rotate(to: Self.nextNonce)
        #expect(try succeeds(Self.nonce) && succeeds(Self.nextNonce))
        door.teams?.rotate(to: [UInt8](repeating: 0xC0, count: 16))
        #expect(try !succeeds(Self.nonce) && succeeds(Self.nextNonce))
        door.teams?.withdraw()
        #expect(try !succeeds(Self.nextNonce))
    }

    @Test func newSecretIsUsedAtOnce() throws {
        let number = Mutex(1)
        let nonces = AdvertisedNonces { [Self.secret(number.withLock { $0 })] }
        nonces.rotate(to: Self.nonce)
        let door = Door(allowsOpen: false, teams: nonces)
        // The connection is open already when the secret changes.
        let (old, end) = try (HandshakeEnd(Self.member(of: 1)).start(), HandshakeEnd(behind: door))
        end.hear(Array(old.dropLast()))
        number.withLock { $0 = 2 }
        #expect(end.hear(Array(old.suffix(1))).isEmpty && end.error?.kind == .forged)
        let (one, two) = try (HandshakeEnd(Self.member(of: 2)), HandshakeEnd(behind: door))
        HandshakeEnd.converse(one, two)
        #expect(two.isEstablished)
    }

    @Test func nonceWithManyMessagesIsRetired() throws {
        let door = Self.door()
        let nonces = try #require(door.teams)
        let exhaustions = Mutex(0)
        nonces.onExhaustion { exhaustions.withLock { $0 += 1 } }
        for number in 0..<AdvertisedNonces.capacity {
            let ephemeral = (0..<32).map { UInt8(truncatingIfNeeded: $0 < 2 ? number >> (8 * $0) : 0) }
            guard exhaustions.withLock(\.self) == 0, nonces.admit(ephemeral, under: Self.nonce) else {
                throw VectorError("Message \(number) was not admitted")
            }
        }
        #expect(exhaustions.withLock(\.self) == 1)
        let last = try HandshakeEnd(Self.member()).start()
        #expect(try HandshakeEnd(behind: door).hear(last).isEmpty)
        nonces.rotate(to: Self.nextNonce)
        let (one, two) = try (HandshakeEnd(Self.member(nonce: Self.nextNonce)), HandshakeEnd(behind: door))
        HandshakeEnd.converse(one, two)
        #expect(two.isEstablished)
    }

    // MARK: In between

    @Test func noBitOfTheOpeningCanBeChanged() throws {
        let door = Self.door(allowsOpen: true)
        for bit in 0..<(8 * (12 + 17 + 2 + 48)) {
            let (one, two) = try (HandshakeEnd(Self.member()), HandshakeEnd(behind: door))
            HandshakeEnd.converse(one, two) { flight, bytes in
                guard flight == 0 else { return [bytes] }
                var changed = bytes
                changed[bit / 8] ^= 1 << (bit % 8)
                return [changed]
            }
            #expect(!one.isEstablished && !two.isEstablished, "bit \(bit)")
        }
    }

    @Test func memberRefusesADowngradeToAnOpenHandshake() throws {
        // Both sides would accept an open handshake; the initiator asked for the team's.
        let (one, two) = try (HandshakeEnd(Self.member()), HandshakeEnd(behind: Self.door(allowsOpen: true)))
        HandshakeEnd.converse(one, two) { flight, bytes in
            flight == 0 ? [preface(pattern: 1) + frame(Array(bytes[31..<63]))] : [bytes]
        }
        #expect(!one.isEstablished && one.outcome.peer == nil)
        #expect(one.error?.kind == .forged)
    }

    @Test func relayReadsNothing() throws {
        let (one, two) = try (HandshakeEnd(Self.member()), HandshakeEnd(behind: Self.door()))
        let flights = HandshakeEnd.converse(one, two)
        try HandshakeTests.expectConnected(one.outcome, two.outcome)
        for identity in [try device("Ada", 1), try device("Bob", 2)] {
            for flight in flights {
                #expect(!flight.contains(sequence: identity.publicKey.bytes))
                #expect(!flight.contains(sequence: Array(identity.name.text.utf8)))
            }
        }
    }
}

extension [UInt8] {
    func contains(sequence: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: sequence) }
    }
}
