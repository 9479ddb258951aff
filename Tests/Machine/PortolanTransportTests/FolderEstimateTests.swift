import Foundation
import Glibc
import PortolanProtocol
import PortolanValues
import Synchronization
import Testing

@testable import PortolanFiles
@testable import PortolanTransport

/// A sender estimates the size of a folder for the question that the receiver asks.
@Suite(.timeLimit(.minutes(20))) struct FolderEstimateTests {
    private func estimate(
        _ path: String, isFolder: Bool = true, end: ContinuousClock.Instant = .now + .seconds(600),
        filter: @escaping SourceFilter = { _ in true }
    ) throws -> UInt64? {
        let offered = try OfferedRepresentation(
            type: OfferedType(identifier: "public.data"), channel: .file, isFolder: isFolder)
        return FolderEstimate(filter: filter, end: end).bytes(of: .file(path: path), as: offered)
    }

    @Test func filesOfAllLevelsAreCountedWithoutHolesAndOnce() async throws {
        try await withFolder { folder in
            let inner = folder.appending(path: "inner")
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
            try Data(count: 1000).write(to: folder.appending(path: "a"))
            try Data(count: 500).write(to: inner.appending(path: "b"))
            #expect(try estimate(folder.path) == 1500)
            #expect(link(folder.appending(path: "a").path, inner.appending(path: "again").path) == 0)
            #expect(try estimate(folder.path) == 1500)
            #expect(truncate(inner.appending(path: "b").path, 1 << 40) == 0)
            #expect(try #require(try estimate(folder.path)) < 1 << 30)
        }
    }

    @Test func estimateOfAReceiverCountsOnlyWhatItMaySee() async throws {
        try await withFolder { folder in
            for name in ["hidden", "shown"] { try Data(name.utf8).write(to: folder.appending(path: name)) }
            let team = try #require(TeamID(bytes: [UInt8](repeating: 7, count: TeamID.length)))
            try StoredVisibility.keep(
                Restriction(.team, for: Audience(team: team, groups: [])),
                on: Descriptor(owning: open(folder.appending(path: "hidden").path, O_RDONLY)))
            #expect(try estimate(folder.path) == 11)
            #expect(try estimate(folder.path, filter: { $0.visibility == .all }) == 5)
        }
    }

    @Test func fileAndMissingFolderAndSlowLookHaveNoEstimate() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "file").path
            try Data(count: 10).write(to: URL(fileURLWithPath: file))
            #expect(try estimate(file) == nil)
            #expect(try estimate(file, isFolder: false) == nil)
            #expect(try estimate(folder.path + "?") == nil)
            #expect(try estimate(folder.path, end: .now) == nil)
        }
    }

    @Test("an offer has the estimates of a small folder and of one with many files, and none of a file")
    func offerHasEstimates() async throws {
        try await withFolder { folder in
            for (name, count) in [("small", 2), ("large", 300)] {
                let folder = folder.appending(path: name)
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                for file in 0..<count { try Data(count: 100).write(to: folder.appending(path: "\(file)")) }
            }
            let estimates = Mutex<[UInt64?]>([])
            try await SessionPair.with { pair in
                let receiver = Taking(
                    sinks: [Counting(), Counting(), Counting()],
                    onOffer: { offer in
                        estimates.withLock { $0 = offer.items.map { $0.representations[0].estimatedSize } }
                    })
                async let received: Void = pair.receive(with: receiver)
                _ = try await pair.send(
                    ["small", "large", "small/0"].map { .file(path: folder.appending(path: $0).path) }, isAtHand: true)
                try await received
            }
            #expect(estimates.withLock(\.self) == [200, 30_000, nil])
        }
    }
}
