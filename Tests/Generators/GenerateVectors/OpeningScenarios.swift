import Foundation
import PortolanCrypto

/// Cleartext before the Noise messages, and the key that they are under; put together by hand.
struct TalkOpening {
    /// Flights before the one with the first Noise message, beginning with the initiator's.
    var flights: [[UInt8]] = []
    /// In that flight, before the message.
    var lead: [UInt8]
    var prologue: [UInt8]
    var psk: SecretBytes?
    var initiatorJSON: [String: Any] = [:]
    var responderJSON: [String: Any] = [:]

    static func preface(_ pattern: UInt8, _ extra: [UInt8] = []) -> [UInt8] {
        Array("PORTOLAN".utf8) + [1, pattern, 0, UInt8(extra.count)] + extra
    }

    static var open: TalkOpening { TalkOpening(lead: preface(1), prologue: preface(1)) }

    /// - Parameters:
    ///   - door: openings that the responder admits, in the words of the vector.
    static func team(secret: [UInt8], nonce: [UInt8], door: [String: Any]) -> TalkOpening {
        let clear = preface(2, [1] + nonce)
        return TalkOpening(
            lead: clear, prologue: clear, psk: hmac(key: secret, "portolan/1 team handshake"),
            initiatorJSON: ["opening": ["team_secret": hex(secret), "nonce": hex(nonce)]],
            responderJSON: ["door": door])
    }

    /// - Parameters:
    ///   - code: code that the initiator enters.
    ///   - waited: the code at the responder, if it is another.
    static func code(
        _ code: String, waited: String? = nil, purpose: String = "pairing", waitedPurpose: String? = nil
    ) throws -> TalkOpening {
        let number: UInt8 = purpose == "pairing" ? 2 : 3
        let (initiatorHalf, responderHalf) = (Array(fixedBytes(0x80).prefix(16)), Array(fixedBytes(0xA0).prefix(16)))
        let (initiatorScalar, responderScalar) = (scalar(0x90), scalar(0xB0))
        func run(_ role: NoiseRole, _ code: String, _ scalar: [UInt8]) throws -> CPace {
            CPace(
                role: role, password: try PairingCode(code).secret,
                channel: Array("portolan/1 pairing".utf8) + [number], session: initiatorHalf + responderHalf,
                associatedData: [], scalar: SecretBytes(copying: scalar))
        }
        let one = try run(.initiator, code, initiatorScalar)
        let two = try run(.responder, waited ?? code, responderScalar)
        let call = preface(2, [number] + initiatorHalf)
        let answer = responderHalf + two.message.share
        let share = one.message.share
        return TalkOpening(
            flights: [call, framed(answer)], lead: framed(share), prologue: call + answer + share,
            psk: try one.preSharedKey(with: two.message),
            initiatorJSON: [
                "opening": [
                    "code": code, "purpose": purpose, "session_half": hex(initiatorHalf),
                    "scalar": hex(initiatorScalar),
                ]
            ],
            responderJSON: [
                "door": [
                    "allows_open": false,
                    "code": [
                        "text": waited ?? code, "purpose": waitedPurpose ?? purpose,
                        "session_half": hex(responderHalf), "scalar": hex(responderScalar),
                    ],
                ] as [String: Any]
            ])
    }

    /// A scalar of the group: below its order, because the highest byte is small.
    private static func scalar(_ label: UInt8) -> [UInt8] { fixedBytes(label).dropLast() + [1] }

    private static func hmac(key: [UInt8], _ label: String) -> SecretBytes {
        SecretBytes(copying: key).derived(for: label)
    }
}

/// Handshakes with a device that hides from everyone but its teams.
func teamScenarios() throws -> [Scenario] {
    let (secret, other) = (fixedBytes(0xC0), fixedBytes(0xE0))
    let (nonce, former) = (Array(fixedBytes(0x40).prefix(16)), Array(fixedBytes(0x44).prefix(16)))
    func door(_ secrets: [[UInt8]], nonces: [[UInt8]] = [nonce], open: Bool = false) -> [String: Any] {
        ["allows_open": open, "team_secrets": secrets.map(hex), "nonces": nonces.map(hex)]
    }
    func talk(_ door: [String: Any], nonce: [UInt8] = nonce, _ one: Twist? = nil, _ two: Twist? = nil) -> Talk {
        Talk(
            .initiator(), .responder(), opening: .team(secret: secret, nonce: nonce, door: door), initiatorTwist: one,
            responderTwist: two)
    }
    var seen = door([secret])
    seen["seen"] = [hex(Party.initiator().ephemeral.publicKey.bytes)]
    let plain = door([secret])
    var scenarios = [
        try talk(plain).established("handshake-team", suite: 1, "A member opens a session with a hidden device."),
        try talk(door([other, secret], open: true)).established(
            "handshake-team-of-two", suite: 1, "The responder is in two teams, and talks to everyone besides."),
        try talk(door([secret], nonces: [nonce, former]), nonce: former).established(
            "handshake-team-former-nonce", suite: 1, "The nonce is the one that was advertised before."),
    ]
    for (name, talk, victim, error, length, closed, comment) in [
        ("wrong-secret", talk(door([other])), "responder", "forged", 1, false, "A member of another team."),
        (
            "nonce-unknown", talk(plain, nonce: former), "responder", "refused", 1, false,
            "The nonce is not advertised, or not any more."
        ),
        (
            "replayed", talk(seen), "responder", "forged", 1, false,
            "A first message with this ephemeral key was answered under this nonce before."
        ),
        (
            "first-message-payload", talk(plain, .payloadInFirstMessage), "responder", "malformed", 1, false,
            "The first message carries something."
        ),
        (
            "not-admitted", talk(plain), "initiator", "not_admitted", 1, true,
            "The responder closes instead of answering a member."
        ),
        (
            "tampered-message", talk(plain, nil, .tamperedMessage), "initiator", "forged", 2, false,
            "One bit of message 2 is wrong."
        ),
        (
            "initiator-bad-signature", talk(plain, .badSignature), "responder", "unproven", 3, false,
            "Whoever has the team's secret still has to prove its own key."
        ),
    ] as [(String, Talk, String, String, Int, Bool, String)] {
        scenarios.append(
            try talk.refusal("handshake-team-" + name, by: victim, error, length: length, closed: closed, comment))
    }
    let hidden: [String: Any] = ["door": plain]
    scenarios.append(
        clear(
            "handshake-hidden-refuses-open", hidden, [TalkOpening.preface(1) + framed(fixedBytes(0x30))], "refused",
            "An open handshake, where only members may come."))
    scenarios.append(
        clear(
            "handshake-hidden-version-2", hidden, [Array("PORTOLAN".utf8) + [2, 1, 0, 0]], "version_unknown",
            "A device that hides does not answer a version it does not speak, either."))
    scenarios.append(
        clear(
            "handshake-purpose-unknown", hidden, [TalkOpening.preface(2, [4] + nonce)], "malformed",
            "There is no purpose 4."))
    return scenarios
}

/// Handshakes under a code.
func codeScenarios() throws -> [Scenario] {
    let code = "7-walnut-harbor"
    let right = try TalkOpening.code(code)
    func talk(_ opening: TalkOpening, responderTwist: Twist? = nil) -> Talk {
        Talk(.initiator(), .responder(), opening: opening, responderTwist: responderTwist)
    }
    var scenarios = [
        try talk(right).established("handshake-pairing", suite: 1, "Two devices pair."),
        try talk(.code(code, purpose: "joining")).established(
            "handshake-joining", suite: 1, "A device joins a team; everything else is as in handshake-pairing."),
        try talk(.code("7-harbor-walnut", waited: code)).refusal(
            "handshake-pairing-wrong-code", by: "responder", "wrong_code", length: 1, "The code is wrong."),
        try talk(right).refusal(
            "handshake-pairing-unanswered", by: "initiator", "wrong_code", length: 1, closed: true,
            "The responder closes behind the first Noise message."),
        try talk(right, responderTwist: .tamperedMessage).refusal(
            "handshake-pairing-tampered-message", by: "initiator", "wrong_code", length: 2,
            "Message 2 does not verify: as far as the initiator can tell, the other side has another code."),
    ]
    let call = right.flights[0]
    let answer = Array(right.flights[1].dropFirst(2))
    let one = right.responderJSON
    scenarios.append(
        clear(
            "handshake-pairing-other-purpose", try TalkOpening.code(code, waitedPurpose: "joining").responderJSON,
            [call], "refused", "The responder waits with this code, but for somebody who joins."))
    scenarios.append(
        clear(
            "handshake-pairing-closed-before", right.initiatorJSON, [call], "cut", victim: .initiator(), closed: true,
            "The responder closes before the initiator has sent anything that a guess could be tried on."))
    scenarios.append(
        clear(
            "handshake-pairing-nobody-waits", ["door": ["allows_open": true]], [call], "refused",
            "The responder talks to everyone, and waits with no code."))
    for (name, share, comment) in [
        ("identity", [UInt8](repeating: 0, count: 32), "The initiator's share is the identity."),
        (
            "not-canonical", [0xEE] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
            "The initiator's share is no encoding of an element."
        ),
        ("reflected", Array(answer.suffix(32)), "The initiator's share is the responder's own."),
        ("short", Array(answer.suffix(31)), "The initiator's share has 31 bytes."),
        ("long", Array(answer.suffix(33)), "The initiator's share has 33 bytes."),
    ] {
        scenarios.append(
            clear("handshake-pairing-share-" + name, one, [call, framed(answer), framed(share)], "malformed", comment))
    }
    for (name, wrong, comment) in [
        (
            "identity", Array(answer.prefix(16)) + [UInt8](repeating: 0, count: 32),
            "The responder's share is the identity."
        ),
        ("short", Array(answer.dropLast()), "The responder's part has 47 bytes."),
    ] {
        scenarios.append(
            clear(
                "handshake-pairing-answer-" + name, right.initiatorJSON, [call, framed(wrong)], "malformed",
                victim: .initiator(), comment))
    }
    return scenarios
}

/// A handshake that ends before any Noise message is read.
private func clear(
    _ name: String, _ more: [String: Any], _ flights: [[UInt8]], _ error: String, victim: Party = .responder(),
    closed: Bool = false, _ comment: String
) -> Scenario {
    var outcome: [String: Any] = ["by": victim.label, "refused": error]
    if closed { outcome["closed"] = true }
    let transcript = flights.enumerated().map { index, bytes in
        ["from": index.isMultiple(of: 2) ? "initiator" : "responder", "bytes": hex(bytes)]
    }
    return Scenario(
        name, kind: "handshake", comment,
        [
            victim.label: victim.json.merging(more) { _, _ in fatalError("A key twice") }, "transcript": transcript,
            "outcome": outcome,
        ])
}
