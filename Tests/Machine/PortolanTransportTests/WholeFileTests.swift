import Foundation
import PortolanCompression
import PortolanFiles
import PortolanProtocol
import PortolanValues
import Synchronization
import Testing

@testable import PortolanTransport

/// Small files are sent whole on the session, and others on lanes.
@Suite(.timeLimit(.minutes(20))) struct WholeFileTests {
    /// A file that is offered with its size.
    private struct Sized: OfferSource {
        let path: String
        let size: UInt64

        func makeOffer(_ id: UInt64, answering request: UInt64?) throws -> Offer? {
            let form = try OfferedRepresentation(
                type: OfferedType(identifier: "public.data"), channel: .file, size: size, suggestedName: "item",
                source: [UInt8](repeating: 7, count: 16))
            return try Offer(id: id, items: [OfferedItem(title: "item", representations: [form])], request: request)
        }

        func seen(among places: Set<OfferedPlace>) -> Set<OfferedPlace> { places }
        func maySee(_ restriction: Restriction) -> Bool { restriction == .everyone }
        func contentAtHand(at place: OfferedPlace) -> OfferedContent? { nil }
        func produce(_ place: OfferedPlace) -> OfferedContent { .file(path: path) }
        func report(_ event: OfferingEvent) {}
    }

    /// Sends a file with random content, or with `content`.
    ///
    /// - Returns: whether it came whole on the session.
    private func comesWhole(
        _ count: Int, _ content: Data? = nil, offered: UInt64? = nil, terms: LaneTerms = LaneTerms(),
        manner: SendingManner = SendingManner()
    ) async throws -> Bool {
        let begun = Mutex<Message.Begin?>(nil)
        try await withFolder { folder in
            let file = folder.appending(path: "file")
            var random = SystemRandomNumberGenerator()
            try (content ?? Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })).write(to: file)
            try await SessionPair.with { pair in
                let sink = Counting()
                let receiver = Taking(
                    terms: terms, sinks: [sink], onBegin: { begin in begun.withLock { $0 = begin } })
                async let received: Void = pair.receive(with: receiver)
                let outcomes = try await SessionDriver.run(on: pair.sender, ledger: NoTeams()) { driver in
                    try await driver.offer(
                        Sized(path: file.path, size: offered ?? UInt64(count)), answerWait: .seconds(300),
                        manner: manner)
                }
                try await received
                #expect(sink.count == UInt64(count))
                guard case .stored(let stored, representation: 0)? = outcomes?.first else {
                    Issue.record("It was not stored")
                    return
                }
                #expect(stored.entries == 1 && stored.bytes == UInt64(count))
            }
        }
        return begun.withLock { $0?.isWhole } ?? false
    }

    @Test func aSmallFileNeedsNoLane() async throws {
        #expect(try await comesWhole(300_000))
        #expect(try await comesWhole(300_000, manner: SendingManner(requirements: [.mode, .modified])))
        #expect(try await comesWhole(1_048_000, terms: LaneTerms(lanes: 1)))
    }

    @Test func largerFileComesOnALane() async throws {
        // A record has its entry, too.
        #expect(try await !comesWhole(1 << 20))
        #expect(try await !comesWhole((1 << 20) - 1))
        #expect(try await !comesWhole((1 << 20) + 1))
    }

    @Test func partlyPresentFileComesOnALane() async throws {
        #expect(try await !comesWhole(300_000, terms: LaneTerms(asks: true)))
    }

    @Test func rateLimitedOrCompressibleFileComesOnALane() async throws {
        #expect(try await !comesWhole(300_000, manner: SendingManner(pacing: Pacer(bytesPerSecond: 10 << 20))))
        #expect(try await !comesWhole(300_000, manner: SendingManner(compression: .zstd)))
        #expect(try await !comesWhole(300_000, Data(count: 300_000)))
        #expect(try await comesWhole(300_000, Data(count: 300_000), manner: SendingManner(compression: .never)))
        let sparse = SendingManner(compression: .never, requirements: [.sparse])
        #expect(try await !comesWhole(300_000, Data(count: 300_000), manner: sparse))
    }

    @Test func unstorableFileFailsAndTheSessionContinues() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "file")
            try Data(count: 300_000).write(to: file)
            let full = Counting { throw FileError(.noSpace, "There is no space left.") }
            try await SessionPair.with { pair in
                async let received: Void = pair.receive(with: Taking(sinks: [full]))
                try await SessionDriver.run(on: pair.sender, ledger: NoTeams()) { driver in
                    for _ in 0..<2 {
                        let outcomes = try await driver.offer(
                            Sized(path: file.path, size: 300_000), answerWait: .seconds(300),
                            manner: SendingManner(compression: .never))
                        guard case .failed(let failure, after: nil)? = outcomes?.first else {
                            Issue.record("It did not fail")
                            return
                        }
                        #expect(failure.cause == .noSpace)
                    }
                }
                try await received
            }
        }
    }
}
