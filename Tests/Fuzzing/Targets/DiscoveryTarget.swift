import PortolanCrypto
import PortolanDiscovery
import PortolanTrust

extension FuzzTarget {
    /// Records from the network: services with their addresses and TXT records, and hidden devices.
    static let discovery = FuzzTarget("discovery") { input in
        var directory = PeerDirectory(
            foundBy: .embedded, recogniser: DiscoveryFuzzer.recogniser,
            expected: PeerDirectory.Expected(name: "peer", fingerprints: [Parties.peer.fingerprint]))
        while !input.isEmpty {
            let step = input.byte()
            let changes: [PeerDirectory.Change] =
                switch step % 8 {
                case 0...3: directory.apply(.found(DiscoveryFuzzer.record(&input)))
                case 4: directory.apply(.found(DiscoveryFuzzer.hidden(&input)))
                case 5: directory.apply(.lost(DiscoveryFuzzer.id(&input)))
                case 6: directory.recognise(with: step & 8 == 0 ? DiscoveryFuzzer.recogniser : PresenceRecogniser([]))
                default: directory.apply(step & 8 == 0 ? .crowded(Int(input.word() >> 1)) : .settled)
                }
            require(Set(changes).count == changes.count, "One change is told twice")
        }
        for peer in directory.peers { _ = "\(peer)" }
        _ = directory.offLinkAddresses { _, _ in true }
    }
}

private enum DiscoveryFuzzer {
    private static let secrets = [1, 2].map { SecretBytes(copying: [UInt8](repeating: $0, count: 32)) }

    static let recogniser = PresenceRecogniser(
        secrets.enumerated().map {
            PresenceRecogniser.TeamSecret(team: TeamFuzzer.team.id, secret: $0.element, generation: $0.offset)
        })

    private static let port: UInt16 = 47_217

    /// Seals that members of a team advertise.
    private static let seals: [PresenceSeal] = {
        var random = Numbers()
        return [Parties.peer, Parties.third].flatMap {
            PresenceSeal.seals(of: $0.fingerprint, port: port, for: secrets, using: &random)
        }
    }()

    static func id(_ input: inout FuzzInput) -> ServiceRecord.ID {
        let choice = input.byte()
        let name = ["peer", "Peer", "", "other"][Int(choice) % 4]
        let longer = choice & 32 == 0 ? name : String(decoding: input.prefix(Int(input.byte())), as: UTF8.self)
        return ServiceRecord.ID(
            instanceName: longer, interface: UInt32(choice >> 2 & 3), family: choice & 16 == 0 ? .v4 : .v6)
    }

    static func record(_ input: inout FuzzInput) -> ServiceRecord {
        let id = id(&input)
        let address = address(&input)
        var strings: [[UInt8]] = []
        for _ in 0..<(Int(input.byte()) % 8) { strings.append(input.prefix(Int(input.byte()))) }
        return record(id, address, TXTRecord.parse(strings) ?? [:], &input)
    }

    /// The genuine record of a hidden device, seen at any address.
    static func hidden(_ input: inout FuzzInput) -> ServiceRecord {
        let id = id(&input)
        let seal = seals[input.number(below: seals.count)]
        let address = NetworkAddress(ip: address(&input).ip, port: port)
        return record(id, address, ["txtvers": [0x31], "v": [0x31], "n": seal.nonce, "t": seal.slots], &input)
    }

    private static func record(
        _ id: ServiceRecord.ID, _ address: NetworkAddress, _ txt: [String: [UInt8]], _ input: inout FuzzInput
    ) -> ServiceRecord {
        let flags = input.byte()
        return ServiceRecord(
            id: id, hostName: "host.local", address: address, txt: txt, isOwn: flags & 7 == 7,
            isOnLink: flags & 24 != 24)
    }

    private static func address(_ input: inout FuzzInput) -> NetworkAddress {
        let choice = input.byte()
        let ip: IPAddress =
            switch choice % 4 {
            case 0: .v4(0xC0A8_0000 | UInt32(choice))
            case 1: .v6(0xFE80 << 48, UInt64(choice))
            case 2: .v4(UInt32(truncatingIfNeeded: input.word()))
            default: .v6(input.word(), input.word())
            }
        return NetworkAddress(ip: ip, port: choice & 4 == 0 ? port : UInt16(input.byte()))
    }
}
