import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import PortolanValues

extension FuzzTarget {
    /// Beginning of a connection on both sides: bytes of strangers, honest handshakes that are changed in transit, and
    /// identities that only a peer with its own key can send.
    static let handshake = FuzzTarget("handshake") { input in
        switch input.number(below: 5) {
        case 0: HandshakeFuzzer.speak(to: HandshakeFuzzer.responder(&input), &input)
        case 1: HandshakeFuzzer.speak(to: HandshakeFuzzer.initiator(&input), &input)
        case 2: HandshakeFuzzer.interfere(&input)
        case 3: HandshakeFuzzer.initiate(&input)
        default: HandshakeFuzzer.respond(&input)
        }
    }
}

private enum HandshakeFuzzer {
    static let nonce = [UInt8](repeating: 0xA0, count: 16)
    static let secret = SecretBytes(copying: [UInt8](repeating: 0x5E, count: 32))
    static let code = valid { try PairingCode("7-walnut-harbor") }
    static let otherCode = valid { try PairingCode("7-harbor-walnut") }

    static func responder(_ input: inout FuzzInput) -> HandshakeSide {
        let choices = input.byte()
        let nonces = AdvertisedNonces { [secret] }
        nonces.rotate(to: nonce)
        let start = ContinuousClock.now
        let gate = PairingGate(
            code: code, purpose: choices & 2 == 0 ? .pairing : .joining, validity: .seconds(600)
        ) { start }
        let door = Door(
            allowsOpen: choices & 1 == 0, teams: choices & 4 == 0 ? nonces : nil, gate: choices & 8 == 0 ? gate : nil)
        return HandshakeSide(
            SessionHandshake(
                door: door, identity: Parties.own, suites: suites(choices), noiseKey: Parties.noiseKey(3),
                randomness: Parties.randomness(4)))
    }

    static func initiator(_ input: inout FuzzInput) -> HandshakeSide {
        let choices = input.byte()
        let opening: Opening =
            switch choices & 7 {
            case 0, 1: .open
            case 2: .team(secret: secret, nonce: nonce)
            case 3: .team(secret: secret.derived(for: "another"), nonce: nonce)
            case 4: .code(code, .pairing)
            case 5: .code(code, .joining)
            default: .code(otherCode, .pairing)
            }
        return HandshakeSide(
            SessionHandshake(
                opening: opening, identity: Parties.peer, suites: suites(choices), noiseKey: Parties.noiseKey(5),
                randomness: Parties.randomness(6)))
    }

    private static func suites(_ choices: UInt8) -> [RecordSuite] {
        choices & 16 == 0 ? [.chacha20poly1305] : [.aes256gcm, .chacha20poly1305]
    }

    /// Sends arbitrary messages, with lengths that are right or not.
    static func speak(to side: HandshakeSide, _ input: inout FuzzInput) {
        _ = side.start()
        while !input.isEmpty, !side.isOver {
            switch input.number(below: 4) {
            case 0: side.hear(input.piece())
            case 1: side.hear(frame(input.piece()))
            case 2: side.hear(preface(pattern: input.byte(), extra: input.prefix(17)))
            default: for byte in input.piece() { side.hear([byte]) }
            }
        }
        side.hangUp()
        require(!side.isEstablished, "A session with somebody who has no key")
    }

    /// Runs two honest sides with an attacker between them.
    static func interfere(_ input: inout FuzzInput) {
        let (one, two) = (initiator(&input), responder(&input))
        _ = two.start()
        var said = one.start()
        var (next, other) = (two, one)
        var wasChanged = false
        for _ in 0..<6 where !said.isEmpty {
            let delivered = change(said, &input)
            // Bytes after the handshake are a record, which the handshake does not check.
            if !delivered.starts(with: said) { wasChanged = true }
            let cut = min(Int(input.byte()), delivered.count)
            said = next.hear(Array(delivered[..<cut])) + next.hear(Array(delivered[cut...]))
            (next, other) = (other, next)
        }
        require(!wasChanged || !one.isEstablished || !two.isEstablished, "A session in spite of a change")
        one.hangUp()
        two.hangUp()
    }

    private static func change(_ bytes: [UInt8], _ input: inout FuzzInput) -> [UInt8] {
        let kind = input.byte()
        guard kind >= 8 else { return bytes }
        let place = Int(input.byte()) << 8 | Int(input.byte())
        let start = place % (bytes.count + 1)
        switch kind % 4 {
        case 0: return Array(bytes[..<start])
        case 1: return bytes[..<start] + input.piece() + bytes[start...]
        case 2: return bytes.enumerated().map { $0.offset == start ? $0.element ^ (kind >> 2) : $0.element }
        default:
            let piece = input.piece()
            return bytes[..<start] + piece + bytes[min(bytes.count, start + piece.count)...]
        }
    }

    // MARK: Peers with keys

    /// Placeholder for the signature in an identity, since random input cannot guess a valid one.
    private static let signaturePlace = [UInt8](repeating: 0x55, count: 64)

    /// An identity from the input, signed if the input says so.
    private static func payload(_ input: inout FuzzInput, _ noise: borrowing NoiseHandshake, _ key: NoiseKeyPair)
        -> [UInt8]
    {
        var payload = input.piece()
        let last = payload.count - signaturePlace.count
        guard last >= 0 else { return payload }
        let place = (0...last).first { payload[$0..<($0 + signaturePlace.count)].elementsEqual(signaturePlace) }
        if let place {
            let statement = Array("portolan/1 noise static".utf8) + noise.handshakeHash + key.publicKey.bytes
            payload.replaceSubrange(
                place..<(place + signaturePlace.count), with: Parties.third.key.signature(for: statement))
        }
        return payload
    }

    static func initiate(_ input: inout FuzzInput) {
        let isMember = input.flag()
        var choices = FuzzInput([0])
        let side = responder(&choices)
        _ = side.start()
        let call = isMember ? [1] + nonce : []
        let beginning = preface(pattern: isMember ? 2 : 1, extra: call)
        let key = Parties.noiseKey(7)
        var noise = NoiseHandshake(
            pattern: isMember ? .xxPSK0 : .xx, role: .initiator, prologue: beginning, staticKey: key,
            psk: isMember ? secret.derived(for: "portolan/1 team handshake") : nil, ephemeral: Parties.noiseKey(8))
        let first = input.flag() ? input.piece() : []
        guard let message = try? noise.writeMessage(payload: first) else { return }
        let answer = side.hear(beginning + frame(message))
        guard answer.count > 2, (try? noise.readMessage(answer.dropFirst(2))) != nil else { return side.hangUp() }
        let shown = payload(&input, noise, key)
        guard let last = try? noise.writeMessage(payload: shown) else { return }
        side.hear(frame(last) + input.rest())
        side.hangUp()
    }

    static func respond(_ input: inout FuzzInput) {
        var choices = FuzzInput([0])
        let side = initiator(&choices)
        let said = side.start()
        let key = Parties.noiseKey(7)
        var noise = NoiseHandshake(
            pattern: .xx, role: .responder, prologue: said.prefix(Preface.length), staticKey: key,
            ephemeral: Parties.noiseKey(8))
        guard (try? noise.readMessage(said.dropFirst(Preface.length + 2))) != nil else {
            fatalError("The first message of an honest side cannot be read")
        }
        // The signature covers only values that are known before the message.
        let shown = payload(&input, noise, key)
        guard let offer = try? noise.writeMessage(payload: shown) else { return }
        side.hear(frame(offer) + input.rest())
        side.hangUp()
    }

    private static func frame(_ message: [UInt8]) -> [UInt8] { FuzzInput.piece(message) }

    private static func preface(pattern: UInt8, extra: [UInt8]) -> [UInt8] {
        Array("PORTOLAN".utf8) + [Preface.version, pattern, UInt8(extra.count >> 8), UInt8(extra.count & 255)] + extra
    }
}

/// Side of a handshake, and the result so far.
private final class HandshakeSide {
    private var machine: SessionHandshake
    private var hasFailed = false
    private(set) var isEstablished = false

    init(_ machine: consuming SessionHandshake) { self.machine = machine }

    var isOver: Bool { hasFailed || isEstablished }

    func start() -> [UInt8] { perform(machine.start()) }

    /// - Returns: all bytes that it sends in response.
    @discardableResult
    func hear(_ bytes: [UInt8]) -> [UInt8] {
        guard !isOver else { return [] }
        do {
            return perform(try machine.receive(bytes))
        } catch {
            return failed(error)
        }
    }

    /// The connection ends.
    func hangUp() {
        if !isOver { _ = machine.endOfInput().description }
    }

    private func perform(_ actions: [SessionHandshake.Action]) -> [UInt8] {
        var said: [UInt8] = []
        for action in actions {
            switch action {
            case .send(let bytes): said += bytes
            case .established(let keys, let peer, _, _):
                isEstablished = true
                require(keys.handshakeHash.count == 32 && !peer.name.text.isEmpty, "A session without a name")
            case .decide(let peer):
                _ = peer.name.description
                do {
                    said += perform(try machine.accept())
                } catch {
                    said += failed(error)
                }
            }
        }
        return said
    }

    private func failed(_ error: HandshakeError) -> [UInt8] {
        hasFailed = true
        _ = error.description
        return error.reply
    }
}
