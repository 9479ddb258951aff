import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import PortolanValues
import TestSupport
import Testing

/// Side of a handshake that a vector describes.
struct HandshakeSide {
    let role: NoiseRole
    let identity: DeviceIdentity
    let suites: [RecordSuite]
    let noiseKey: NoiseKeyPair
    let ephemeral: NoiseKeyPair
    var opening = Opening.open
    var door = Door.open
    /// Of a handshake with a code.
    var sessionHalf = [UInt8](repeating: 0, count: 16)
    var scalar: SecretBytes?

    init(_ role: NoiseRole, _ json: VectorObject) throws {
        self.role = role
        identity = DeviceIdentity(
            name: try DeviceName(json.text("name")), key: try DeviceKey(seed: json.bytes("device_seed")))
        suites = try json.numbers("suites").compactMap { RecordSuite(rawValue: UInt8($0)) }
        noiseKey = NoiseKeyPair(privateKey: SecretBytes(copying: try json.bytes("noise_private")))
        ephemeral = NoiseKeyPair(privateKey: SecretBytes(copying: try json.bytes("noise_ephemeral")))
        if let opening = try json.optional("opening") { try read(opening: opening) }
        if let door = try json.optional("door") { try read(door: door) }
    }

    private mutating func read(opening json: VectorObject) throws {
        if json.has("code") {
            let code = try PairingCode(json.text("code"))
            opening = .code(code, try json.name("purpose", Purpose.self).value)
            try readRandomness(json)
        } else {
            opening = .team(
                secret: SecretBytes(copying: try json.bytes("team_secret")), nonce: try json.bytes("nonce"))
        }
    }

    private mutating func read(door json: VectorObject) throws {
        door = Door(allowsOpen: try json.flag("allows_open"))
        if json.has("team_secrets") {
            let secrets = try json.texts("team_secrets").map { SecretBytes(copying: try [UInt8](hex: $0)) }
            let nonces = AdvertisedNonces { secrets }
            let advertised = try json.texts("nonces").map { try [UInt8](hex: $0) }
            for nonce in advertised.reversed() { nonces.rotate(to: nonce) }
            for ephemeral in json.has("seen") ? try json.texts("seen") : [] {
                #expect(nonces.admit(try [UInt8](hex: ephemeral), under: advertised[0]))
            }
            door.teams = nonces
        }
        if let code = try json.optional("code") {
            let start = ContinuousClock.now
            let gate = PairingGate(
                code: try PairingCode(code.text("text")), purpose: try code.name("purpose", Purpose.self).value,
                validity: .seconds(1)
            ) { start }
            door.gates[gate.purpose] = gate
            try readRandomness(code)
        }
    }

    private mutating func readRandomness(_ json: VectorObject) throws {
        sessionHalf = try json.bytes("session_half")
        scalar = SecretBytes(copying: try json.bytes("scalar"))
    }

    /// The words of the vectors.
    private enum Purpose: String, CaseIterable {
        case pairing, joining

        var value: PairingPurpose { self == .pairing ? .pairing : .joining }
    }

    func machine() -> SessionHandshake {
        let randomness = HandshakeRandomness(ephemeral: ephemeral, sessionHalf: sessionHalf, scalar: scalar)
        return switch role {
        case .initiator:
            SessionHandshake(
                opening: opening, identity: identity, suites: suites, noiseKey: noiseKey, randomness: randomness)
        case .responder:
            SessionHandshake(
                door: door, identity: identity, suites: suites, noiseKey: noiseKey, randomness: randomness)
        }
    }

    var label: String { role == .initiator ? "initiator" : "responder" }

    /// Plays one side against the other side's recorded bytes, whole or byte by byte.
    func play(hearing flights: [[UInt8]], closed: Bool, dripping: Bool) -> HandshakePlay {
        var machine = machine()
        var result = HandshakePlay()
        func note() {
            if !result.end.sent.isEmpty { result.said.append(result.end.sent) }
            result.end.sent = []
        }
        do {
            try machine.perform(machine.start(), into: &result.end)
            note()
            for flight in flights {
                for piece in dripping ? flight.map({ [$0] }) : [flight] {
                    try machine.perform(machine.receive(piece), into: &result.end)
                }
                note()
            }
            if closed { throw machine.endOfInput() }
        } catch {
            result.error = error as? HandshakeError
        }
        note()
        return result
    }
}

struct HandshakePlay {
    var end = Outcome()
    var error: HandshakeError?
    /// Output of the machine, flight by flight.
    var said: [[UInt8]] = []
}

/// Results of the handshake that both sides must agree on.
struct HandshakeResult {
    let suite: Int
    let hash: [UInt8]
    let secrets: (initiatorToResponder: [UInt8], responderToInitiator: [UInt8])
    let seen: [NoiseRole: (name: String, key: [UInt8], fingerprint: String)]

    init(_ json: VectorObject) throws {
        suite = try json.number("suite")
        hash = try json.bytes("handshake_hash")
        secrets = (try json.bytes("initiator_to_responder"), try json.bytes("responder_to_initiator"))
        var seen: [NoiseRole: (String, [UInt8], String)] = [:]
        for (role, key) in [(NoiseRole.initiator, "initiator_sees"), (.responder, "responder_sees")] {
            let other = try json.object(key)
            seen[role] = (try other.text("name"), try other.bytes("device_key"), try other.text("fingerprint"))
        }
        self.seen = seen
    }

    func check(_ end: Outcome, _ role: NoiseRole) throws {
        let keys = try #require(end.keys)
        #expect(Int(keys.suite.rawValue) == suite)
        #expect(keys.handshakeHash == hash)
        // Texts that differ in normalization are equal to the language, and not here.
        #expect(end.peer.map { Array($0.name.text.utf8) } == seen[role].map { Array($0.name.utf8) })
        #expect(end.peer?.deviceKey.bytes == seen[role]?.key)
        #expect(end.peer?.fingerprint.description == seen[role]?.fingerprint)
        // The secrets themselves are private: a record sealed under one of them must open under the other's name.
        let outgoing = role == .initiator ? secrets.initiatorToResponder : secrets.responderToInitiator
        var sealer = keys.makeSealer()
        var opener = RecordOpener(secret: SecretBytes(copying: outgoing), suite: keys.suite)
        var record: [UInt8] = [0, 0, 0, 0, 7] + [UInt8](repeating: 0, count: 16)
        record.withUnsafeMutableBytes { sealer.seal(type: 1, $0) }
        let header = RecordHeader(.control, plaintextLength: 1)
        try record.withUnsafeMutableBytes {
            try opener.open(header: header.encoded, UnsafeMutableRawBufferPointer(rebasing: $0[4...]))
        }
        #expect(record[4] == 7)
    }
}
