/// Device keys that must be refused, and names that their reader composes.
func identityScenarios() throws -> [Scenario] {
    let own = Party.initiator().deviceSeed
    var copied = Party.responder()
    copied.deviceSeed = own
    var scenarios = [
        try Talk(.initiator(), copied).refusal(
            "handshake-responder-own-key", by: "initiator", "own_key", length: 2,
            "The responder proves the initiator's own device key."),
        try Talk(.initiator(), copied).refusal(
            "handshake-initiator-own-key", by: "responder", "own_key", length: 3,
            "The initiator proves the responder's own device key."),
    ]
    let zeros = [UInt8](repeating: 0, count: 31)
    let keys: [(String, responder: [UInt8], initiator: [UInt8], String)] = [
        ("identity", [1] + zeros, [1] + zeros, "The device key is the identity."),
        ("small-order", orderEight, orderEight, "The device key is a point of order 8."),
        (
            "mixed-order",
            [
                0x07, 0xC7, 0x54, 0xEB, 0xB0, 0x36, 0xBA, 0x94, 0x45, 0x7E, 0x44, 0xDD, 0x81, 0x11, 0x32, 0x88,
                0x94, 0xD6, 0xA0, 0xB0, 0x98, 0x89, 0x7E, 0x66, 0xB4, 0x6D, 0x74, 0x0E, 0x69, 0xBF, 0x76, 0xD7,
            ],
            [
                0xF8, 0xA5, 0xB9, 0x03, 0xD5, 0x08, 0x7C, 0x75, 0x1F, 0x01, 0x46, 0xB7, 0xE5, 0xEF, 0x48, 0xF4,
                0xA6, 0x5D, 0xF0, 0xF2, 0x30, 0xB9, 0xF5, 0xC8, 0xC2, 0x14, 0xBB, 0x87, 0x83, 0x68, 0x1D, 0xDD,
            ],
            "The device key is the real one plus a point of order 8."
        ),
        (
            "not-canonical", [0xEE] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
            [0xEE] + [UInt8](repeating: 0xFF, count: 30) + [0x7F], "The device key's coordinate is not below the prime."
        ),
        ("no-point", [2] + zeros, [2] + zeros, "The device key is the encoding of no point."),
    ]
    for (name, responder, initiator, comment) in keys {
        scenarios.append(
            try Talk(.initiator(), .responder(), responderTwist: .deviceKey(responder)).refusal(
                "handshake-responder-key-" + name, by: "initiator", "malformed", length: 2, "Responder: " + comment))
        scenarios.append(
            try Talk(.initiator(), .responder(), initiatorTwist: .deviceKey(initiator)).refusal(
                "handshake-initiator-key-" + name, by: "responder", "malformed", length: 3, "Initiator: " + comment))
    }
    return try scenarios + composedNames()
}

private let orderEight: [UInt8] = [
    0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98, 0xF0,
    0xD5, 0xDF, 0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53, 0xFC, 0x05,
]

/// Handshakes in which one side, which is not replayed, sends its name in decomposed form.
private func composedNames() throws -> [Scenario] {
    var (initiator, responder) = (Party.initiator(), Party.responder())
    initiator.name = "Zoë’s laptop"
    responder.name = "Zoë’s laptop"
    return [
        try Talk(.initiator(), responder, responderTwist: .decomposedName, unplayed: "responder").established(
            "handshake-responder-decomposed-name", suite: 1,
            "The responder's name is not in NFC; the initiator composes it."),
        try Talk(initiator, .responder(), initiatorTwist: .decomposedName, unplayed: "initiator").established(
            "handshake-initiator-decomposed-name", suite: 1,
            "The initiator's name is not in NFC; the responder composes it."),
    ]
}
