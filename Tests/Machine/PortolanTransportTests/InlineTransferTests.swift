import Foundation
import Glibc
import PortolanProtocol
import PortolanValues
import Synchronization
import Testing

@testable import PortolanFiles
@testable import PortolanTransport

/// Small items are sent with their offer, if they can be and the receiver allows it.
@Suite(.timeLimit(.minutes(20))) struct InlineTransferTests {
    /// Transfers that the receiver's sinks got, by item: 0 is one that was sent with the offer.
    private final class Transfers: Sendable {
        private let begun = Mutex<[UInt32: Message.Begin]>([:])

        func add(_ begin: Message.Begin) { begun.withLock { $0[begin.item] = begin } }

        var numbers: [UInt32] { begun.withLock { $0.sorted { $0.key < $1.key }.map(\.value.transfer) } }
        subscript(item: UInt32) -> Message.Begin? { begun.withLock { $0[item] } }
    }

    /// Sends a text, a file and a folder, all of them small.
    private func send(
        sinks: [Counting], terms: LaneTerms = LaneTerms(), _ pacing: Pacer? = nil,
        requiring requirements: Fidelity = []
    ) async throws -> (outcomes: [ItemOutcome], Transfers) {
        let transfers = Transfers()
        var outcomes: [ItemOutcome] = []
        try await withFolder { folder in
            let file = folder.appending(path: "file")
            try Data("some text".utf8).write(to: file)
            let tree = folder.appending(path: "tree")
            try FileManager.default.createDirectory(
                at: tree.appending(path: "inner"), withIntermediateDirectories: true)
            for name in ["a", "b", "inner/c"] { try Data(count: 1000).write(to: tree.appending(path: name)) }
            try Data().write(to: tree.appending(path: "empty"))
            try await SessionPair.with { pair in
                let receiver = Taking(terms: terms, sinks: sinks, onBegin: { transfers.add($0) })
                async let received: Void = pair.receive(with: receiver)
                outcomes = try await pair.send(
                    [.bytes(Data("hello".utf8)), .file(path: file.path), .file(path: tree.path)], pacing,
                    requiring: requirements, isAtHand: true)
                try await received
            }
        }
        return (outcomes, transfers)
    }

    @Test func smallItemsAreSentWithTheOffer() async throws {
        let sinks = [Counting(), Counting(), Counting()]
        let (outcomes, transfers) = try await send(sinks: sinks, requiring: [.mode])
        #expect(transfers.numbers == [0, 0, 0])
        #expect(sinks.map(\.count) == [5, 9, 3000])
        let entries = outcomes.map { outcome -> UInt32? in
            if case .stored(let stored, representation: 0) = outcome { stored.entries } else { nil }
        }
        #expect(entries == [0, 1, 6])
        #expect(transfers[0]?.requirements == [] && transfers[1]?.requirements == [.mode])
        #expect(transfers[0]?.size == 5 && transfers[1].map { String(decoding: $0.name, as: UTF8.self) } == "item")
    }

    @Test func partlyPresentFileIsRequested() async throws {
        let (outcomes, transfers) = try await send(
            sinks: [Counting(), Counting(), Counting()], terms: LaneTerms(asks: true))
        #expect(transfers.numbers == [0, 1, 2] && transfers[1]?.asks == true)
        #expect(outcomes.allSatisfy { if case .stored = $0 { true } else { false } })
    }

    @Test func rateLimitedContentIsNotInline() async throws {
        let (_, transfers) = try await send(
            sinks: [Counting(), Counting(), Counting()], Pacer(bytesPerSecond: 1 << 20))
        #expect(transfers.numbers == [1, 2, 3])
    }

    @Test func unstorableItemFailsAndOthersAreStored() async throws {
        let full = Counting { throw FileError(.noSpace, "There is no space left.") }
        let (outcomes, _) = try await send(sinks: [full, Counting(), full])
        let stored = outcomes.map { if case .stored = $0 { true } else { false } }
        #expect(stored == [false, true, false])
    }

    // MARK: Small content

    private func read(
        _ path: String, isFolder: Bool = false, size: UInt64? = nil, room: Int = Limits.inlineContent,
        manner: SendingManner = SendingManner(), filter: @escaping SourceFilter = { _ in true }
    ) throws -> InlineReader.Result? {
        let offered = try OfferedRepresentation(
            type: OfferedType(identifier: "public.data"), channel: .file, size: size, isFolder: isFolder)
        return InlineReader(manner: manner, filter: filter).read(.file(path: path), as: offered, at: 0, room: room)
    }

    @Test func incompleteOrLargeContentIsNotInline() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "file").path
            try Data(count: 10_000).write(to: URL(fileURLWithPath: file))
            let read = try #require(try self.read(file, size: 10_000))
            #expect(read.bytes == 10_000 && read.content.name == Array("file".utf8))
            #expect(try self.read(file, room: 10_000) == nil, "The entry takes room, too")
            #expect(try self.read(file, size: 9_999) == nil, "It has grown since it was offered")
            #expect(try self.read(file, isFolder: true) == nil)
            #expect(try self.read(file + "?") == nil)
            #expect(try self.read(folder.path, isFolder: true) != nil)
            #expect(mkfifo(folder.appending(path: "pipe").path, 0o600) == 0)
            #expect(try self.read(folder.path, isFolder: true) == nil, "A pipe would be an omission")
        }
    }

    @Test func folderOfManyEntriesIsNotInline() async throws {
        try await withFolder { folder in
            for name in 0..<255 { try Data().write(to: folder.appending(path: "\(name)")) }
            #expect(try read(folder.path, isFolder: true) != nil)
            try Data().write(to: folder.appending(path: "one more"))
            #expect(try read(folder.path, isFolder: true) == nil)
        }
    }

    @Test func hiddenContentIsNotInline() async throws {
        try await withFolder { folder in
            for name in ["hidden", "shown"] { try Data(name.utf8).write(to: folder.appending(path: name)) }
            let team = try #require(TeamID(bytes: [UInt8](repeating: 7, count: TeamID.length)))
            try StoredVisibility.keep(
                Restriction(.team, for: Audience(team: team, groups: [])),
                on: Descriptor(owning: open(folder.appending(path: "hidden").path, O_RDONLY)))
            let read = try #require(
                try self.read(folder.path, isFolder: true) { $0.visibility == .all })
            #expect(read.withheld.count == 1 && read.bytes == 5)
            #expect(!read.content.content.contains(Data("hidden".utf8)))
        }
    }
}
