import Testing

@testable import PortolanDiscovery

struct AvahiStationTests {
    private typealias Bench = StationBench

    private func id(_ number: Int) -> ServiceRecord.ID {
        ServiceRecord.ID(instanceName: "n\(number)", interface: 1, family: .v4)
    }

    private func service(_ port: UInt16 = 1) -> ResolvedService {
        ResolvedService(hostName: "h", ip: .v4(0xC000_0207), port: port, txt: [:])
    }

    /// Records that a reader knows after the present contents of the stream.
    private func read(_ events: inout AsyncStream<DiscoveryEvent>.Iterator, _ bench: Bench) async -> Set<
        ServiceRecord.ID
    > {
        let mark = ServiceRecord.ID(instanceName: "mark", interface: 9, family: .v6)
        var known: Set<ServiceRecord.ID> = []
        bench.stack.browse(.new(mark, isOwn: false))
        bench.stack.resolve(mark, .found(service()))
        while true {
            bench.turn(for: .milliseconds(1))
            switch await events.next(isolation: #isolation) {
            case .found(let record) where record.id == mark: return known
            case .found(let record): known.insert(record.id)
            case .lost(let id): known.remove(id)
            case nil: return known
            default: break
            }
        }
    }

    @Test func aFloodIsBoundedAndEveryResolverIsUsedAgain() throws {
        let bench = try Bench()
        let events = bench.watch()
        for number in 0..<5000 { bench.stack.browse(.new(id(number), isOwn: false)) }
        #expect(bench.stack.resolvers.count == Watcher.maximumResolvers)
        var resolved: Set<ServiceRecord.ID> = []
        while let next = bench.stack.resolvers.keys.first(where: { !resolved.contains($0) }) {
            resolved.insert(next)
            bench.stack.resolve(next, .found(service()))
            if resolved.count % 100 == 0 { bench.turn(for: .milliseconds(1)) }
        }
        bench.turn()
        for next in bench.stack.resolvers.keys { resolved.insert(next) }
        #expect(resolved.count == Watcher.maximumRecords)
        #expect(bench.stack.mostResolvers == Watcher.maximumResolvers)
        withExtendedLifetime(events) {}
    }

    @Test(.timeLimit(.minutes(20))) func slowReaderGetsThePresentRecordsAfterAFlood() async throws {
        let bench = try Bench()
        let stream = bench.watch()
        for number in 0..<1500 {
            bench.stack.browse(.new(id(number), isOwn: false))
            bench.stack.resolve(id(number), .found(service()))
        }
        for _ in 0..<20 {
            for number in 100..<200 {
                bench.stack.resolve(id(number), .found(service(.random(in: 1...9))))
            }
        }
        for number in 0..<1400 { bench.stack.browse(.removed(id(number))) }
        bench.turn()
        var events = stream.makeAsyncIterator()
        var known: Set<ServiceRecord.ID> = []
        for number in 1...4000 where known != Set((1400..<1500).map(id)) {
            // Events that did not fit arrive when there is room again.
            if number % 1000 == 0 { bench.turn(for: .milliseconds(150)) }
            switch await events.next(isolation: #isolation) {
            case .found(let record): known.insert(record.id)
            case .lost(let id): known.remove(id)
            default: break
            }
        }
        #expect(known == Set((1400..<1500).map(id)))
    }

    @Test func brokenConnectionIsReopenedAndRestored() throws {
        let bench = try Bench()
        let events = bench.watch()
        let (names, stream) = AsyncStream.makeStream(of: String.self)
        try bench.station.advertise(Advertisement(name: "Anna", port: 1, txt: []), as: 7, names: stream)
        #expect(bench.stack.published == ["Anna"] && bench.stack.browsers.count == 1)
        bench.stack.report(.broken(.noDaemon))
        #expect(bench.stack.openings == 1, "not inside the callback")
        bench.turn()
        #expect(bench.stack.openings == 2 && bench.stack.browsers.count == 1 && bench.stack.groups == 1)
        #expect(bench.stack.published.last == "Anna")
        withExtendedLifetime((events, names)) {}
    }

    @Test func failingConnectionIsReopenedAtALimitedRate() throws {
        let bench = try Bench(.ready(canPublish: true))
        bench.stack.states = Array(repeating: .broken(.noDaemon), count: 1000)
        bench.stack.report(.broken(.noDaemon))
        bench.turn(for: .milliseconds(500))
        #expect((2...6).contains(bench.stack.openings), "\(bench.stack.openings)")
    }

    @Test("a changed TXT record replaces the old one in place, and stays when the connection is made anew")
    func changedText() throws {
        let bench = try Bench()
        let (names, stream) = AsyncStream.makeStream(of: String.self)
        func advertisement(_ activity: String) throws -> Advertisement {
            try Advertisement(name: "Anna", port: 1, txt: [("does", Array(activity.utf8))])
        }
        try bench.station.advertise(advertisement("takes"), as: 7, names: stream)
        bench.station.update(7, to: try advertisement("serves"))
        #expect(bench.stack.updates == [["does=serves"]] && bench.stack.published == ["Anna"])
        bench.stack.report(.broken(.noDaemon))
        bench.station.update(7, to: try advertisement("both"))
        bench.turn()
        #expect(bench.stack.texts.last == ["does=both"] && bench.stack.published.last == "Anna")
        withExtendedLifetime(names) {}
    }

    @Test func aNameTakenOnThisMachineOrOnTheNetworkIsReplaced() async throws {
        let bench = try Bench()
        bench.stack.takenNames = ["Anna", "Anna #2"]
        let (names, stream) = AsyncStream.makeStream(of: String.self)
        try bench.station.advertise(Advertisement(name: "Anna", port: 1, txt: []), as: 7, names: stream)
        #expect(bench.stack.published == ["Anna #3"])
        bench.stack.group(.established)
        bench.stack.group(.collision)
        bench.turn()
        #expect(bench.stack.published == ["Anna #4"] && bench.stack.groups == 1, "in the same group")
        bench.stack.group(.established)
        bench.station.withdraw(7)
        #expect(bench.stack.groups == 0)
        #expect(await names.reduce(into: []) { $0.append($1) } == ["Anna #3", "Anna #4"])
    }

    @Test func aStormOfCollisionsIsAnsweredSlowly() throws {
        let bench = try Bench()
        let (names, stream) = AsyncStream.makeStream(of: String.self)
        try bench.station.advertise(Advertisement(name: "Anna", port: 1, txt: []), as: 7, names: stream)
        for _ in 0..<40 {
            bench.stack.group(.collision)
            bench.turn(for: .milliseconds(1))
        }
        #expect(bench.stack.published == ["Anna #16"], "fifteen at once, then one in five seconds")
        withExtendedLifetime(names) {}
    }

    @Test func nothingIsPublishedWhileTheHostNameIsProbed() throws {
        let bench = try Bench()
        let (names, stream) = AsyncStream.makeStream(of: String.self)
        try bench.station.advertise(Advertisement(name: "Anna", port: 1, txt: []), as: 7, names: stream)
        bench.stack.report(.ready(canPublish: false))
        bench.turn()
        #expect(bench.stack.published.isEmpty)
        bench.stack.report(.ready(canPublish: true))
        bench.turn()
        #expect(bench.stack.published == ["Anna"])
        withExtendedLifetime(names) {}
    }

    @Test func anAdvertisementWithAHostOfItsOwnAnnouncesTheHostToo() throws {
        let bench = try Bench()
        let (names, stream) = AsyncStream.makeStream(of: String.self)
        try bench.station.advertise(Advertisement(name: "Anna", port: 1, txt: []), as: 6, names: stream)
        #expect(bench.stack.hosts.isEmpty && bench.stack.groups == 1)
        try bench.station.advertise(
            Advertisement(name: "hidden", host: "somewhere", port: 1, txt: []), as: 7, names: stream)
        #expect(!bench.stack.hosts.isEmpty && bench.stack.hosts.allSatisfy { $0 == "somewhere.local" })
        #expect(bench.stack.groups > 2)

        let announced = bench.stack.hosts.count
        bench.stack.report(.ready(canPublish: false))
        bench.turn()
        bench.stack.report(.ready(canPublish: true))
        bench.turn()
        #expect(bench.stack.hosts.count == 2 * announced, "put back with the rest")
        bench.stack.report(.broken(.noDaemon))
        bench.turn()
        #expect(bench.stack.hosts.count == 3 * announced)
        bench.station.withdraw(7)
        #expect(bench.stack.groups == 1)
        withExtendedLifetime(names) {}
    }

    @Test func failedResolverRemovesItsRecord() async throws {
        let bench = try Bench()
        let stream = bench.watch()
        bench.stack.browse(.new(id(1), isOwn: false))
        bench.stack.resolve(id(1), .found(service()))
        bench.stack.resolve(id(1), .failed(.timeout))
        #expect(bench.stack.resolvers.isEmpty)
        var events = stream.makeAsyncIterator()
        #expect(await read(&events, bench).isEmpty)
    }

    @Test func nameTakenByAnotherMachineIsNotOwnAnyMore() async throws {
        let bench = try Bench()
        let stream = bench.watch()
        bench.stack.browse(.new(id(1), isOwn: true))
        for ip in [IPAddress.v4(0x7F00_0001), .v4(0xC000_0207)] {
            bench.stack.resolve(id(1), .found(ResolvedService(hostName: "h", ip: ip, port: 1, txt: [:])))
        }
        bench.turn(for: .milliseconds(1))
        var own: [Bool] = []
        for await event in stream {
            if case .found(let record) = event { own.append(record.isOwn) }
            if own.count == 2 { break }
        }
        #expect(own == [true, false])
    }

    @Test func browsingStopsWithTheLastSubscriber() throws {
        let bench = try Bench()
        let events = bench.watch()
        bench.stack.browse(.new(id(1), isOwn: false))
        bench.station.unsubscribe(1)
        #expect(bench.stack.browsers.isEmpty && bench.stack.resolvers.isEmpty)
        withExtendedLifetime(events) {}
    }

    @Test func failedFirstConnectionEndsTheStation() throws {
        let bench = try Bench(.broken(.noDaemon))
        #expect(bench.station.isOver)
    }
}

struct LinkAddressesTests {
    @Test func linkLocalAddressesArePublishedOnlyWithoutOthers() throws {
        func publishable(_ texts: String...) -> [String] {
            LinkAddresses.publishable(texts.compactMap { IPAddress(parsing: $0) }).map(\.description)
        }
        #expect(publishable("fe80::1", "192.0.2.7") == ["192.0.2.7", "fe80::1"])
        #expect(publishable("fe80::1", "2001:db8::7", "fd00::7") == ["2001:db8::7", "fd00::7"])
        #expect(publishable("169.254.1.1", "192.0.2.9", "192.0.2.7") == ["192.0.2.7", "192.0.2.9"])
        #expect(publishable("169.254.1.1") == ["169.254.1.1"])
    }

    @Test func theLoopbackInterfaceIsFoundByItsName() {
        let found = LinkAddresses.current(on: ["lo"])
        #expect(found.count == 1 && found.values.first?.contains(.v4(0x7F00_0001)) == true)
        #expect(LinkAddresses.current(on: ["nosuch0"]).isEmpty)
    }
}
