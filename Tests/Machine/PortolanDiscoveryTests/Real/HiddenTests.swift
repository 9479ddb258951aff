import Foundation
import PortolanCrypto
import PortolanDiscovery
import PortolanTrust
import Testing

/// Hidden devices and devices that wait with a code, against real mDNS in a network of its own.
struct HiddenTests {
    @Test(.disabled(if: PrivateHost.isInside, "starts the private host that this is"))
    func hiddenDevicesAreFoundOnlyByTheirTeams() async throws {
        try await PrivateHost.expectSuccess(of: "HiddenOnANetwork", count: 6, "of hidden devices on a network")
    }
}

/// Tests that ``HiddenTests`` runs inside.
@Suite(.serialized, .enabled(if: PrivateHost.isInside, "runs only inside a private host"))
struct HiddenOnANetwork {
    private let link = "lan0"
    private let port: UInt16 = 47217

    /// Makes a discovery, hands it to `body` and shuts it down.
    private func with<Result>(
        _ choice: DiscoveryChoice, _ body: (any Discovery) async throws -> Result
    ) async throws -> Result {
        try await choice.with(interfaces: [link], body)
    }

    /// First peer that a browser with this recogniser finds.
    private func firstPeer(
        _ events: EventLog<DiscoveryEvent>, _ recogniser: PresenceRecogniser,
        where condition: @Sendable (DiscoveredPeer) -> Bool = { _ in true }
    ) async -> DiscoveredPeer? {
        await events.history { events in
            var directory = PeerDirectory(foundBy: .avahi, recogniser: recogniser)
            for event in events { _ = directory.apply(event) }
            return directory.peers.first(where: condition)
        }
    }

    /// Checks that no record about Portolan names the machine or the device.
    ///
    /// The daemon announces the machine's own name, possibly in the same packet, so that only the records are checked.
    private func assertNothingIsTold(_ frames: [[UInt8]], _ seals: [PresenceSeal]) {
        for seal in seals { #expect(frames.contains { $0.contains(seal.slots) }, "the log heard what was advertised") }
        for frame in frames {
            #expect(!frame.contains(fingerprint(1).bytes), "the fingerprint")
            #expect(!frame.contains(text: fingerprint(1).description.filter { $0 != "-" }), "the fingerprint")
            #expect(!frame.contains(text: "portolan-"), "the embedded stack's own host name")
        }
        let texts = frames.flatMap(MulticastRecord.all(in:)).compactMap(\.textKeys).filter { $0.contains("txtvers") }
        #expect(!texts.isEmpty && texts.allSatisfy { $0 == ["txtvers", "v", "n", "t"] }, "\(texts)")
        var records = Set(frames.flatMap(MulticastRecord.all(in:)))
        let machine = records.filter { record in
            switch record.data {
            case .address: record.name == PrivateHost.hostName + ".local"
            case .pointer(let name): record.name.hasSuffix(".arpa") && name == PrivateHost.hostName + ".local"
            default: false
            }
        }
        records.subtract(machine)

        let service = "._portolan._tcp.local"
        var hosts: Set<String> = []
        for record in records {
            if case .service(let host, let port) = record.data {
                #expect(record.name.hasSuffix(service) && isRandom(record.name.dropLast(service.count)))
                #expect(host.hasSuffix(".local") && isRandom(host.dropLast(".local".count)) && port == self.port)
                hosts.insert(host)
            }
        }
        #expect(!hosts.isEmpty)
        for record in records {
            switch record.data {
            case .service: break
            case .address(let ip):
                #expect(
                    hosts.contains(record.name) && ["10.77.0.1", "fd00:77::1"].contains(ip.description), "\(record)")
            case .pointer(let target) where record.name == "_services._dns-sd._udp.local":
                #expect("." + target == service)
            case .pointer(let target):
                #expect("." + record.name == service && isRandom(target.dropLast(service.count)), "\(record)")
            case .other(let type, let data):
                #expect(type == 16 && record.name.hasSuffix(service), "\(record)")
                #expect(!data.contains(text: PrivateHost.hostName), "\(record)")
            }
        }
    }

    private func isRandom(_ label: some StringProtocol) -> Bool {
        label.count == 16 && label.allSatisfy { "abcdefghijklmnopqrstuvwxyz234567".contains($0) }
    }

    /// Hides a device by `choice`; browsers of each of the backends find it, and a stranger does not.
    private func hide(by choice: DiscoveryChoice, browsers: [DiscoveryChoice]) async throws {
        let log = try PacketLog()
        let sealed = seal(1, for: 1)
        try await with(choice) { anna in
            let began = ContinuousClock.now
            let handle = try await anna.advertise(.hidden(sealed, port: port))
            for browser in browsers {
                try await with(browser) { ben in
                    let events = EventLog(ben.browse())
                    // A device that has just left is remembered for another second (RFC 6762 §10.1).
                    let found = await firstPeer(events, recogniser(2, 1)) { peer in
                        guard case .hidden(let access) = peer.opening else { return false }
                        return access.nonce == sealed.nonce && peer.addresses.count > 1
                    }
                    let peer = try #require(found)
                    print(
                        "measured: hidden by \(choice), found by \(browser) after \(began.duration(to: .now))")
                    #expect(peer.fingerprint == fingerprint(1) && peer.name.isEmpty)
                    #expect(Set(peer.addresses.map(\.ip.description)) == ["10.77.0.1", "fd00:77::1"])
                    #expect(peer.addresses.allSatisfy { $0.port == port })
                    #expect(peer.openings(at: peer.addresses[0]).first == peer.opening)
                    guard case .hidden(let access) = peer.opening else { return #expect(Bool(false)) }
                    #expect(access.team == team(1) && access.secret == teamSecret(1))

                    var stranger = PeerDirectory(foundBy: .avahi, recogniser: recogniser(2))
                    for event in await events.events { _ = stranger.apply(event) }
                    #expect(stranger.peers.isEmpty)
                }
            }
            await handle.withdraw()
        }
        try await Task.sleep(for: .milliseconds(500))
        assertNothingIsTold(log.takeFrames(), [sealed])
    }

    @Test func a_byTheEmbeddedStack() async throws {
        try PrivateHost.addLink(link, "10.77.0.1/24", "fd00:77::1/64")
        try await hide(by: .embedded, browsers: [.embedded])
    }

    @Test func b_browsingEmbeddedStackAnnouncesNothing() async throws {
        let log = try PacketLog()
        try await with(.embedded) { anna in
            let events = EventLog(anna.browse())
            #expect(await events.first { $0 == .settled ? true : nil } == true)
        }
        let frames = log.takeFrames()
        #expect(frames.contains { $0.contains(text: "_portolan") }, "the question was heard")
        #expect(!frames.contains { $0.contains(text: "portolan-") })
    }

    @Test func c_byTheDaemon() async throws {
        try PrivateHost.startBus()
        try PrivateHost.startAvahi(on: link)
        try await hide(by: .avahi, browsers: [.avahi, .embedded])
        try await hide(by: .embedded, browsers: [.avahi])
    }

    @Test func d_theAddressesAreFollowed() async throws {
        for choice in [DiscoveryChoice.avahi, .embedded] {
            try await with(choice) { anna in
                _ = try await anna.advertise(.hidden(seal(1, for: 1), port: port))
                try await with(.embedded) { ben in
                    let events = EventLog(ben.browse())
                    #expect(await firstPeer(events, recogniser(1)) { $0.addresses.count > 1 } != nil)
                    try PrivateHost.ip("address", "add", "10.77.0.9/24", "dev", link)
                    try PrivateHost.ip("address", "delete", "10.77.0.1/24", "dev", link)
                    try PrivateHost.ip("address", "replace", "10.77.0.9/24", "dev", link)
                    try PrivateHost.ip("route", "replace", "224.0.0.0/4", "dev", link)
                    let moved = await firstPeer(events, recogniser(1)) { peer in
                        peer.addresses.contains { $0.ip.description == "10.77.0.9" }
                    }
                    #expect(moved != nil, "hidden by \(choice)")
                }
            }
            try PrivateHost.ip("address", "add", "10.77.0.1/24", "dev", link)
            try PrivateHost.ip("address", "delete", "10.77.0.9/24", "dev", link)
            try PrivateHost.ip("address", "replace", "10.77.0.1/24", "dev", link)
            try PrivateHost.ip("route", "replace", "224.0.0.0/4", "dev", link)
            // Records about the other address are forgotten.
            try await Task.sleep(for: .seconds(2))
        }
    }

    @Test func e_renewedDeviceStaysVisibleWithUnlinkableRecords() async throws {
        for choice in [DiscoveryChoice.avahi, .embedded] {
            let log = try PacketLog()
            try await with(choice) { anna in
                let timing = HiddenPresence.Intervals(interval: .seconds(1), overlap: .seconds(6))
                let presence = HiddenPresence(port: port, timing: timing) { [seal(1, for: 1)] }
                let running = Task { try await presence.run(on: anna) }
                try await with(.embedded) { ben in
                    let events = EventLog(ben.browse())
                    let seen = await events.history { events in
                        let records = events.compactMap { $0.record() }
                        return Set(records.map(\.instanceName)).count >= 4 ? events : nil
                    }
                    let history = try #require(seen, "three changes by \(choice)")
                    var directory = PeerDirectory(foundBy: .embedded, recogniser: recogniser(1))
                    for change in history.flatMap({ directory.apply($0) }) {
                        if case .vanished = change { Issue.record("gone in between, by \(choice)") }
                    }
                    #expect(directory.peers.map(\.fingerprint) == [fingerprint(1)])
                    #expect(history.contains { if case .lost = $0 { true } else { false } }, "the old ones go")
                    let records = Dictionary(grouping: history.compactMap { $0.record() }, by: \.instanceName)
                    #expect(Set(records.values.flatMap { $0.map(\.hostName) }).count == records.count)
                    for key in ["n", "t"] {
                        #expect(Set(records.values.compactMap { $0[0].txt[key] }).count == records.count)
                    }
                }
                running.cancel()
                try await running.value
            }
            try await Task.sleep(for: .milliseconds(500))
            assertNothingIsTold(log.takeFrames(), [])
        }
    }

    @Test func f_waitingDeviceIsFoundByItsNumber() async throws {
        for choice in [DiscoveryChoice.avahi, .embedded] {
            try await with(choice) { anna in
                let began = ContinuousClock.now
                _ = try await anna.advertise(.waiting(number: 42, for: .pair, port: port))
                try await with(.embedded) { ben in
                    let events = EventLog(ben.browse())
                    let found = await events.history { events in
                        var devices = WaitingDevices(number: 42, purpose: .pair)
                        for event in events { devices.apply(event) }
                        return devices.devices.first { $0.addresses.count > 1 }
                    }
                    print("measured: waiting by \(choice), found after \(began.duration(to: .now))")
                    #expect(found?.addresses.allSatisfy { $0.port == port } == true)
                    var directory = PeerDirectory(foundBy: .embedded, recogniser: recogniser(1))
                    for event in await events.events { _ = directory.apply(event) }
                    #expect(directory.peers.isEmpty)
                }
            }
        }
        try PrivateHost.stopAvahi()
        try PrivateHost.stopBus()
    }
}
