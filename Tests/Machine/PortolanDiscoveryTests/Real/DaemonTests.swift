import PortolanDiscovery
import Testing

/// The avahi backend against a real daemon, in a network of its own.
struct DaemonTests {
    @Test(.disabled(if: PrivateHost.isInside, "starts the private host that this is"))
    func theDaemonBackendWorksInAPrivateNetwork() async throws {
        try await PrivateHost.expectSuccess(of: "InsidePrivateHost", count: 8, "against an Avahi daemon")
    }
}

/// Tests that ``DaemonTests`` runs inside a private host, where they start and kill the daemons.
@Suite(.serialized, .enabled(if: PrivateHost.isInside, "runs only inside a private host"))
struct InsidePrivateHost {
    let clock = ContinuousClock()

    @Test func a_withoutABusAutomaticEmbedsAtOnce() async throws {
        let began = clock.now
        let discovery = try await DiscoveryChoice.automatic.start(interfaces: ["lo"])
        print("measured: automatic without D-Bus starts in \(began.duration(to: clock.now))")
        #expect(discovery.backend == .embedded)
        #expect(began.duration(to: clock.now) < .seconds(10))
        await discovery.shutdown()
        await #expect(throws: DiscoveryError.self) { _ = try await DiscoveryChoice.avahi.start(interfaces: ["lo"]) }
    }

    @Test func b_withoutADaemonAutomaticEmbedsAtOnce() async throws {
        try PrivateHost.startBus()
        let began = clock.now
        let discovery = try await DiscoveryChoice.automatic.start(interfaces: ["lo"])
        print("measured: automatic without a daemon starts in \(began.duration(to: clock.now))")
        #expect(discovery.backend == .embedded)
        #expect(began.duration(to: clock.now) < .seconds(10))
        await discovery.shutdown()
    }

    /// Starts discovery that uses the daemon by itself; tries again if the daemon of a busy machine had no time to
    /// answer.
    private func automaticByDaemon() async throws -> any Discovery {
        for _ in 0..<20 {
            let discovery = try await DiscoveryChoice.automatic.start(interfaces: ["lo"])
            if discovery.backend == .avahi { return discovery }
            await discovery.shutdown()
        }
        struct DaemonIsNotTaken: Error {}
        throw DaemonIsNotTaken()
    }

    @Test func c_aPeerIsFoundWithItsBinaryTextAndLostWhenWithdrawn() async throws {
        try PrivateHost.startAvahi()
        let anna = try await automaticByDaemon()
        let advertisement = try Advertisement(
            name: "Anna’s laptop", port: 4711,
            txt: [("txtvers", [49]), ("id", [0, 255, 61] + Array(repeating: 7, count: 17))])
        let handle = try await anna.advertise(advertisement)
        #expect(await EventLog(handle.names).first { $0 } == "Anna’s laptop")

        for round in 1...3 {
            let began = clock.now
            let ben = try await automaticByDaemon()
            let events = EventLog(ben.browse())
            let record = try #require(await events.first { $0.record() })
            print(
                "measured: daemon with a warm cache, from start to found, round \(round): \(began.duration(to: clock.now))"
            )
            if round == 1 {
                _ = await events.first { $0 == .settled ? true : nil }
                print("measured: daemon, from start to settled: \(began.duration(to: clock.now))")
            }
            #expect(record.instanceName == "Anna’s laptop" && record.address.port == 4711 && !record.isOwn)
            #expect(record.txt["id"] == [0, 255, 61] + Array(repeating: 7, count: 17) && record.txt["txtvers"] == [49])
            #expect(record.address.description == "127.0.0.1:4711" && record.address.interface?.name == "lo")
            if round == 3 {
                await handle.withdraw()
                #expect(await events.first { $0.lostRecord(named: "Anna’s laptop") } != nil)
            }
            await ben.shutdown()
        }
        await anna.shutdown()
    }

    @Test func d_secondDeviceOfANameIsRenamed() async throws {
        let anna = try await DiscoveryChoice.avahi.start()
        let ben = try await DiscoveryChoice.avahi.start()
        let first = try await anna.advertise(Advertisement(name: "twin", port: 1, txt: []))
        #expect(await EventLog(first.names).first { $0 } == "twin")
        let second = try await ben.advertise(Advertisement(name: "twin", port: 2, txt: []))
        #expect(await EventLog(second.names).first { $0 } == "twin #2")
        await anna.shutdown()
        await ben.shutdown()
    }

    @Test func e_aRestartedDaemonIsFoundAgainAndPublishedToAgain() async throws {
        let anna = try await DiscoveryChoice.avahi.start()
        let ben = try await DiscoveryChoice.avahi.start()
        let handle = try await anna.advertise(Advertisement(name: "restart", port: 1, txt: []))
        _ = await EventLog(handle.names).first { $0 }
        let events = EventLog(ben.browse())
        _ = try #require(await events.first { $0.record(named: "restart") })

        try PrivateHost.stopAvahi()
        #expect(await events.first { if case .unavailable = $0 { true } else { nil } } == true)
        try PrivateHost.startAvahi()
        let back = clock.now
        #expect(await events.first { $0 == .recovered ? true : nil } == true)
        try await assertVisibleToANewcomer("restart")
        print("measured: daemon restarted, visible again after \(back.duration(to: clock.now))")

        // A subscriber receives no event that the device vanished.
        try await Task.sleep(for: .milliseconds(3500))
        #expect(await events.events.allSatisfy { $0.lostRecord(named: "restart") == nil })
        await handle.withdraw()
        #expect(await events.first { $0.lostRecord(named: "restart") } != nil)
        await anna.shutdown()
        await ben.shutdown()
    }

    @Test func f_aRestartedBusIsFoundAgain() async throws {
        let anna = try await DiscoveryChoice.avahi.start()
        let events = EventLog(anna.browse())
        _ = try await anna.advertise(Advertisement(name: "bus", port: 1, txt: []))
        _ = try #require(await events.first { $0.record(named: "bus") })

        try PrivateHost.stopBus()
        try? PrivateHost.stopAvahi()
        #expect(await events.first { if case .unavailable = $0 { true } else { nil } } == true)
        try PrivateHost.startBus()
        try PrivateHost.startAvahi()
        #expect(await events.first { $0 == .recovered ? true : nil } == true)
        try await assertVisibleToANewcomer("bus")
        await anna.shutdown()
    }

    @Test func g_daemonAndEmbeddedSeeEachOther() async throws {
        let anna = try await DiscoveryChoice.avahi.start()
        let ben = try await DiscoveryChoice.embedded.start(interfaces: ["lo"])
        let annaEvents = EventLog(anna.browse())
        let benEvents = EventLog(ben.browse())
        _ = try await anna.advertise(Advertisement(name: "by daemon", port: 1, txt: []))
        _ = try await ben.advertise(Advertisement(name: "by itself", port: 2, txt: []))
        #expect(await annaEvents.first { $0.record(named: "by itself") } != nil)
        #expect(await benEvents.first { $0.record(named: "by daemon") } != nil)
        await anna.shutdown()
        await ben.shutdown()
    }

    @Test func h_automaticReplacesAStoppedDaemonAndReturnsToIt() async throws {
        let anna = try await DiscoveryChoice.automatic.start(interfaces: ["lo"])
        #expect(anna.backend == .avahi)
        let events = EventLog(anna.browse())
        let handle = try await anna.advertise(Advertisement(name: "steadfast", port: 1, txt: []))
        _ = try #require(await events.first { $0.record(named: "steadfast") })

        try PrivateHost.stopAvahi()
        let stopped = clock.now
        #expect(await events.first { $0 == .recovered ? true : nil } == true)
        print("measured: daemon stopped, found without it after \(stopped.duration(to: clock.now))")
        let ben = try await DiscoveryChoice.embedded.start(interfaces: ["lo"])
        #expect(await EventLog(ben.browse()).first { $0.record(named: "steadfast") } != nil)
        await ben.shutdown()

        try PrivateHost.startAvahi()
        let back = clock.now
        // An event without the daemon, one with it.
        #expect(await events.history { $0.count(where: { $0 == .recovered }) >= 2 ? true : nil } == true)
        try await assertVisibleToANewcomer("steadfast")
        print("measured: daemon is back, published to after \(back.duration(to: clock.now))")
        await handle.withdraw()
        await anna.shutdown()
    }

    private func assertVisibleToANewcomer(_ name: String) async throws {
        let newcomer = try await DiscoveryChoice.avahi.start()
        #expect(await EventLog(newcomer.browse()).first { $0.record(named: name) } != nil)
        await newcomer.shutdown()
    }
}
