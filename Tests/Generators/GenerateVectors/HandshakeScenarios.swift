import Foundation
import PortolanCrypto

/// Side of a handshake without random values. It can send messages that no honest peer sends.
struct Party {
    let role: NoiseRole
    let label: String
    var name: String
    var deviceSeed: [UInt8]
    let noisePrivate: [UInt8]
    let noiseEphemeral: [UInt8]
    var suites: [UInt32]

    static func initiator(suites: [UInt32] = [1, 2]) -> Party {
        Party(
            role: .initiator, label: "initiator", name: "Ada’s laptop", deviceSeed: fixedBytes(0x10),
            noisePrivate: fixedBytes(0x20), noiseEphemeral: fixedBytes(0x30), suites: suites)
    }

    static func responder(suites: [UInt32] = [1, 2]) -> Party {
        Party(
            role: .responder, label: "responder", name: "workbench", deviceSeed: fixedBytes(0x50),
            noisePrivate: fixedBytes(0x60), noiseEphemeral: fixedBytes(0x70), suites: suites)
    }

    var json: [String: Any] {
        [
            "name": name, "device_seed": hex(deviceSeed), "noise_private": hex(noisePrivate),
            "noise_ephemeral": hex(noiseEphemeral), "suites": suites.map(Int.init),
        ]
    }

    func deviceKey() throws -> DeviceKey { try DeviceKey(seed: deviceSeed) }

    func noise(prologue: [UInt8], psk: SecretBytes?) -> NoiseHandshake {
        NoiseHandshake(
            pattern: psk == nil ? .xx : .xxPSK0, role: role, prologue: prologue, staticKey: staticKey, psk: psk,
            ephemeral: ephemeral)
    }

    var ephemeral: NoiseKeyPair { NoiseKeyPair(privateKey: SecretBytes(copying: noiseEphemeral)) }

    var staticKey: NoiseKeyPair { NoiseKeyPair(privateKey: SecretBytes(copying: noisePrivate)) }

    /// The identity payload, put together by hand.
    func identity(hash: [UInt8], naming suites: [UInt32], padded: Bool, twist: Twist?) throws -> [UInt8] {
        let key = try deviceKey()
        var statement = Array("portolan/1 noise static".utf8) + hash + staticKey.publicKey.bytes
        if twist == .staleSignature { statement.replaceSubrange(23..<55, with: [UInt8](repeating: 0, count: 32)) }
        var signature = key.signature(for: statement)
        if twist == .badSignature { signature[0] ^= 1 }
        let name =
            switch twist {
            case .escapeInName: "evil\u{1B}[2J"
            case .bidiInName: "evil\u{202E}gpj"
            case .longName: String(repeating: "n", count: 64)
            case .emptyName: ""
            case .decomposedName: self.name.decomposedStringWithCanonicalMapping
            default: self.name
            }
        let bareKey =
            switch twist {
            case .shortKey: Array(key.publicKey.bytes.dropLast())
            case .deviceKey(let other): other
            default: key.publicKey.bytes
            }
        let packed = suites.flatMap { Proto.varint(UInt64($0)) }
        let bare =
            Proto.field(1, bareKey) + Proto.field(2, signature) + (name.isEmpty ? [] : Proto.field(3, name))
            + (packed.isEmpty ? [] : Proto.field(4, packed))
        return padded ? bare + Proto.field(5, [UInt8](repeating: 0, count: 320 - bare.count - 3)) : bare
    }
}

/// Violation by a side.
enum Twist: Equatable {
    case badSignature, staleSignature, escapeInName, bidiInName, longName, emptyName, decomposedName, shortKey
    case deviceKey([UInt8])
    case suites([UInt32])
    case tamperedMessage, payloadInFirstMessage
}

func handshakeScenarios() throws -> [Scenario] {
    var scenarios: [Scenario] = []
    for (name, initiator, responder, suite, comment) in [
        ("both-aes", [1, 2], [1, 2], 1, "Both have AES-256-GCM in hardware."),
        ("initiator-chacha", [2], [1, 2], 2, "Only the responder has AES-256-GCM in hardware."),
        ("responder-chacha", [1, 2], [2], 2, "Only the initiator has AES-256-GCM in hardware."),
        ("responder-prefers-chacha", [1, 2], [2, 1], 2, "The responder's order decides."),
    ] as [(String, [UInt32], [UInt32], UInt32, String)] {
        let talk = Talk(.initiator(suites: initiator), .responder(suites: responder))
        scenarios.append(try talk.established("handshake-" + name, suite: suite, comment))
    }
    let unknownSuite = Talk(.initiator(), .responder(), responderTwist: .suites([9, 2, 1]))
    scenarios.append(
        try unknownSuite.refusal(
            "handshake-unknown-suite-passed-over", by: nil, "decides", length: 2,
            "A number of a later version among the suites is passed over: the initiator comes to its decision."))

    let refusals: [(String, Twist, String, String)] = [
        ("bad-signature", .badSignature, "unproven", "One bit of the signature is wrong."),
        (
            "stale-signature", .staleSignature, "unproven",
            "The signature is over another handshake's hash: one that was recorded and is played again."
        ),
        ("escape-in-name", .escapeInName, "malformed", "The name holds an escape character."),
        ("bidi-in-name", .bidiInName, "malformed", "The name holds a bidirectional control."),
        ("long-name", .longName, "limit", "The name has 64 bytes."),
        ("empty-name", .emptyName, "malformed", "There is no name."),
        ("short-key", .shortKey, "malformed", "The device key has 31 bytes."),
        ("tampered-message", .tamperedMessage, "forged", "One bit of the last byte of the message is wrong."),
    ]
    for (name, twist, error, comment) in refusals {
        scenarios.append(
            try Talk(.initiator(), .responder(), responderTwist: twist)
                .refusal("handshake-responder-" + name, by: "initiator", error, length: 2, "Responder: " + comment))
        scenarios.append(
            try Talk(.initiator(), .responder(), initiatorTwist: twist)
                .refusal("handshake-initiator-" + name, by: "responder", error, length: 3, "Initiator: " + comment))
    }
    let suites: [(String, Talk, String, String, Int, String)] = [
        (
            "responder-without-chacha", Talk(.initiator(), .responder(), responderTwist: .suites([1])), "initiator",
            "malformed", 2, "The responder does not offer ChaCha20-Poly1305, which every peer can do."
        ),
        (
            "responder-suite-twice", Talk(.initiator(), .responder(), responderTwist: .suites([2, 2])), "initiator",
            "malformed", 2, "The responder names a suite twice."
        ),
        (
            "choice-not-offered", Talk(.initiator(), .responder(suites: [2]), initiatorTwist: .suites([1])),
            "responder", "unexpected", 3, "The initiator chooses a suite that was not offered."
        ),
        (
            "choice-of-two", Talk(.initiator(), .responder(), initiatorTwist: .suites([1, 2])), "responder",
            "unexpected", 3, "The initiator chooses two suites."
        ),
        (
            "choice-missing", Talk(.initiator(), .responder(), initiatorTwist: .suites([])), "responder",
            "unexpected", 3, "The initiator chooses no suite."
        ),
        (
            "first-message-payload", Talk(.initiator(), .responder(), initiatorTwist: .payloadInFirstMessage),
            "responder", "malformed", 1, "The first message carries something."
        ),
    ]
    for (name, talk, victim, error, length, comment) in suites {
        scenarios.append(try talk.refusal("handshake-" + name, by: victim, error, length: length, comment))
    }
    return try scenarios + rawScenarios() + identityScenarios() + teamScenarios() + codeScenarios()
}

/// Scenarios before any cryptography: the first bytes are all that matters.
private func rawScenarios() -> [Scenario] {
    let good = Array("PORTOLAN".utf8) + [1, 1, 0, 0]
    let refusal = Array("PORTOLAN".utf8) + [0, 1, 1, 0]
    func raw(
        _ name: String, to victim: Party, _ bytes: [UInt8], _ error: String, reply: [UInt8] = [], _ comment: String
    )
        -> Scenario
    {
        let from = victim.role == .initiator ? "responder" : "initiator"
        var outcome: [String: Any] = ["by": victim.label, "refused": error]
        if !reply.isEmpty { outcome["reply"] = hex(reply) }
        return Scenario(
            "handshake-" + name, kind: "handshake", comment,
            [
                victim.label: victim.json, "transcript": [["from": from, "bytes": hex(bytes)]], "outcome": outcome,
            ])
    }
    let responder = Party.responder()
    let initiator = Party.initiator()
    return [
        raw("garbage-to-responder", to: responder, Array("GET / HTTP/1.1\r\n".utf8), "not_portolan", "A web browser."),
        raw("garbage-to-initiator", to: initiator, Array("SSH-2.0-OpenSSH_9".utf8), "not_portolan", "An SSH server."),
        raw(
            "version-2", to: responder, Array("PORTOLAN".utf8) + [2, 1, 0, 0], "version_unknown", reply: refusal,
            "The initiator speaks version 2 only; the responder says in the clear what it speaks."),
        raw(
            "version-refused", to: initiator, Array("PORTOLAN".utf8) + [0, 2, 4, 0], "version_refused",
            "The responder speaks versions 2 to 4."),
        raw(
            "pattern-unknown", to: responder, Array("PORTOLAN".utf8) + [1, 3, 0, 0], "malformed",
            "Pattern 3 is reserved."),
        raw(
            "pattern-2-without-call", to: responder, Array("PORTOLAN".utf8) + [1, 2, 0, 0], "malformed",
            "Pattern 2 without the 17 bytes that say which secret is meant."),
        raw(
            "preface-additions", to: responder, Array("PORTOLAN".utf8) + [1, 1, 0, 8], "malformed",
            "Additions to the preface are reserved."),
        raw(
            "oversize-frame-to-responder", to: responder, good + [0x10, 0x01], "limit",
            "A frame of 4097 bytes is refused by its length alone."),
        raw(
            "oversize-frame-to-initiator", to: initiator, [0x10, 0x01], "not_portolan",
            "A frame of 4097 bytes, before anything that only a peer would say."),
        raw("empty-frame", to: responder, good + [0, 0], "forged", "A frame of no bytes is no Noise message."),
        raw(
            "low-order-point", to: responder, good + [0, 32] + [UInt8](repeating: 0, count: 32), "forged",
            "The initiator's ephemeral key is the all-zero point."),
    ]
}

/// The messages of a handshake, made with the Noise library directly.
struct Talk {
    var initiator: Party
    var responder: Party
    var initiatorTwist: Twist?
    var responderTwist: Twist?
    var opening: TalkOpening
    /// Side that sends messages that no honest side would, without an error.
    var unplayed: String?

    init(
        _ initiator: Party, _ responder: Party, opening: TalkOpening = .open, initiatorTwist: Twist? = nil,
        responderTwist: Twist? = nil, unplayed: String? = nil
    ) {
        self.unplayed = unplayed
        self.initiator = initiator
        self.responder = responder
        self.opening = opening
        self.initiatorTwist = initiatorTwist
        self.responderTwist = responderTwist
    }

    private func frame(_ message: [UInt8], _ twist: Twist?) -> [UInt8] {
        var message = message
        if twist == .tamperedMessage { message[message.count - 1] ^= 1 }
        return framed(message)
    }

    private func spoken(_ twist: Twist?, otherwise suites: [UInt32]) -> [UInt32] {
        if case .suites(let other) = twist { other } else { suites }
    }

    /// Runs it as far as `length` flights and hands the two Noise states on.
    func run<Result>(
        _ length: Int, choice: UInt32,
        then finish: (_ flights: [[UInt8]], consuming NoiseHandshake, consuming NoiseHandshake) throws -> Result
    ) throws -> Result {
        let isPadded = opening.psk != nil
        var one = initiator.noise(prologue: opening.prologue, psk: opening.psk)
        var two = responder.noise(prologue: opening.prologue, psk: opening.psk)
        var flights = opening.flights
        let first = try one.writeMessage(payload: initiatorTwist == .payloadInFirstMessage ? [1] : [])
        if length > 0 { flights.append(opening.lead + frame(first, nil)) }
        _ = try two.readMessage(first)
        if length > 1 {
            let payload = try responder.identity(
                hash: two.handshakeHash, naming: spoken(responderTwist, otherwise: responder.suites),
                padded: isPadded, twist: responderTwist)
            let second = try two.writeMessage(payload: payload)
            flights.append(frame(second, responderTwist))
            _ = try one.readMessage(second)
        }
        if length > 2 {
            let payload = try initiator.identity(
                hash: one.handshakeHash, naming: spoken(initiatorTwist, otherwise: [choice]), padded: isPadded,
                twist: initiatorTwist)
            let third = try one.writeMessage(payload: payload)
            flights.append(frame(third, initiatorTwist))
            _ = try two.readMessage(third)
        }
        return try finish(flights, one, two)
    }

    private func content(_ flights: [[UInt8]], _ outcome: [String: Any]) -> [String: Any] {
        let transcript = flights.enumerated().map { index, bytes in
            ["from": index.isMultiple(of: 2) ? "initiator" : "responder", "bytes": hex(bytes)]
        }
        var content: [String: Any] = [
            "initiator": initiator.json.merging(opening.initiatorJSON) { _, _ in fatalError("A key twice") },
            "responder": responder.json.merging(opening.responderJSON) { _, _ in fatalError("A key twice") },
            "transcript": transcript, "outcome": outcome,
        ]
        if let unplayed { content[unplayed] = nil }
        return content
    }

    func established(_ name: String, suite: UInt32, _ comment: String) throws -> Scenario {
        try run(3, choice: suite) { flights, one, two in
            let hash = one.handshakeHash
            let secrets = one.split()
            _ = two.split()
            let outcome = ["established": try established(suite, hash, secrets)]
            return Scenario(name, kind: "handshake", comment, content(flights, outcome))
        }
    }

    private func established(
        _ suite: UInt32, _ hash: [UInt8], _ secrets: NoiseSecrets
    ) throws -> [String: Any] {
        func seen(_ party: Party) throws -> [String: Any] {
            let key = try party.deviceKey().publicKey
            return ["name": party.name, "device_key": hex(key.bytes), "fingerprint": "\(key.fingerprint)"]
        }
        return [
            "suite": Int(suite), "handshake_hash": hex(hash),
            "initiator_to_responder": hex(secrets.initiatorToResponder.withUnsafeBytes { Array($0) }),
            "responder_to_initiator": hex(secrets.responderToInitiator.withUnsafeBytes { Array($0) }),
            "initiator_sees": try seen(responder), "responder_sees": try seen(initiator),
        ]
    }

    /// Makes a whole session: the handshake, and then the messages of `speak`.
    func session(
        _ name: String, suite: UInt32, _ comment: String, _ speak: (SessionTalk) -> [String: Any]
    ) throws -> Scenario {
        try run(3, choice: suite) { flights, one, two in
            let hash = one.handshakeHash
            let secrets = one.split()
            _ = two.split()
            guard let number = RecordSuite(rawValue: UInt8(suite)) else { fatalError("No suite") }
            let talk = SessionTalk(secrets.initiatorToResponder, secrets.responderToInitiator, number)
            let outcome = speak(talk)
                .merging(["established": try established(suite, hash, secrets)]) { _, _ in fatalError("A key twice") }
            var content = content(flights, outcome)
            content["records"] = talk.said
            return Scenario("session-" + name, kind: "session", comment, content)
        }
    }

    /// - Parameters:
    ///   - victim: side that refuses; nil if the handshake only stops there.
    ///   - length: number of Noise messages before it.
    ///   - closed: true if the end of the connection is refused.
    func refusal(
        _ name: String, by victim: String?, _ error: String, length: Int, closed: Bool = false, _ comment: String
    ) throws -> Scenario {
        try run(length, choice: 1) { flights, _, _ in
            var outcome: [String: Any] = victim.map { ["by": $0, "refused": error] } ?? ["undecided": true]
            if closed { outcome["closed"] = true }
            return Scenario(name, kind: "handshake", comment, content(flights, outcome))
        }
    }
}
