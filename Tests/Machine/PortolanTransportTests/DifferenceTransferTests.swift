import Foundation
import PortolanCrypto
import PortolanDelta
import PortolanFiles
import PortolanProtocol
import PortolanValues
import Synchronization
import TestSupport
import Testing

@testable import PortolanTransport

/// Files that were received before and have changed, over real connections into a real folder.
@Suite(.timeLimit(.minutes(20))) struct DifferenceTransferTests {
    private static func noise(_ count: Int, seed: UInt64) -> Data {
        var random = SeededGenerator(seed: seed)
        var data = Data(capacity: count + 8)
        while data.count < count { withUnsafeBytes(of: random.next().littleEndian) { data.append(contentsOf: $0) } }
        return data.prefix(count)
    }

    /// Folder with the source, and one in which it is received.
    private struct Place {
        let source: URL
        let inbox: URL
        let isFolder: Bool

        init(_ folder: URL, isFolder: Bool) throws {
            source = folder.appending(path: "source")
            inbox = folder.appending(path: "inbox")
            self.isFolder = isFolder
            for folder in [source, inbox] {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            }
        }

        func write(_ data: Data, _ name: String, seconds: Int) throws {
            let file = source.appending(path: name)
            try data.write(to: file)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: Double(seconds))], ofItemAtPath: file.path)
        }

        private func sink(
            _ onCopy: @escaping @Sendable () -> Void, _ onWrite: @escaping @Sendable () -> Void
        ) throws -> any ItemSink {
            guard let identity = ItemIdentity(bytes: [UInt8](repeating: 5, count: ItemIdentity.length)) else {
                throw SessionPair.NeverArrived()
            }
            let name = try FileName("item")
            let about = PartialAbout(
                identity: identity, peerName: "sender", peerFingerprint: "fingerprint", title: "item", name: name,
                typeIdentifier: "public.data", size: nil, isFolder: isFolder)
            let partial = try Inbox(path: inbox.path, createIfMissing: false).receive(about, called: name, asking: true)
            let sink = try InboxSink(partial, name: name, channel: .file, size: nil) { partial, name, _ in
                let stored = try partial.publish(as: name)
                return .stored(
                    try StoredItem(
                        name: Array(stored.name.utf8), bytes: stored.bytes, entries: UInt32(stored.entries),
                        keptEntries: UInt32(stored.keptEntries), keptBytes: stored.keptBytes,
                        isUpdated: stored.updated))
            }
            return CopyWatch(sink, onCopy, onWrite)
        }

        /// - Returns: nil if it was not stored.
        func send(
            onCopy: @escaping @Sendable () -> Void = {}, onWrite: @escaping @Sendable () -> Void = {}
        ) async throws -> StoredItem? {
            let path = isFolder ? source.path : source.appending(path: "item").path
            var outcomes: [ItemOutcome] = []
            let sink = try sink(onCopy, onWrite)
            try await SessionPair.with { pair in
                async let received: Void = pair.receive(with: Taking(terms: LaneTerms(asks: true), sinks: [sink]))
                outcomes = try await pair.send([.file(path: path)])
                try await received
            }
            guard case .stored(let stored, _) = try #require(outcomes.first) else { return nil }
            return stored
        }

        /// Returns the content in the inbox.
        func content(of stored: StoredItem, _ name: String) throws -> Data {
            let item = inbox.appending(path: String(decoding: stored.name, as: UTF8.self))
            return try Data(contentsOf: isFolder ? item.appending(path: name) : item)
        }
    }

    /// Sends the file, applies `changes` to it, and sends it again.
    ///
    /// - Returns: bytes that had to be sent again; nil where the file system recognises nothing.
    private func cost(
        inFolder isFolder: Bool, of first: Data = noise(5_000_000, seed: 1), _ change: (inout Data) -> Void
    ) async throws -> UInt64? {
        var cost: UInt64?
        try await withFolder { folder in
            let place = try Place(folder, isFolder: isFolder)
            var data = first
            if isFolder { try place.write(Self.noise(300_000, seed: 2), "other", seconds: 1000) }
            try place.write(data, "item", seconds: 1000)
            let received = try #require(try await place.send())
            #expect(try place.content(of: received, "item") == data)
            try place.write(data, "item", seconds: 2000)
            guard let touched = try await place.send(), touched.isUpdated else {
                print("skipped: the file system of \(folder.path) recognises nothing")
                return
            }
            #expect(touched.keptBytes == touched.bytes)
            change(&data)
            try place.write(data, "item", seconds: 3000)
            let stored = try #require(try await place.send())
            #expect(try place.content(of: stored, "item") == data)
            cost = stored.bytes - stored.keptBytes
        }
        return cost
    }

    @Test("a byte that was inserted costs some blocks", arguments: [false, true])
    func insertion(inFolder: Bool) async throws {
        let cost = try await cost(inFolder: inFolder) { $0.insert(7, at: 2_500_000) }
        #expect(cost.map { 1...8192 ~= $0 } ?? true)
    }

    @Test("bytes that were overwritten cost some blocks", arguments: [false, true])
    func overwriting(inFolder: Bool) async throws {
        let cost = try await cost(inFolder: inFolder) { $0.replaceSubrange(4_000_000..<4_000_008, with: [1, 2, 3]) }
        #expect(cost.map { 1...8192 ~= $0 } ?? true)
    }

    @Test("bytes that were appended cost little more than themselves", arguments: [false, true])
    func appending(inFolder: Bool) async throws {
        let cost = try await cost(inFolder: inFolder) { $0.append(Self.noise(300_000, seed: 3)) }
        #expect(cost.map { 300_000...310_000 ~= $0 } ?? true)
    }

    @Test("a file that became shorter, and one that is another one, come as they are")
    func shorterAndDifferentFilesAreSentWhole() async throws {
        let shorter = try await cost(inFolder: false) { $0.removeSubrange(1_000_000..<3_000_000) }
        #expect(shorter.map { $0 <= 8192 } ?? true)
        let other = try await cost(inFolder: true) { $0 = Self.noise(5_000_000, seed: 4) }
        #expect(other.map { $0 == 5_000_000 } ?? true)
    }

    @Test("a file much smaller than its earlier version comes whole")
    func muchSmaller() async throws {
        let large = Self.noise(1_000_000, seed: 1) + Data(repeating: 1, count: 22_000_000)
        let cost = try await cost(inFolder: true, of: large) { $0 = $0.prefix(1_000_000) }
        #expect(cost.map { $0 == 1_000_000 } ?? true)
    }

    @Test("a large file without a chunk of its earlier version is left to the lanes, and may grow meanwhile")
    func largeFileWithoutKnownChunksIsSentOnLanes() async throws {
        func list(_ byte: UInt8) throws -> ChunkList {
            let chunk = [0, 0, 4] + [UInt8](repeating: byte, count: ChunkDigest.length)
            return try ChunkList(decoding: [80] + Array(repeatElement(chunk, count: 80).joined()))
        }
        let difference = FileDifference()
        try difference.step { state in
            state.chunks = try list(1)
            state.match(try list(2))
        }
        #expect(difference.isOver && difference.isWhole)

        try await withFolder { folder in
            let place = try Place(folder, isFolder: true)
            try place.write(Data(repeating: 1, count: 18_000_000), "item", seconds: 1000)
            _ = try #require(try await place.send())
            let data = Data(repeating: 2, count: 18_000_000)
            try place.write(data, "item", seconds: 2000)
            let source = place.source.appending(path: "item")
            let writes = Atomic(0)
            let sent = try await place.send(onWrite: {
                guard writes.wrappingAdd(1, ordering: .relaxed).oldValue == 0 else { return }
                let handle = try? FileHandle(forWritingTo: source)
                _ = try? handle?.seekToEnd()
                try? handle?.write(contentsOf: Data("more".utf8))
                try? handle?.close()
            })
            let stored = try #require(sent)
            #expect(try place.content(of: stored, "item") == data)
        }
    }

    @Test("copies that go on are one, up to 64 MiB")
    func longCopies() {
        let mebibyte: UInt64 = 1 << 20
        var copies = CopiedParts(entry: 3)
        copies.add(5..<5 + 10 * mebibyte, at: 0)
        copies.add(5 + 10 * mebibyte..<5 + 200 * mebibyte, at: 10 * mebibyte)
        #expect(copies.parts.map { $0.length / mebibyte } == [64, 64, 64, 8])
        #expect(copies.parts.map { $0.offset / mebibyte } == [0, 64, 128, 192])
        #expect(copies.parts.allSatisfy { $0.base == $0.offset + 5 })
    }

    @Test("copies between many small changes are not kept back for long")
    func manyChanges() async throws {
        try await withFolder { folder in
            let place = try Place(folder, isFolder: true)
            var data = Self.noise(5_000_000, seed: 1)
            try place.write(data, "item", seconds: 1000)
            _ = try #require(try await place.send())
            for change in 0..<1000 { data[500_000 + change * 4096] ^= 1 }
            try place.write(data, "item", seconds: 2000)
            let now = Atomic(0)
            let most = Atomic(0)
            let sent = try await place.send {
                now.store(0, ordering: .relaxed)
            } onWrite: {
                most.max(now.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
            }
            let stored = try #require(sent)
            #expect(try place.content(of: stored, "item") == data)
            guard stored.keptBytes > 0 else { return }
            #expect(most.load(ordering: .relaxed) <= 300)
        }
    }

    @Test("a file and a subfolder that were renamed cost nothing")
    func renamedEntriesCostNothing() async throws {
        try await withFolder { folder in
            let place = try Place(folder, isFolder: true)
            let (manager, source) = (FileManager.default, place.source)
            let large = Self.noise(5_000_000, seed: 1)
            let small = (0..<700).map { Self.noise(4096, seed: 100 + UInt64($0)) }
            try manager.createDirectory(at: source.appending(path: "many"), withIntermediateDirectories: true)
            try place.write(large, "item", seconds: 1000)
            for (number, data) in small.enumerated() { try place.write(data, "many/\(number)", seconds: 2000 + number) }
            _ = try #require(try await place.send())
            try manager.moveItem(at: source.appending(path: "item"), to: source.appending(path: "thing"))
            try manager.moveItem(at: source.appending(path: "many"), to: source.appending(path: "others"))
            let writes = Atomic(0)
            let stored = try #require(try await place.send(onWrite: { writes.wrappingAdd(1, ordering: .relaxed) }))
            #expect(try place.content(of: stored, "thing") == large)
            for (number, data) in small.enumerated() {
                #expect(try place.content(of: stored, "others/\(number)") == data)
            }
            guard stored.isUpdated else {
                print("skipped: the file system of \(folder.path) recognises nothing")
                return
            }
            #expect(stored.keptBytes == stored.bytes && writes.load(ordering: .relaxed) == 0)
        }
    }

    @Test("a base that is written to meanwhile gives no wrong file, and the next transfer brings the right one")
    func changedBase() async throws {
        try await withFolder { folder in
            let place = try Place(folder, isFolder: true)
            var data = Self.noise(5_000_000, seed: 1)
            try place.write(data, "item", seconds: 1000)
            let first = try #require(try await place.send())
            let base = place.inbox.appending(path: String(decoding: first.name, as: UTF8.self)).appending(path: "item")
            data.insert(7, at: 100)
            try place.write(data, "item", seconds: 2000)
            // Its time is unchanged, so that only the digest of the whole shows the change.
            let copies = Atomic(0)
            let broken = try await place.send(onCopy: {
                guard copies.wrappingAdd(1, ordering: .relaxed).oldValue == 0 else { return }
                let handle = try? FileHandle(forWritingTo: base)
                try? handle?.seek(toOffset: 4_000_000)
                try? handle?.write(contentsOf: Data([1, 2, 3, 4]))
                try? handle?.close()
                try? FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: 1000)], ofItemAtPath: base.path)
            })
            guard copies.load(ordering: .relaxed) > 0 else {
                print("skipped: the file system of \(folder.path) recognises nothing")
                return
            }
            #expect(broken == nil)
            let mended = try #require(try await place.send())
            #expect(try place.content(of: mended, "item") == data)
        }
    }
}

/// A sink that reports copies and content, and passes them to another sink.
private final class CopyWatch: ItemSink {
    private let sink: any ItemSink
    private let onCopy: @Sendable () -> Void
    private let onWrite: @Sendable () -> Void

    init(
        _ sink: any ItemSink, _ onCopy: @escaping @Sendable () -> Void, _ onWrite: @escaping @Sendable () -> Void
    ) {
        self.sink = sink
        self.onCopy = onCopy
        self.onWrite = onWrite
    }

    func copy(_ copy: CopyElement) throws {
        onCopy()
        try sink.copy(copy)
    }

    func allowDifferences() { sink.allowDifferences() }
    func base(of entry: UInt32) throws -> BaseFile? { try sink.base(of: entry) }
    func finish(_ entry: UInt32, size: UInt64, digest: FileDigest) throws {
        try sink.finish(entry, size: size, digest: digest)
    }
    func add(_ entry: TreeEntryElement) throws -> ContentNeed { try sink.add(entry) }
    func content(_ entry: UInt32, _ bytes: UnsafeRawBufferPointer) throws { try sink.content(entry, bytes) }
    func write(_ entry: UInt32, at offset: UInt64, _ bytes: UnsafeRawBufferPointer) throws {
        onWrite()
        try sink.write(entry, at: offset, bytes)
    }
    func hole(_ entry: UInt32, at offset: UInt64, length: UInt64) throws {
        try sink.hole(entry, at: offset, length: length)
    }
    func finish(_ entry: UInt32, size: UInt64) throws { try sink.finish(entry, size: size) }
    func leaveOut(_ entry: UInt32, because reason: Loss.Reason) throws { try sink.leaveOut(entry, because: reason) }
    func digest(_ entry: UInt32, block: UInt64) throws -> [UInt8]? { try sink.digest(entry, block: block) }
    func claimedContent(_ entry: UInt32) -> UInt64? { sink.claimedContent(entry) }
    func complete(_ end: Message.End) async throws -> Completion { try await sink.complete(end) }
    func withdraw() throws { try sink.withdraw() }
    func interrupt() { sink.interrupt() }
    func suspend() { sink.suspend() }
    func discard() { sink.discard() }
}
