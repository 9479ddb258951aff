import PortolanConcurrency
import PortolanDiscovery
import PortolanProtocol
import Synchronization
import Testing

@testable import PortolanTransport

/// Lanes that wait for a place, and lanes that free one.
@Suite struct LaneRoomTests {
    private static let record = LaneBuffer.longestBody

    /// Requests of a stranger's session, and their results.
    private final class Stranger: Sendable {
        let entered = Mailbox<LanePlace>(limit: 100) { _ in true }
        let hasEnded = OneShot<Void, Never>()
        private let limit: LaneLimit

        init(_ number: UInt64, in room: LaneRoom) {
            limit = LaneLimit(room: room, session: number, address: .v4(UInt32(number))) { [hasEnded] in
                hasEnded.settle()
            }
        }

        func ask() { limit.admit { [entered] in _ = entered.post($0) } }

        func leave() { limit.forget() }

        /// The place of a lane, as soon as it has one.
        func place() async throws -> LanePlace { try #require(await entered.next()) }
    }

    @Test("a lane without a place gets one when another lane ends, and none if its session ends before")
    func laneWaitsForAPlace() async throws {
        let room = LaneRoom(.init(lanes: 1))
        let strangers = (1...3).map { Stranger($0, in: room) }
        for stranger in strangers { stranger.ask() }
        var place: LanePlace? = try await strangers[0].place()
        strangers[1].leave()
        withExtendedLifetime(place) {}
        place = nil
        place = try await strangers[2].place()
        withExtendedLifetime(place) {}
        #expect(strangers[1].entered.drain().isEmpty)
    }

    @Test("a silent lane is ended for one that waits")
    func endsTheSilent() async throws {
        let room = LaneRoom(.init(lanes: 1))
        let (silent, other) = (Stranger(1, in: room), Stranger(2, in: room))
        silent.ask()
        var place: LanePlace? = try await silent.place()
        other.ask()
        await silent.hasEnded.value()
        withExtendedLifetime(place) {}
        place = nil
        _ = try await other.place()
        #expect(!other.hasEnded.isSettled)
    }

    @Test("a record without memory waits until another lane has ended, or its own must end")
    func waitsForMemory() async throws {
        let room = LaneRoom(.init(lanes: 4, bytes: Self.record))
        let strangers = (1...3).map { Stranger($0, in: room) }
        for stranger in strangers { stranger.ask() }
        var first: LanePlace? = try await strangers[0].place()
        try first?.hold(Self.record) { true }
        let (second, third) = (try await strangers[1].place(), try await strangers[2].place())
        let waiting = try WorkerThread(named: "waiting") { try second.hold(Self.record) { true } }
        await strangers[0].hasEnded.value()
        #expect(throws: TransportError.self) { try third.hold(Self.record) { false } }
        withExtendedLifetime(first) {}
        first = nil
        try await waiting.value
        try second.hold(1) { false }
    }

    @Test("the lanes of a stranger's session are counted, and those of a known key are not", arguments: [false, true])
    func countsStrangers(isKnown: Bool) async throws {
        try await SessionPair.with(knowing: isKnown) { pair in
            for lanes in [pair.receiver.incomingLanes, pair.receiver.outgoingLanes] {
                #expect(try (lanes.placeAtOnce() == nil) == isKnown)
            }
            let (sending, receiving) = try await pair.lane(0)
            #expect(receiving.isCounted != isKnown)
            withExtendedLifetime(sending) {}
        }
    }
}
