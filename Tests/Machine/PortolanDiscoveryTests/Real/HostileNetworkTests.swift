import Foundation
import PortolanDiscovery
import TestSupport
import Testing

/// Real mDNS, by the daemon and by the embedded stack, with a neighbour that sends forged messages.
struct HostileNetworkTests {
    @Test(.disabled(if: PrivateHost.isInside, "starts the private host that this is"))
    func aHostileNeighbourIsLivedWith() async throws {
        try await PrivateHost.expectSuccess(of: "OnAHostileNetwork", count: 9, "with a hostile neighbour")
    }
}

/// The tests that ``HostileNetworkTests`` runs inside.
@Suite(.serialized, .enabled(if: PrivateHost.isInside, "runs only inside a private host"))
struct OnAHostileNetwork {
    private let link = "lan0"
    private let own = "10.88.0.1"
    private let neighbour = "10.88.0.9"
    private let network = "/run/netns/far"

    private func speaker(port: UInt16 = 5353) throws -> MulticastSpeaker {
        try MulticastSpeaker(in: network, from: neighbour, port: port)
    }

    private func with<Result>(
        _ choice: DiscoveryChoice, _ body: (any Discovery) async throws -> Result
    ) async throws -> Result {
        try await choice.with(interfaces: [link], body)
    }

    /// The directory after all events up to the first moment at which `condition` holds.
    private func directory(
        _ events: EventLog<DiscoveryEvent>, when condition: @Sendable (PeerDirectory) -> Bool
    ) async -> PeerDirectory? {
        await events.history { events in
            var directory = PeerDirectory(foundBy: .embedded)
            for event in events { _ = directory.apply(event) }
            return condition(directory) ? directory : nil
        }
    }

    /// Sends a message repeatedly until `condition` holds, since the first may come before the browser listens.
    private func repeating(
        every pause: Duration = .milliseconds(300), _ speak: () throws -> Void,
        until condition: () async throws -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + .seconds(120)
        while try await !condition() {
            try #require(ContinuousClock.now < deadline, "it did not come about in time")
            try speak()
            try await Task.sleep(for: pause)
        }
    }

    private func has(_ name: String, _ events: EventLog<DiscoveryEvent>) async -> Bool {
        var isThere = false
        for event in await events.events {
            if event.record(named: name) != nil { isThere = true }
            if event.lostRecord(named: name) != nil { isThere = false }
        }
        return isThere
    }

    @Test func a_offLinkAddressesAreNotTried() async throws {
        _ = try PrivateHost.addNeighbour(link, own: own, neighbour: neighbour)
        try PrivateHost.startBus()
        try PrivateHost.startAvahi(on: link)
        let stranger = try speaker()
        let elsewhere = ["8.8.8.8", "172.17.0.1", "169.254.1.1", "10.88.0.255", "10.88.1.7", "127.0.0.1", "224.0.0.9"]
        for choice in [DiscoveryChoice.embedded, .avahi] {
            try await with(choice) { ben in
                let events = EventLog(ben.browse())
                // A third host on the link: anybody can advertise its address, and a handshake there fails.
                let places = elsewhere + ["0.0.0.0", "10.88.0.77"]
                try await repeating({
                    for (number, place) in places.enumerated() {
                        try stranger.say(.announcing("s\(number)", at: place, port: 4000 + UInt16(number)))
                    }
                }) {
                    let names = Set(await events.events.compactMap { $0.record()?.instanceName })
                    return (0..<elsewhere.count).allSatisfy { names.contains("s\($0)") }
                        && names.contains("s\(places.count - 1)")
                }
                let found = try #require(await directory(events) { $0.peers.count >= 1 })
                #expect(found.peers.flatMap(\.addresses).map(\.ip.description) == ["10.88.0.77"])
                let told = Set(found.offLinkAddresses { _, _ in true }.map(\.ip.description))
                #expect(told.isSuperset(of: ["8.8.8.8", "172.17.0.1", "169.254.1.1", "10.88.0.255", "10.88.1.7"]))
            }
        }
    }

    @Test func b_addressesAreJudgedAgainWhenTheLinkGetsANetwork() async throws {
        let stranger = try speaker()
        try await with(.embedded) { ben in
            let events = EventLog(ben.browse())
            try await repeating({ try stranger.say(.announcing("moving", at: "10.99.0.7")) }) {
                await directory(events, when: { _ in true })?.offLinkAddresses { name, _ in name == "moving" }.isEmpty
                    == false
            }
            try PrivateHost.ip("address", "add", "10.99.0.1/24", "dev", link)
            let peer = await directory(events) { $0.peers.contains { $0.name == "moving" } }
            #expect(peer?.offLinkAddresses { name, _ in name == "moving" }.isEmpty == true)
            try PrivateHost.ip("address", "delete", "10.99.0.1/24", "dev", link)
            #expect(await directory(events) { !$0.peers.contains { $0.name == "moving" } } != nil)
        }
    }

    @Test func c_malformedMessagesDoNoHarm() async throws {
        let stranger = try speaker()
        for choice in [DiscoveryChoice.embedded, .avahi] {
            try await with(choice) { ben in
                let events = EventLog(ben.browse())
                let whole = MulticastMessage.announcing("broken", at: "10.88.0.70").bytes
                var random = SeededGenerator(seed: 0x5EED_0B12)
                // Names that point to themselves, to each other, forwards, behind the end and into the header.
                for pointer: [UInt8] in [
                    [0xC0, 12], [0xC0, 14, 0xC0, 12], [0xC0, 0xFF], [0xFF, 0xFF], [0xC0, 0], [0xC0],
                ] {
                    let header: [UInt8] = [0, 0, 0x84, 0, 0, 0, 0, 1, 0, 0, 0, 0]
                    try stranger.say(
                        MulticastMessage(raw: header + pointer + [0, 12, 0, 1, 0, 0, 0, 120, 0, 2, 0xC0, 12]))
                }
                for length in stride(from: 0, to: whole.count, by: 3) {
                    try stranger.say(MulticastMessage(raw: Array(whole.prefix(max(1, length)))))
                }
                for _ in 0..<300 {
                    var changed = whole
                    for _ in 0..<Int.random(in: 1...8, using: &random) {
                        changed[Int.random(in: changed.indices, using: &random)] = .random(in: 0...255, using: &random)
                    }
                    try stranger.say(MulticastMessage(raw: changed))
                }
                // A record whose length field exceeds the message.
                var long = whole
                long[5] = 200
                try stranger.say(MulticastMessage(raw: long))
                try await repeating({ try stranger.say(.announcing("honest \(choice)", at: "10.88.0.71")) }) {
                    await has("honest \(choice)", events)
                }
            }
        }
    }

    @Test func d_aTextOfThousandsOfBytesIsNoPeers() async throws {
        let stranger = try speaker()
        let text = (0..<34).map { number in Array("k\(number)=".utf8) + [UInt8](repeating: 0x78, count: 248) }
        for choice in [DiscoveryChoice.embedded, .avahi] {
            try await with(choice) { ben in
                let events = EventLog(ben.browse())
                let large = MulticastMessage.announcing("large", at: "10.88.0.72", text: text)
                #expect((8700...9000).contains(large.bytes.count), "\(large.bytes.count)")
                try await repeating({
                    try stranger.say(large)
                    try stranger.say(.announcing("small \(choice)", at: "10.88.0.73"))
                }) { await has("small \(choice)", events) }
                let heard = await events.events
                #expect(heard.allSatisfy { $0.record(named: "large") == nil })
            }
        }
    }

    @Test func e_extremeLifetimesAreHandled() async throws {
        let stranger = try speaker()
        for choice in [DiscoveryChoice.embedded, .avahi] {
            try await with(choice) { ben in
                let events = EventLog(ben.browse())
                let name = "years \(choice)"
                try await repeating({
                    try stranger.say(.announcing("never", at: "10.88.0.74", lifetime: 0))
                    try stranger.say(.announcing(name, at: "10.88.0.75", lifetime: .max))
                }) { await has(name, events) }
                let heard = await events.events
                #expect(heard.allSatisfy { $0.record(named: "never") == nil })
                // The device's own goodbye removes it a second later.
                try await repeating(
                    every: .seconds(3), { try stranger.say(.announcing(name, at: "10.88.0.75", lifetime: 0)) }
                ) { await !has(name, events) }
            }
        }
    }

    @Test func f_aGoodbyeInAnothersNameDoesNotLast() async throws {
        let stranger = try speaker()
        for choice in [DiscoveryChoice.embedded, .avahi] {
            try await with(choice) { anna in
                let name = "anna \(choice)"
                let handle = try await anna.advertise(Advertisement(name: name, port: 4711, txt: [("txtvers", [49])]))
                _ = await EventLog(handle.names).first { $0 }
                try await with(choice == .avahi ? .embedded : .avahi) { ben in
                    let events = EventLog(ben.browse())
                    #expect(await events.first { $0.record(named: name) } != nil)
                    let goodbye = MulticastMessage(answers: [.pointer(to: name, lifetime: 0)])
                    for _ in 0..<3 { try stranger.say(goodbye) }
                    // The owner of the name announces it again, before or after the goodbye takes effect.
                    try await Task.sleep(for: .seconds(3))
                    try await repeating({}) { await has(name, events) }
                }
            }
        }
    }

    @Test func g_aStormOfConflictsEndsWithAName() async throws {
        let stranger = try speaker()
        try await with(.embedded) { anna in
            let handle = try await anna.advertise(Advertisement(name: "twin", port: 4711, txt: []))
            let names = EventLog(handle.names)
            #expect(await names.first { $0 } == "twin")
            // Each name that she takes is claimed a moment later, a few times.
            var claimed = 0
            for _ in 0..<4 {
                let name = try #require(await names.history { names in names.dropFirst(claimed).last })
                claimed = await names.events.count
                let before = claimed
                try await repeating({
                    try stranger.say(
                        MulticastMessage(answers: [.service(name, host: "somewhere", port: 9), .text(name, [[0x78]])]))
                }) { await names.events.count > before }
            }
            let taken = await names.events.count
            let all = await names.events
            #expect((5...12).contains(taken), "\(all)")
            try await with(.embedded) { ben in
                let last = try #require(await names.events.last)
                #expect(await EventLog(ben.browse()).first { $0.record(named: last) } != nil)
            }
        }
    }

    @Test func h_queryFromAnotherNetworkGetsNoAnswer() async throws {
        try PrivateHost.ip("-n", "far", "address", "add", "203.0.113.9/32", "dev", link)
        try PrivateHost.ip("route", "add", "203.0.113.9/32", "dev", link)
        try? "0".write(toFile: "/proc/sys/net/ipv4/conf/\(link)/rp_filter", atomically: false, encoding: .utf8)
        for (turn, choice) in [DiscoveryChoice.avahi, .embedded].enumerated() {
            if choice == .embedded { try PrivateHost.stopAvahi() }
            try await with(choice) { anna in
                let name = "private \(choice)"
                let handle = try await anna.advertise(Advertisement(name: name, port: 4711, txt: []))
                _ = await EventLog(handle.names).first { $0 }
                /// Answers to questions by unicast, from the port of a resolver that asks once (RFC 6762 §6.7).
                func answers(to source: String, port: UInt16) throws -> [[UInt8]] {
                    let asking = try MulticastSpeaker(in: network, from: source, port: port)
                    var answers: [[UInt8]] = []
                    for number in 0..<20 {
                        try asking.say(MulticastMessage(questionWithIdentifier: UInt16(number)), to: own)
                        while let answer = asking.hear() { answers.append(answer) }
                    }
                    return answers
                }
                let port = 40_001 + 2 * UInt16(turn)
                #expect(try answers(to: neighbour, port: port).contains { $0.contains(label: name) })
                #expect(try answers(to: "203.0.113.9", port: port + 1).isEmpty, "\(choice)")
            }
        }
        try PrivateHost.startAvahi(on: link)
    }

    @Test func i_namedPeerIsFoundInAFlood() async throws {
        let stranger = try speaker()
        try await with(.avahi) { ben in
            let events = EventLog(ben.browse())
            let names = (0..<5000).map { "hostile \($0)" }
            // No faster than the daemon can take them, on a busy machine more slowly from one time to the next.
            let flooding = Task {
                var pause = Duration.milliseconds(40)
                while !Task.isCancelled {
                    try await stranger.flood(names) { try await Task.sleep(for: pause) }
                    try await Task.sleep(for: .seconds(5))
                    pause *= 2
                }
            }
            defer { flooding.cancel() }
            let crowd = await events.first { event -> Int? in
                if case .crowded(let count) = event { count } else { nil }
            }
            #expect((crowd ?? 0) >= 512)
            // A new device appears although the directory is full.
            try await with(.embedded) { anna in
                let handle = try await anna.advertise(
                    Advertisement(name: "honest one", port: 4711, txt: [("txtvers", [49])]))
                _ = await EventLog(handle.names).first { $0 }
                let began = ContinuousClock.now
                try await with(.embedded) { cleo in
                    let found = await EventLog(cleo.seek("honest one")).first { $0.record(named: "honest one") }
                    print("measured: asked for by name in a flood of 5000, found after \(began.duration(to: .now))")
                    #expect(found?.address.port == 4711 && found?.refusal == nil)
                }
            }
        }
    }
}
