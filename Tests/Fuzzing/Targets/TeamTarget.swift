import Foundation
import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import PortolanValues

extension FuzzTarget {
    /// Teams: received and locally changed rosters, messages about them, and joining.
    static let teams = FuzzTarget("teams", longest: 8192) { input in
        switch input.number(below: 4) {
        case 0: TeamFuzzer.read(&input)
        case 1: TeamFuzzer.exchange(&input)
        case 2: TeamFuzzer.join(&input)
        default: TeamFuzzer.govern(&input)
        }
    }
}

enum TeamFuzzer {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let devices = [Parties.own, Parties.peer, Parties.third]

    /// A team of three devices, two of which are admins.
    static let team: TeamHeads = valid {
        var random = Numbers()
        var team = TeamHeads.found(
            try TeamName("acme"), by: Parties.own.key, called: Parties.own.name, now: now, using: &random)
        for device in [Parties.peer, Parties.third] {
            let change = RosterChange.add(PinnedKey(device.publicKey), name: device.name, groups: [try GroupName("x")])
            try team.change(change, by: Parties.own.key, now: now, using: &random)
        }
        try team.change(.promote(PinnedKey(Parties.peer.publicKey)), by: Parties.own.key, now: now, using: &random)
        return team
    }

    /// Returns bytes that claim to be a roster, signed by `device`.
    static func signed(_ bytes: [UInt8], by device: DeviceIdentity) -> SignedRoster {
        SignedRoster(
            bytes: bytes, signature: device.key.signature(for: Array("portolan/1 roster".utf8) + bytes))
    }

    static func read(_ input: inout FuzzInput) {
        let signer = devices[input.number(below: devices.count)]
        let hasSecret = input.flag()
        let bytes = input.rest()
        guard let roster = try? Roster(decoding: bytes) else { return }
        require(roster.encode() == bytes, "A roster is written otherwise than it was read")
        adopt(bytes, by: signer, secret: hasSecret ? team.secret : nil)
    }

    private static func adopt(_ bytes: [UInt8], by signer: DeviceIdentity, secret: SecretBytes?) {
        let update = TeamHeads.Update(signed: signed(bytes, by: signer), secret: secret)
        var team = team
        _ = try? team.adopt(update, as: PinnedKey(Parties.third.publicKey), now: now)
        _ = try? TeamHeads.restored([update])
        if let joined = try? TeamHeads.joining([update], now: now) { look(at: joined) }
        look(at: team)
    }

    private static func look(at team: TeamHeads) {
        require(!team.heads.isEmpty && team.heads.count <= RosterLimits.heads, "A team without a head, or with many")
        _ = (team.secret, team.removedKeys, team.needsRenewal(now: now), team.team.validity(now: now))
        for device in devices {
            _ = team.upkeep(by: device.publicKey, now: now)
            _ = team.notice(to: PinnedKey(device.publicKey), from: PinnedKey(Parties.own.publicKey))
        }
    }

    // MARK: Messages about teams

    static func shared(_ team: TeamHeads) -> SharedTeam {
        valid {
            let heads = try team.updates.map {
                try RosterHead(roster: $0.signed.bytes, signature: $0.signed.signature, secret: $0.secret)
            }
            return SharedTeam(team: team.id, digest: team.team.digest, heads: heads)
        }
    }

    private static func adopt(_ heads: [RosterHead]) {
        var team = team
        for head in heads {
            let signed = SignedRoster(bytes: head.roster, signature: head.signature)
            let update = TeamHeads.Update(signed: signed, secret: head.secret)
            _ = try? team.adopt(update, as: PinnedKey(Parties.own.publicKey), now: now)
        }
        look(at: team)
    }

    static func exchange(_ input: inout FuzzInput) {
        var exchange = TeamExchange(own: input.flag() ? [shared(team)] : [], capabilities: [.takes])
        _ = exchange.start()
        do throws(ProtocolViolation) {
            while !input.isEmpty, !exchange.isComplete {
                for action in try exchange.receive(message(&input)) {
                    switch action {
                    case .send(let message): requireReadable(message)
                    case .adopt(_, let heads): adopt(heads)
                    case .complete: require(exchange.isComplete, "Complete and not complete")
                    case .closed: return
                    }
                }
            }
            try exchange.endOfInput()
        } catch {
            _ = error.description
        }
    }

    static func join(_ input: inout FuzzInput) {
        do throws(ProtocolViolation) {
            if input.flag() { try request(&input) } else { try admit(&input) }
        } catch {
            _ = error.description
        }
    }

    private static func request(_ input: inout FuzzInput) throws(ProtocolViolation) {
        var machine = JoiningMachine(name: Parties.third.name)
        _ = machine.start()
        while !input.isEmpty {
            for action in try machine.receive(message(&input)) {
                switch action {
                case .send(let message): requireReadable(message)
                case .adopt(_, let heads):
                    adopt(heads)
                    _ = machine.stored()
                case .closed, .finished: return
                }
            }
        }
        try machine.endOfInput()
    }

    private static func admit(_ input: inout FuzzInput) throws(ProtocolViolation) {
        let welcomes = input.flag()
        var machine = AdmittingMachine()
        while !input.isEmpty {
            for action in try machine.receive(message(&input)) {
                switch action {
                case .send(let message): requireReadable(message)
                case .admit(let name):
                    _ = name.description
                    let said =
                        welcomes
                        ? machine.admitted(team.id, shared(team).heads) : machine.refuse(Message.Close(.notTrusted))
                    require(!said.isEmpty, "No answer")
                case .closed, .finished: return
                }
            }
        }
        try machine.endOfInput()
    }

    private static func message(_ input: inout FuzzInput) throws(ProtocolViolation) -> Message {
        try Message(decoding: input.piece())
    }

    // MARK: Rosters side by side

    /// Three devices that change their team, may exchange rosters, and invent some.
    static func govern(_ input: inout FuzzInput) {
        var random = Numbers()
        var copies = Array(repeating: team, count: devices.count)
        for _ in 0..<24 where !input.isEmpty {
            let step = input.byte()
            let (one, other) = (Int(step >> 3) % devices.count, Int(step >> 5) % devices.count)
            switch step % 8 {
            case 0...3:
                guard let change = change(&input) else { continue }
                try? copies[one].change(change, by: devices[one].key, now: now, using: &random)
            case 4, 5:
                for update in copies[other].updates {
                    _ = try? copies[one].adopt(update, as: PinnedKey(devices[one].publicKey), now: now)
                }
            case 6:
                var bytes = copies[one].heads[0].signed.bytes
                let start = Int(input.byte()) << 8 | Int(input.byte())
                let piece = input.piece()
                let place = start % (bytes.count + 1)
                bytes.replaceSubrange(place..<min(bytes.count, place + piece.count), with: piece)
                let update = TeamHeads.Update(signed: signed(bytes, by: devices[other]), secret: copies[one].secret)
                _ = try? copies[one].adopt(update, as: PinnedKey(devices[one].publicKey), now: now)
            default:
                try? copies[0].reclaim(by: Parties.own.key, called: Parties.own.name, now: now, using: &random)
            }
        }
        for copy in copies {
            look(at: copy)
            let restored = valid { try TeamHeads.restored(copy.updates) }
            require(restored.team.digest == copy.team.digest, "A team is not what was stored")
        }
    }

    private static func change(_ input: inout FuzzInput) -> RosterChange? {
        let kind = input.byte()
        let device = devices[Int(kind >> 4) % devices.count]
        let (key, stranger) = (PinnedKey(device.publicKey), PinnedKey(Parties.device("new", kind | 64).publicKey))
        func text() -> String { String(decoding: input.prefix(Int(input.byte() % 16)), as: UTF8.self) }
        switch kind % 10 {
        case 0: return .remove(key)
        case 1: return (try? DeviceName(text())).map { .add(stranger, name: $0, groups: []) }
        case 2: return .add(key, name: device.name, groups: [])
        case 3: return (try? GroupName(text())).map { .addToGroup(key, $0) }
        case 4: return (try? GroupName(text())).map { .removeFromGroup(key, $0) }
        case 5: return .promote(key)
        case 6: return (try? DeviceName(text())).map { .rename(key, $0) }
        case 7: return .renew
        case 8: return .remove(stranger)
        default: return .settle
        }
    }
}

/// Reproducible numbers that look random.
struct Numbers: RandomNumberGenerator {
    private var state: UInt64 = 0

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return (state ^ state >> 29) &* 0xBF58_476D_1CE4_E5B9
    }
}
