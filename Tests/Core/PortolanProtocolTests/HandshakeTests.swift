import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import PortolanValues
import TestSupport
import Testing

/// Result of a handshake that has ended.
struct Outcome {
    var keys: SessionKeys?
    var peer: RemoteIdentity?
    var opening: OpeningKind?
    var unread: [UInt8] = []
    var sent: [UInt8] = []
    var isDeciding = false
}

extension SessionHandshake {
    /// Performs actions, and accepts each decision.
    mutating func perform(_ actions: [Action], into outcome: inout Outcome, accepting: Bool = true) throws {
        for action in actions {
            switch action {
            case .send(let bytes): outcome.sent += bytes
            case .decide(let peer):
                outcome.isDeciding = true
                outcome.peer = peer
                if accepting { try perform(accept(), into: &outcome) }
            case .established(let keys, let peer, let opening, let unread):
                outcome.keys = keys
                outcome.peer = peer
                outcome.opening = opening
                outcome.unread += unread
            }
        }
    }
}

@Suite(.aside) struct HandshakeTests {
    static func initiator(
        _ identity: DeviceIdentity? = nil, suites: [RecordSuite] = RecordSuite.allCases
    ) throws -> SessionHandshake {
        SessionHandshake(
            role: .initiator, identity: try identity ?? device("Ada", 1), suites: suites, noiseKey: .generate())
    }

    static func responder(
        _ identity: DeviceIdentity? = nil, suites: [RecordSuite] = RecordSuite.allCases
    ) throws -> SessionHandshake {
        SessionHandshake(
            role: .responder, identity: try identity ?? device("Bob", 2), suites: suites, noiseKey: .generate())
    }

    /// Exchanges the messages of two machines until neither has any to send; `deliver` may cut, change or drop them.
    static func talk(
        _ one: consuming SessionHandshake, _ two: consuming SessionHandshake, trailing: [UInt8] = [],
        deliver: (_ flight: Int, [UInt8]) -> [[UInt8]] = { [$1] }
    ) throws -> (initiator: Outcome, responder: Outcome) {
        var first = Outcome()
        var second = Outcome()
        try one.perform(one.start(), into: &first)
        try two.perform(two.start(), into: &second)
        var flight = 0
        while !(first.sent.isEmpty && second.sent.isEmpty) {
            var bytes = first.sent
            if first.keys != nil { bytes += trailing }
            first.sent = []
            for piece in deliver(flight, bytes) where second.keys == nil {
                try two.perform(two.receive(piece), into: &second)
            }
            flight += 1
            let back = second.sent
            second.sent = []
            if back.isEmpty { break }
            for piece in deliver(flight, back) { try one.perform(one.receive(piece), into: &first) }
            flight += 1
        }
        return (first, second)
    }

    /// Checks that each side opens the records that the other seals.
    static func expectConnected(_ one: Outcome, _ two: Outcome) throws {
        let keys = try (#require(one.keys), #require(two.keys))
        #expect(keys.0.handshakeHash == keys.1.handshakeHash)
        #expect(keys.0.suite == keys.1.suite)
        for (from, to) in [keys, (keys.1, keys.0)] {
            var sealer = from.makeSealer()
            var opener = to.makeOpener()
            var record = [0, 0, 0, 0] + Array("hello".utf8) + [UInt8](repeating: 0, count: 16)
            record.withUnsafeMutableBytes { sealer.seal(type: 1, $0) }
            let header = RecordHeader(.control, plaintextLength: 5)
            #expect(Array(record[..<4]) == withUnsafeBytes(of: header.encoded.bigEndian) { Array($0) })
            try record.withUnsafeMutableBytes {
                try opener.open(header: header.encoded, UnsafeMutableRawBufferPointer(rebasing: $0[4...]))
            }
            #expect(Array(record[4..<9]) == Array("hello".utf8))
            let preface = from.sendingLanes.preface(0)
            #expect(to.receivingLanes.admits(preface), "Each direction has lanes, by whomever it was connected")
            #expect(!to.sendingLanes.admits(preface) && to.sendingLanes.id != to.receivingLanes.id)
        }
    }

    @Test func bothLearnEachOtherAndShareKeys() throws {
        let ends = try Self.talk(Self.initiator(), Self.responder())
        try Self.expectConnected(ends.initiator, ends.responder)
        #expect(ends.initiator.peer?.name.text == "Bob")
        #expect(ends.initiator.peer?.deviceKey == (try device("Bob", 2).publicKey))
        #expect(ends.responder.peer?.name.text == "Ada")
        #expect(ends.responder.peer?.fingerprint == (try device("Ada", 1).fingerprint))
    }

    @Test(arguments: [
        (
            [RecordSuite.aes256gcm, .chacha20poly1305], [RecordSuite.aes256gcm, .chacha20poly1305],
            RecordSuite.aes256gcm
        ),
        ([.chacha20poly1305], [.aes256gcm, .chacha20poly1305], .chacha20poly1305),
        ([.aes256gcm, .chacha20poly1305], [.chacha20poly1305], .chacha20poly1305),
        ([.chacha20poly1305], [.chacha20poly1305], .chacha20poly1305),
    ])
    func theFastestSuiteBothHaveIsChosen(one: [RecordSuite], two: [RecordSuite], chosen: RecordSuite) throws {
        let ends = try Self.talk(Self.initiator(suites: one), Self.responder(suites: two))
        #expect(ends.initiator.keys?.suite == chosen)
        try Self.expectConnected(ends.initiator, ends.responder)
    }

    @Test func bytewiseDeliveryGivesTheSameResult() throws {
        let ends = try Self.talk(Self.initiator(), Self.responder()) { _, bytes in bytes.map { [$0] } }
        try Self.expectConnected(ends.initiator, ends.responder)
    }

    @Test func bytesAfterTheLastMessageAreReturnedUnread() throws {
        let trailing = Array("the first record".utf8)
        let whole = try Self.talk(Self.initiator(), Self.responder(), trailing: trailing)
        #expect(whole.responder.unread == trailing)
    }

    @Test func theConnectionMayBreakAtEveryByte() throws {
        let lengths = try Self.flightLengths()
        // The flights that each side receives: the initiator the second, the responder the first and the third.
        for (victim, total) in [(NoiseRole.initiator, lengths[1]), (.responder, lengths[0] + lengths[2])] {
            for length in 0...total {
                var one = try Self.initiator()
                var two = try Self.responder()
                var (first, second) = (Outcome(), Outcome())
                var budget = length
                func heard(_ bytes: [UInt8], by role: NoiseRole) -> [UInt8] {
                    guard role == victim else { return bytes }
                    let part = Array(bytes.prefix(budget))
                    budget -= part.count
                    return part
                }
                try one.perform(one.start(), into: &first)
                try two.perform(two.start(), into: &second)
                try two.perform(two.receive(heard(first.sent, by: .responder)), into: &second)
                first.sent = []
                try one.perform(one.receive(heard(second.sent, by: .initiator)), into: &first)
                try two.perform(two.receive(heard(first.sent, by: .responder)), into: &second)
                let hasKeys = victim == .initiator ? first.keys != nil : second.keys != nil
                #expect(hasKeys == (length == total), "\(victim) after \(length) bytes")
                if !hasKeys { #expect((victim == .initiator ? one.endOfInput() : two.endOfInput()).kind == .cut) }
            }
        }
    }

    @Test func noByteOfAHandshakeCanBeChangedUnnoticed() throws {
        let lengths = try Self.flightLengths()
        for flight in lengths.indices {
            // Every byte of the framing and the tags is changed, and every third of the ciphertext between, to be
            // quick.
            for offset in 0..<lengths[flight] where offset < 64 || offset % 3 == 0 || offset > lengths[flight] - 20 {
                var (one, two) = (Outcome(), Outcome())
                do {
                    (one, two) = try Self.talk(Self.initiator(), Self.responder()) { number, bytes in
                        guard number == flight else { return [bytes] }
                        var changed = bytes
                        changed[offset] ^= 0x04
                        return [changed]
                    }
                } catch is HandshakeError {}
                let finished = one.keys != nil && two.keys != nil
                #expect(!finished, "flight \(flight), byte \(offset)")
            }
        }
    }

    private static func flightLengths() throws -> [Int] {
        var lengths: [Int] = []
        _ = try talk(initiator(), responder()) { _, bytes in
            lengths.append(bytes.count)
            return [bytes]
        }
        return lengths
    }

    @Test func responderIsSentNothingBeforeItIsAccepted() throws {
        var one = try Self.initiator()
        var two = try Self.responder()
        var (first, second) = (Outcome(), Outcome())
        try one.perform(one.start(), into: &first)
        try two.perform(two.start(), into: &second)
        try two.perform(two.receive(first.sent), into: &second)
        first.sent = []
        try one.perform(one.receive(second.sent), into: &first, accepting: false)
        #expect(first.isDeciding && first.sent.isEmpty && first.keys == nil)
        let error = #expect(throws: HandshakeError.self) { _ = try one.receive([0]) }
        #expect(error?.kind.violationKind == .unexpected, "The responder has nothing to say meanwhile")
        #expect(throws: HandshakeError.self) { _ = try one.accept() }
    }

    @Test func reachingOneselfIsNoticedByBothSides() throws {
        let own = try device("Ada", 1)
        let error = #expect(throws: HandshakeError.self) {
            _ = try Self.talk(Self.initiator(own), Self.responder(own))
        }
        #expect(error?.kind == .ownKey)
    }

    @Test func aWrongVersionIsAnsweredInTheClearAndUnderstood() throws {
        var responder = try Self.responder()
        _ = responder.start()
        var preface = Preface.initiation
        preface[8] = 3
        let error = #expect(throws: HandshakeError.self) { _ = try responder.receive(preface) }
        #expect(error?.kind == .versionUnknown(3))
        let reply = try #require(error?.reply)
        var initiator = try Self.initiator()
        _ = initiator.start()
        let refused = #expect(throws: HandshakeError.self) { for byte in reply { _ = try initiator.receive([byte]) } }
        #expect(refused?.kind == .versionRefused(1...1))
        #expect(refused?.description.contains("version 1") == true)
    }

    @Test func foreignServicesAreRecognisedAtTheFirstBytes() throws {
        var responder = try Self.responder()
        _ = responder.start()
        let early = #expect(throws: HandshakeError.self) { _ = try responder.receive(Array("GET".utf8)) }
        #expect(early?.kind == .notPortolan)
        var initiator = try Self.initiator()
        _ = initiator.start()
        let late = #expect(throws: HandshakeError.self) { _ = try initiator.receive(Array("SSH-2.0".utf8)) }
        #expect(late?.kind == .notPortolan)
    }

    @Test func truncatedRefusalIsNotAForeignService() throws {
        for length in 2..<Preface.length {
            var initiator = try Self.initiator()
            _ = initiator.start()
            _ = try initiator.receive(Preface.initiation.prefix(length))
            #expect(initiator.endOfInput().kind == .cut)
        }
        var initiator = try Self.initiator()
        _ = initiator.start()
        _ = try initiator.receive(Array("POR".utf8))
        let error = #expect(throws: HandshakeError.self) { _ = try initiator.receive(Array("X".utf8)) }
        #expect(error?.kind == .notPortolan)
    }

    @Test func anErrorIsFinal() throws {
        var responder = try Self.responder()
        _ = responder.start()
        let first = #expect(throws: HandshakeError.self) { _ = try responder.receive([0]) }
        let second = #expect(throws: HandshakeError.self) { _ = try responder.receive(Preface.initiation) }
        #expect(first == second)
        #expect(responder.endOfInput() == first)
    }

    @Test(arguments: [0x5EED_0001, 0x5EED_0002] as [UInt64])
    func damagedHandshakesEndInErrorsOrNotAtAll(seed: UInt64) {
        withSeed(seed) { random in
            for _ in 0..<150 {
                let target = random.below(3)
                var isChanged = false
                do {
                    let ends = try Self.talk(Self.initiator(), Self.responder()) { flight, bytes in
                        guard flight == target else { return [bytes] }
                        let changed = bytes.mutated(&random)
                        // Bytes appended to the last flight are records, and not the handshake's to judge.
                        isChanged = !changed.starts(with: bytes)
                        return [changed]
                    }
                    if isChanged { #expect(ends.initiator.keys == nil || ends.responder.keys == nil) }
                } catch is HandshakeError {}
            }
        }
    }
}

extension HandshakeError.Kind {
    var violationKind: ProtocolViolation.Kind? {
        if case .violation(let violation) = self { violation.kind } else { nil }
    }
}
