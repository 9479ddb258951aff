import Foundation
import Glibc
import PortolanDelta
import PortolanProtocol
import PortolanValues
import Synchronization
import TestSupport
import Testing

@testable import PortolanFiles
@testable import PortolanTransport

/// Questions and answers about earlier versions of files that are sent as a difference.
@Suite struct BaseReaderTests {
    private static let size = 1 << 20

    /// A file, which is the earlier version of every entry.
    private final class Shelf: ItemSink {
        private let path: String
        private let last: Int
        private let asked = Mutex<[UInt32: Int]>([:])

        /// - Parameter last: how often the file is there for an entry; later it has changed.
        init(_ folder: URL, last: Int = .max) throws {
            path = folder.appending(path: "base").path
            self.last = last
            var random = SeededGenerator(seed: 7)
            let bytes = (0..<BaseReaderTests.size).map { _ in UInt8.random(in: 0...255, using: &random) }
            let file = Descriptor(owning: creat(path, 0o600))
            #expect(bytes.withUnsafeBytes { Glibc.write(file.number, $0.baseAddress, $0.count) } == bytes.count)
        }

        /// Number of requests for the earlier version of an entry.
        func count(_ entry: UInt32) -> Int { asked.withLock { $0[entry] ?? 0 } }

        func base(of entry: UInt32) throws -> BaseFile? {
            let count = asked.withLock { asked in
                asked[entry, default: 0] += 1
                return asked[entry] ?? 0
            }
            guard count <= last else { throw FileError.changedHere(DisplayText("base")) }
            return BaseFile(
                size: UInt64(BaseReaderTests.size), descriptor: Descriptor(owning: open(path, O_RDONLY)),
                name: DisplayText("base"))
        }

        func write(_ entry: UInt32, at offset: UInt64, _ bytes: UnsafeRawBufferPointer) {}
        func complete(_ end: Message.End) -> Completion { .waitsForOthers }
        func suspend() {}
        func discard() {}
    }

    private typealias Answers = AsyncStream<(key: [UInt8]?, data: [UInt8])>

    /// Runs `body` with a reading and its answers.
    private func read(
        _ shelf: Shelf, mostChunks: Int = ChunkList.maximumCount,
        whenRead: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() },
        onSay: @escaping @Sendable () -> Void = {},
        _ body: (BaseReader, inout Answers.AsyncIterator) async throws -> Void
    ) async throws {
        let (answers, feed) = Answers.makeStream()
        let data = Mutex<(key: [UInt8]?, data: [UInt8])>((nil, []))
        let reading = try BaseReader(
            from: shelf, mostChunks: mostChunks, whenRead: whenRead
        ) { _, beginning, more, isLast in
            onSay()
            let answer = data.withLock { data -> (key: [UInt8]?, data: [UInt8])? in
                if let beginning { data.key = beginning.key }
                data.data += more
                guard isLast else { return nil }
                defer { data = (nil, []) }
                return data
            }
            if let answer { feed.yield(answer) }
            return true
        }
        var iterator = answers.makeAsyncIterator()
        try await body(reading, &iterator)
        await reading.stop()
    }

    private func compare(_ entry: UInt32, _ question: Message.Compare.Question) throws -> Message.Compare {
        try Message.Compare(transfer: 1, index: entry, question)
    }

    @Test("a file without room for its chunks is read again when they are asked for")
    func noRoom() async throws {
        try await withFolder { folder in
            let shelf = try Shelf(folder)
            try await read(shelf, mostChunks: 0) { reading, answers in
                reading.begin(1)
                let groups = try #require(await answers.next())
                #expect(groups.key != nil && !groups.data.isEmpty)
                let count = UInt64(try ChunkGroup.decode(groups.data).count)
                reading.answer(try compare(1, .groups([0..<count])))
                let answer = try #require(await answers.next())
                let chunks = try ChunkList(decoding: answer.data)
                #expect(ChunkGroup.encode(chunks.groups) == groups.data && chunks.size == UInt64(Self.size))
            }
        }
    }

    @Test("a file that is over gives its room to the next one")
    func finishedFileFreesItsRoom() async throws {
        try await withFolder { folder in
            let shelf = try Shelf(folder)
            try await read(shelf, mostChunks: Self.size / ChunkSizes.minimum + 1) { reading, answers in
                for entry in 0..<100 as Range<UInt32> {
                    reading.begin(entry)
                    _ = await answers.next()
                    reading.forget(entry)
                }
                reading.begin(100)
                let groups = try #require(await answers.next())
                let before = shelf.count(100)
                reading.answer(try compare(100, .groups([0..<1])))
                let chunks = try #require(await answers.next())
                #expect(chunks.data.count > 10)
                #expect(!groups.data.isEmpty && shelf.count(100) == before + 1)
            }
        }
    }

    @Test("a file that was changed while it was read is not described")
    func changedFileIsNotDescribed() async throws {
        try await withFolder { folder in
            try await read(try Shelf(folder, last: 1)) { reading, answers in
                reading.begin(1)
                let groups = try #require(await answers.next())
                #expect(groups.data.isEmpty)
            }
            for question in [.groups([0..<1]), .sums([.init(base: 0..<4096, block: 1024, strong: 4)])]
                as [Message.Compare.Question]
            {
                // The file is there twice for the groups that the reader sends unasked, and once more for the read.
                let isRead = if case .sums = question { 1 } else { 0 }
                try await read(try Shelf(folder, last: 2 + isRead)) { reading, answers in
                    reading.begin(1)
                    let groups = try #require(await answers.next())
                    reading.answer(try compare(1, question))
                    let answer = try #require(await answers.next())
                    #expect(!groups.data.isEmpty && answer.data.isEmpty)
                }
            }
        }
    }

    @Test("no further answer is sent before the peer has read the last one")
    func nextAnswerWaitsUntilThePeerHasRead() async throws {
        try await withFolder { folder in
            let (waits, feed) = AsyncStream<@Sendable () -> Void>.makeStream()
            let isRead = Atomic(false)
            var waiting = waits.makeAsyncIterator()
            try await read(
                try Shelf(folder), whenRead: { feed.yield($0) },
                onSay: {
                    let wasRead = isRead.load(ordering: .relaxed)
                    #expect(wasRead)
                }
            ) { reading, answers in
                reading.begin(1)
                let goOn = await waiting.next()
                isRead.store(true, ordering: .relaxed)
                goOn?()
                // The groups are answered when the beginning was read.
                let goOnAgain = await waiting.next()
                goOnAgain?()
                let groups = try #require(await answers.next())
                #expect(!groups.data.isEmpty)
                // An answer that is never read ends with the item.
                reading.answer(try compare(1, .groups([0..<1])))
                _ = await waiting.next()
            }
        }
    }
}
