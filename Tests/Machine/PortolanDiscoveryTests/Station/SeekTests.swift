import Testing

@testable import PortolanDiscovery

/// Asking for one service by name, crowds, and addresses off their link, against a scripted Avahi.
struct SeekTests {
    private func id(_ name: String, _ interface: UInt32 = 1) -> ServiceRecord.ID {
        ServiceRecord.ID(instanceName: name, interface: interface, family: .v4)
    }

    private func service(_ ip: IPAddress) -> ResolvedService {
        ResolvedService(hostName: "h", ip: ip, port: 1, txt: [:])
    }

    private let loopback = IPAddress.v4(0x7F00_0001)

    /// Events that the stream holds; shuts the station down.
    private func events(in stream: AsyncStream<DiscoveryEvent>, of bench: StationBench) async -> [DiscoveryEvent] {
        bench.station.shutDown()
        var events: [DiscoveryEvent] = []
        for await event in stream { events.append(event) }
        return events
    }

    @Test func namedServiceIsQueriedOnEveryLinkWithoutBrowsing() async throws {
        let bench = try StationBench()
        let stream = bench.watch("Anna")
        #expect(bench.stack.browsers.isEmpty)
        let links = LinkAddresses.current(on: nil).keys
        #expect(Set(bench.stack.resolvers.keys.map(\.interface)) == Set(links) && !links.isEmpty)
        #expect(bench.stack.resolvers.keys.allSatisfy { $0.instanceName == "Anna" })
        bench.stack.resolve(id("Anna"), .found(service(loopback)))
        bench.turn()
        let found = await events(in: stream, of: bench).compactMap { $0.record() }
        #expect(found.map(\.address.ip) == [loopback])
    }

    @Test func namedServiceIsQueriedInAFloodThatTakesAllResolvers() async throws {
        let bench = try StationBench()
        let everything = bench.watch()
        for number in 0..<5000 { bench.stack.browse(.new(id("n\(number)"), isOwn: false)) }
        let stream = bench.watch("Anna", as: 2)
        #expect(bench.stack.resolvers[id("Anna")] != nil)
        bench.stack.resolve(id("Anna"), .found(service(loopback)))
        bench.turn()
        let found = await events(in: stream, of: bench)
        #expect(found.compactMap { $0.record() }.map(\.instanceName) == ["Anna"], "and of nobody else")
        withExtendedLifetime(everything) {}
    }

    @Test func unansweredQueryIsRepeated() async throws {
        let bench = try StationBench()
        let stream = bench.watch("Anna")
        bench.stack.resolve(id("Anna"), .failed(.timeout))
        #expect(bench.stack.resolvers[id("Anna")] == nil)
        let deadline = ContinuousClock.now + .seconds(120)
        while bench.stack.resolvers[id("Anna")] == nil, .now < deadline { bench.turn(for: .milliseconds(20)) }
        bench.stack.resolve(id("Anna"), .found(service(loopback)))
        #expect(await events(in: stream, of: bench).contains { $0.record(named: "Anna") != nil })
    }

    @Test func crowdIsReportedOnceAndAfterEachDoubling() async throws {
        let bench = try StationBench()
        let stream = bench.watch()
        for number in 0..<2100 { bench.stack.browse(.new(id("n\(number)"), isOwn: false)) }
        bench.turn()
        let crowds = await events(in: stream, of: bench).compactMap { event -> Int? in
            if case .crowded(let count) = event { count } else { nil }
        }
        #expect(crowds == [512, 1024, 2048])
    }

    @Test func linksAndFamiliesOfOneServiceAreNoCrowd() async throws {
        let bench = try StationBench()
        let stream = bench.watch()
        for number in 0..<600 {
            bench.stack.browse(.new(id("n\(number % 300)", UInt32(1 + number / 300)), isOwn: false))
        }
        let told = await events(in: stream, of: bench)
        #expect(!told.contains { if case .crowded = $0 { true } else { false } })
    }

    @Test func onLinkCheckUsesThePresentLinks() async throws {
        let network = LinkPrefixes.Prefix(.v4(0xC000_0200), length: 24)
        let bench = try StationBench(prefixes: { LinkPrefixes([1: [network], 2: []], loopbacks: [], own: []) })
        let stream = bench.watch()
        for link in [UInt32(1), 2] {
            bench.stack.browse(.new(id("Anna", link), isOwn: false))
            bench.stack.resolve(id("Anna", link), .found(service(.v4(0xC000_0207))))
        }
        bench.turn()
        let found = await events(in: stream, of: bench).compactMap { $0.record() }
        #expect(found.first { $0.id.interface == 1 }?.refusal == nil)
        #expect(found.first { $0.id.interface == 2 }?.refusal == .offLink)
    }
}
