import Foundation
import PortolanFiles
import PortolanProtocol
import PortolanValues
import Testing

@testable import PortolanTransport

/// Files that grow between their offer and their end, and files with more content than the size that the system
/// reports.
@Suite(.timeLimit(.minutes(20))) struct GrowingFileTests {
    private static let size = 300_000

    private static func append(to file: URL) {
        guard let handle = try? FileHandle(forWritingTo: file) else { return }
        defer { try? handle.close() }
        _ = try? handle.seekToEnd()
        try? handle.write(contentsOf: Data("more".utf8))
    }

    /// Sends content; returns the stored bytes and their losses, or nil if the item was not stored.
    private func send(
        _ content: OfferedContent, _ need: ContentNeed, asks: Bool, requiring requirements: Fidelity = [],
        onAdd: @escaping @Sendable () -> Void = {}
    ) async throws -> (bytes: UInt64, omissions: [Omission])? {
        var outcomes: [ItemOutcome] = []
        try await SessionPair.with { pair in
            let sink = Counting(need: need, onAdd: onAdd)
            async let received: Void = pair.receive(with: Taking(terms: LaneTerms(asks: asks), sinks: [sink]))
            outcomes = try await pair.send([content], requiring: requirements)
            try await received
        }
        guard case .stored(let stored, _) = try #require(outcomes.first) else { return nil }
        return (stored.bytes, stored.omissions.listed)
    }

    @Test("a file that grows after it was offered is sent as it was, and that is said", arguments: [false, true])
    func sendsTheOfferedPartOfAGrownFile(asks: Bool) async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "log")
            try Data(repeating: 7, count: Self.size).write(to: file)
            let sample = try #require(try SourceTree.sizes(ofFileAt: file.path)?.sample)
            Self.append(to: file)
            let content = OfferedContent.file(path: file.path, sample: sample)
            let stored = try #require(try await send(content, .content, asks: asks) { Self.append(to: file) })
            #expect(stored.bytes == Self.size)
            #expect(stored.omissions == [Omission(path: [], reason: .grown)])
            #expect(try await send(content, .content, asks: asks, requiring: [.content]) == nil)
        }
    }

    @Test(
        "a file in a folder that grows before it is wanted is sent as it was, and that is said",
        arguments: [10, size], [ContentNeed.content, .compare(blocks: [0..<1])])
    func sendsTheAnnouncedPartOfAGrownFile(size: Int, need: ContentNeed) async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "log")
            try Data(repeating: 7, count: size).write(to: file)
            let content = OfferedContent.file(path: folder.path)
            // The second time it has grown, too.
            for size in [size, size + 4] {
                let stored = try #require(try await send(content, need, asks: true) { Self.append(to: file) })
                #expect(stored.bytes == size)
                #expect(stored.omissions == [Omission(path: Array("log".utf8), reason: .grown)])
            }
        }
    }

    @Test(
        "a file that is rewritten after it was announced is left out",
        arguments: [ContentNeed.content, .compare(blocks: [])])
    func omitsRewrittenFiles(need: ContentNeed) async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "text")
            try Data(repeating: 7, count: Self.size).write(to: file)
            let stored = try await send(.file(path: folder.path), need, asks: true) {
                try? Data(repeating: 8, count: Self.size + 4).write(to: file)
            }
            #expect(try #require(stored).omissions == [Omission(path: Array("text".utf8), reason: .changed)])
        }
    }

    @Test(
        "a file with more content than its reported size is not stored empty",
        arguments: [(false, ContentNeed.content), (true, .content), (true, .compare(blocks: []))])
    func refusesContentWithoutSize(asks: Bool, need: ContentNeed) async throws {
        #expect(try await send(.file(path: "/proc/self/status"), need, asks: asks) == nil)
    }
}
