import Dispatch
import Foundation
import NIOCore
import PortolanCompression
import PortolanConcurrency
import PortolanProtocol
import PortolanValues
import Synchronization
import Testing

@testable import PortolanTransport

/// Sessions that live: several offers, both directions, lists and requests.
@Suite(.timeLimit(.minutes(20))) struct SessionDriverTests {
    /// Receiver that takes each item into a new sink.
    final class Counter: Sendable {
        private let sinks = Mutex<[Counting]>([])

        var counts: [UInt64] { sinks.withLock(\.self).map(\.count) }

        var reception: Reception {
            let sink = Counting()
            sinks.withLock { $0.append(sink) }
            return Reception(Taking(sinks: [sink]))
        }

        var roles: SessionRoles {
            var roles = SessionRoles()
            roles.receiving = { { self.reception } }
            return roles
        }
    }

    /// Shares items of one form each.
    struct Holder: ItemServer {
        struct Item {
            let id: ItemID
            let content: Offered

            var offered: OfferedItem {
                get throws { try #require(try content.makeOffer(1, answering: nil)).items[0] }
            }
        }

        let items: [Item]
        var manner: SendingManner { SendingManner(compression: .never) }

        init(_ contents: [OfferedContent]) {
            items = contents.enumerated().map { Item(id: Self.id($0.offset), content: Offered([$0.element])) }
        }

        static func id(_ number: Int) -> ItemID {
            guard let id = ItemID(Array(repeating: UInt8(number), count: 16)) else {
                preconditionFailure("It has 16 bytes")
            }
            return id
        }

        /// Two at a time.
        func items(after: [UInt8], most: Int) throws -> (items: [Message.Listing.Entry], next: [UInt8])? {
            let start = after.first.map(Int.init) ?? 0
            let part = items[min(start, items.count)...].prefix(2)
            let entries = try part.map { item in
                Message.Listing.Entry(id: item.id, item: try item.offered)
            }
            return (entries, part.endIndex < items.count ? [UInt8(part.endIndex)] : [])
        }

        func offering(for item: ItemID) -> (any OfferSource)? { items.first { $0.id == item }?.content }

        var roles: SessionRoles {
            var roles = SessionRoles()
            roles.serving = self
            return roles
        }
    }

    /// Runs both sides, and returns the first one's result.
    static func run<Result: Sendable>(
        _ pair: SessionPair, _ other: SessionRoles, isResponder: Bool = false,
        _ body: @escaping @Sendable (SessionDriver) async throws -> Result
    ) async throws -> Result {
        let (asking, answering) = isResponder ? (pair.receiver, pair.sender) : (pair.sender, pair.receiver)
        async let answered: Void = SessionDriver.run(on: answering, ledger: NoTeams(), roles: other) {
            try await $0.stay()
        }
        let result = try await SessionDriver.run(on: asking, ledger: NoTeams(), body)
        try await answered
        return result
    }

    private static func isStored(_ outcomes: [ItemOutcome]?) -> Bool {
        outcomes?.allSatisfy { if case .stored = $0 { true } else { false } } ?? false
    }

    private static let manner = SendingManner(compression: .never)

    @Test("several offers follow each other, data and files", arguments: [false, true])
    func severalOffers(byResponder isResponder: Bool) async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "file")
            try Data(count: 3_000_000).write(to: file)
            let counter = Counter()
            try await SessionPair.with { pair in
                let stored = try await Self.run(pair, counter.roles, isResponder: isResponder) { driver in
                    var stored: [Bool] = []
                    for content in [
                        OfferedContent.bytes(Data(count: 9)), .file(path: file.path), .bytes(Data(count: 8)),
                    ] {
                        let outcomes = try await driver.offer(
                            Offered([content]), answerWait: .seconds(200), manner: Self.manner)
                        stored.append(Self.isStored(outcomes))
                    }
                    return stored
                }
                #expect(stored == [true, true, true])
            }
            #expect(counter.counts == [9, 3_000_000, 8])
        }
    }

    @Test("both sides send files at once, over lanes that one side opens")
    func bothDirections() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "file")
            try Data(count: 20_000_000).write(to: file)
            let counters = [Counter(), Counter()]
            try await SessionPair.with { pair in
                try await withThrowingTaskGroup(of: Bool.self) { sides in
                    for (session, counter) in [(pair.sender, counters[0]), (pair.receiver, counters[1])] {
                        sides.addTask {
                            try await SessionDriver.run(on: session, ledger: NoTeams(), roles: counter.roles) {
                                driver in
                                for _ in 0..<3 {
                                    let outcomes = try await driver.offer(
                                        Offered([.file(path: file.path)]), answerWait: .seconds(200),
                                        manner: Self.manner)
                                    guard Self.isStored(outcomes) else { return false }
                                }
                                // The other side may not have sent all of its content by now.
                                while counter.counts.count(where: { $0 == 20_000_000 }) < 3 {
                                    try await Task.sleep(for: .milliseconds(5))
                                }
                                return true
                            }
                        }
                    }
                    for try await isStored in sides { #expect(isStored) }
                }
            }
            for counter in counters { #expect(counter.counts == [20_000_000, 20_000_000, 20_000_000]) }
        }
    }

    /// Declines one offer, but only after the other side has an offer to decide on as well, and accepts the next.
    private struct Declining: ItemReceiver {
        private let taking = Taking(sinks: [Counting()])
        let decided: OneShot<Void, Never>
        let other: OneShot<Void, Never>

        init(decided: OneShot<Void, Never>, other: OneShot<Void, Never>) {
            (self.decided, self.other) = (decided, other)
        }

        func decide(on offer: Offer) async -> [ItemDecision] {
            guard decided.settle() else { return taking.decide(on: offer) }
            await other.value()
            return [.decline(Decline(.notWanted))]
        }

        func choose(item: Int, from offered: OfferedItem, excluding tried: Set<Int>) -> Int? { nil }
        func terms(item: Int, representation: Int, of offered: OfferedItem) -> LaneTerms { taking.terms }
        func receive(
            item: Int, _ representation: OfferedRepresentation, of offered: OfferedItem, as begin: Message.Begin
        ) -> any ItemSink { taking.sinks[item] }
        func report(_ event: ReceivingEvent) {}
    }

    @Test("both sides offer at once and decline, and then both accept")
    func bothDecline() async throws {
        let gates = [OneShot<Void, Never>(), OneShot<Void, Never>()]
        let hasOffered = [OneShot<Void, Never>(), OneShot<Void, Never>()]
        try await SessionPair.with { pair in
            try await withThrowingTaskGroup(of: [Bool].self) { sides in
                for (side, session) in [pair.sender, pair.receiver].enumerated() {
                    let receiver = Declining(decided: gates[side], other: gates[1 - side])
                    var roles = SessionRoles()
                    roles.receiving = { { Reception(receiver) } }
                    sides.addTask { [roles] in
                        try await SessionDriver.run(on: session, ledger: NoTeams(), roles: roles) { driver in
                            var stored: [Bool] = []
                            for _ in 0..<2 {
                                let outcomes = try await driver.offer(
                                    Offered([.bytes(Data(count: 9))]), answerWait: .seconds(200), manner: Self.manner)
                                stored.append(Self.isStored(outcomes))
                            }
                            // The side that ends first takes no more offers.
                            hasOffered[side].settle()
                            await hasOffered[1 - side].value(ifCancelled: .success(()))
                            return stored
                        }
                    }
                }
                for try await stored in sides { #expect(stored == [false, true]) }
            }
        }
    }

    @Test("shared items are listed part by part, and fetched", arguments: [false, true])
    func fetching(byResponder isResponder: Bool) async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "file")
            try Data(count: 1_000_000).write(to: file)
            let holder = Holder([.bytes(Data(count: 3)), .file(path: file.path), .bytes(Data(count: 5))])
            let counter = Counter()
            try await SessionPair.with { pair in
                let (ids, isRefused) = try await Self.run(pair, holder.roles, isResponder: isResponder) { driver in
                    let first = try await driver.list()
                    let second = try await driver.list(after: first.next)
                    let ids = (first.items + second.items).map(\.id)
                    for id in ids { try await driver.fetch(id, counter.reception) }
                    var isRefused = false
                    do {
                        try await driver.fetch(Holder.id(200), counter.reception)
                    } catch TransportError.refused(.gone) {
                        isRefused = true
                    }
                    return (first.next == [2] && second.next.isEmpty ? ids : [], isRefused)
                }
                #expect(ids == holder.items.map(\.id))
                #expect(isRefused)
            }
            #expect(counter.counts.dropLast() == [3, 1_000_000, 5])
        }
    }

    @Test("more questions than may be open at once wait for their turn")
    func manyQuestions() async throws {
        let holder = Holder((0..<3).map { .bytes(Data(count: $0 + 1)) })
        let counter = Counter()
        try await SessionPair.with { pair in
            try await Self.run(pair, holder.roles) { driver in
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    for number in 0..<100 {
                        tasks.addTask { try await driver.fetch(Holder.id(number % 3), counter.reception) }
                        tasks.addTask { _ = try await driver.list() }
                    }
                    try await tasks.waitForAll()
                }
            }
        }
        #expect(counter.counts.count == 100 && counter.counts.reduce(0, +) == 34 + 66 + 99)
    }

    @Test("lanes on which nothing is sent any more are ended, and others opened when they are needed again")
    func rounds() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "file")
            try Data(count: 100_000).write(to: file)
            let counter = Counter()
            try await SessionPair.with { pair in
                let port = pair.listener.port
                let idle = try openSockets(onPort: port).count
                let counts = try await Self.run(pair, counter.roles) { driver -> [UInt64] in
                    for _ in 0..<2 {
                        _ = try await driver.offer(
                            Offered([.file(path: file.path)]), answerWait: .seconds(200), manner: Self.manner)
                        guard try await comesTrue({ try openSockets(onPort: port).count <= idle }) else { return [] }
                    }
                    return counter.counts
                }
                #expect(counts == [100_000, 100_000])
            }
        }
    }

    @Test("a side that is slow to end finds the other's lanes closed, and ends in order", arguments: [false, true])
    func slowEnd(ofResponder isResponder: Bool) async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "file")
            try Data(count: 1_000_000).write(to: file)
            let holder = Holder([.file(path: file.path)])
            let counter = Counter()
            try await SessionPair.with { pair in
                let (asking, answering) = isResponder ? (pair.sender, pair.receiver) : (pair.receiver, pair.sender)
                async let answered: Void = SessionDriver.run(on: answering, ledger: NoTeams(), roles: holder.roles) {
                    try await $0.stay()
                    // Longer than the other side waits for the end record, and shorter than lanes rest.
                    try await Task.sleep(for: .seconds(3))
                }
                try await SessionDriver.run(on: asking, ledger: NoTeams()) { driver in
                    try await driver.fetch(Holder.id(0), counter.reception)
                }
                try await answered
            }
            #expect(counter.counts.first == 1_000_000)
        }
    }

    @Test("a lane that is requested after the end record is not connected")
    func laneRequestAfterTheEnd() async throws {
        try await SessionPair.with { pair in
            let arrivals = ArrivedLanes()
            pair.sender.allowLanes(1) { arrivals.add($0, $1) }
            let running = Task {
                try await SessionDriver.run(on: pair.sender, ledger: NoTeams()) { _ in }
            }
            pair.receiver.send(.hello(try Message.Hello(teams: [], capabilities: [])))
            // Ends with the end record.
            for try await _ in pair.receiver.incoming {}
            pair.receiver.send(.laneRequest(0))
            try await Task.sleep(for: .milliseconds(500))
            await pair.receiver.finish()
            try await running.value
            #expect(arrivals.count == 0)
        }
    }
}
