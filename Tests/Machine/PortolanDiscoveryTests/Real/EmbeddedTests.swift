import PortolanDiscovery
import Testing

/// Two mDNS stacks in this process, which speak to each other over the loopback interface and nowhere else.
@Suite(.disabled(if: PrivateHost.isInside, "runs on the machine itself, not in a private host")) struct EmbeddedTests {
    let clock = ContinuousClock()

    private func start() async throws -> any Discovery {
        try await DiscoveryChoice.embedded.start(interfaces: ["lo"])
    }

    @Test func recordIsFoundWithItsDataAndLostAfterWithdrawal() async throws {
        let anna = try await start()
        let ben = try await start()
        let events = EventLog(ben.browse())
        let id = [UInt8](0..<20)
        let began = clock.now
        let handle = try await anna.advertise(
            Advertisement(name: "Anna’s laptop", port: 4711, txt: [("txtvers", [49]), ("v", [49]), ("id", id)]))
        let record = try #require(await events.first { $0.record(named: "Anna’s laptop") })
        print("measured: embedded, from advertise to found by a waiting browser: \(began.duration(to: clock.now))")
        #expect(record.txt == ["txtvers": [49], "v": [49], "id": id] && !record.isOwn)
        #expect(record.address.description == "127.0.0.1:4711" && record.address.interface?.name == "lo")
        #expect(await EventLog(handle.names).first { $0 } == "Anna’s laptop")

        var directory = PeerDirectory(foundBy: ben.backend)
        _ = directory.apply(.found(record))
        #expect(directory.peers.map(\.name) == ["Anna’s laptop"])

        await handle.withdraw()
        #expect(await events.first { $0.lostRecord(named: "Anna’s laptop") } == record.id)
        await anna.shutdown()
        await ben.shutdown()
    }

    @Test func lateBrowserFindsExistingRecordsAndSettles() async throws {
        let anna = try await start()
        let handle = try await anna.advertise(Advertisement(name: "early", port: 4711, txt: []))
        _ = await EventLog(handle.names).first { $0 }
        for round in 1...2 {
            let began = clock.now
            let ben = try await start()
            let events = EventLog(ben.browse())
            #expect(await events.first { $0.record(named: "early") } != nil)
            print("measured: embedded, from start to found, round \(round): \(began.duration(to: clock.now))")
            #expect(await events.first { $0 == .settled ? true : nil } == true)
            print("measured: embedded, from start to settled, round \(round): \(began.duration(to: clock.now))")
            await ben.shutdown()
        }
        await anna.shutdown()
    }

    @Test func secondDeviceOfANameIsRenamedAndBothRemain() async throws {
        let anna = try await start()
        let ben = try await start()
        let first = try await anna.advertise(Advertisement(name: "twin", port: 1, txt: []))
        let firstNames = EventLog(first.names)
        #expect(await firstNames.first { $0 } == "twin")
        let second = try await ben.advertise(Advertisement(name: "twin", port: 2, txt: []))
        // If two hosts claim a name within a second, the conflict is found late: either may have to yield, and may have
        // used the name for a moment.
        let secondNames = EventLog(second.names)
        #expect(await secondNames.first { $0 } != nil)

        let cleo = try await start()
        let events = EventLog(cleo.browse())
        let ports = await events.history { history in
            var ports: [String: UInt16] = [:]
            for event in history {
                if let record = event.record() { ports[record.instanceName] = record.address.port }
                if case .lost(let id) = event { ports[id.instanceName] = nil }
            }
            let found = [ports["twin"], ports["twin #2"]]
            return Set(found) == [1, 2] ? ports : nil
        }
        let heard = await (events.events, firstNames.events, secondNames.events)
        #expect(ports != nil, "\(heard)")
        for discovery in [anna, ben, cleo] { await discovery.shutdown() }
    }

    @Test func shuttingDownSaysGoodbyeAndEndsTheStreams() async throws {
        let anna = try await start()
        let ben = try await start()
        let events = EventLog(ben.browse())
        let handle = try await anna.advertise(Advertisement(name: "leaving", port: 4711, txt: []))
        _ = try #require(await events.first { $0.record(named: "leaving") })
        await anna.shutdown()
        #expect(await events.first { $0.lostRecord(named: "leaving") } != nil)
        for await _ in handle.names {}
        await handle.withdraw()
        await anna.shutdown()
        await #expect(throws: DiscoveryError.shutDown) {
            try await anna.advertise(Advertisement(name: "too late", port: 1, txt: []))
        }
        for await _ in anna.browse() { Issue.record("a stream of a discovery that is shut down is at its end") }
        await ben.shutdown()
    }

    @Test func ownRecordsAreMarked() async throws {
        let anna = try await start()
        let events = EventLog(anna.browse())
        _ = try await anna.advertise(Advertisement(name: "mirror", port: 4711, txt: []))
        #expect(await events.first { $0.record(named: "mirror") }?.isOwn == true)
        await anna.shutdown()
    }

    @Test func missingInterfaceIsAnError() async {
        for choice in DiscoveryChoice.allCases {
            await #expect(throws: DiscoveryError.noSuchInterface("nosuch0")) {
                try await choice.start(interfaces: ["nosuch0"])
            }
        }
    }
}
