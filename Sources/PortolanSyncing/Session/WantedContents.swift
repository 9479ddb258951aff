import PortolanConcurrency
import PortolanDelta
import PortolanProtocol
import PortolanSync
import PortolanSyncModel
import Synchronization

/// Contents for the peer of a session: their parts, and their descriptions (SYNC.md 7.4 and 7.5).
final class WantedContents: Sendable {
    private struct Source {
        var folder: SyncFolderID
        var digest: PortolanSyncModel.ContentDigest
        var content: any ContentSource
        /// Chunks of the content by the key of the last question about them.
        var chunks: (key: [UInt8], list: ChunkList)?

        func isFor(_ want: Message.SyncWant) -> Bool { folder == want.folder && digest == want.digest }
    }

    private struct State {
        /// Contents whose parts the peer requested recently, the latest last.
        var sources: [Source] = []
        var isOver = false

        mutating func keep(_ source: Source) {
            guard !isOver else { return }
            sources.append(source)
            if sources.count > WantedContents.maximumSources { sources.removeFirst() }
        }
    }

    /// Largest number of contents that are kept open between their parts, with chunks of at most 2 MB each.
    private static let maximumSources = 8
    /// Bytes that are read at once.
    private static let piece = 256 << 10

    private let host: any SyncHost
    private let state = Mutex(State())
    /// Contents that go to the peer now.
    let going = GoingContents()
    /// Lock for reading one content at a time for its chunks.
    private let scanning = TaskLock()

    init(_ host: any SyncHost) { self.host = host }

    /// Returns a part of a content, or of its description; nil if it is missing or not for the peer.
    func answer(_ want: Message.SyncWant, for role: SyncRole) async throws -> [UInt8]? {
        guard let description = want.description else { return try await data(of: want, for: role) }
        guard let source = try await source(of: want, for: role) else { return nil }
        if !state.withLock({ $0.sources.contains { $0.isFor(want) } }) {
            state.withLock { $0.keep(Source(folder: want.folder, digest: want.digest, content: source)) }
        }
        // Without an answer for long, the peer would treat this device as disconnected.
        let all = try await host.run(within: .description) { try await self.description(description, want, source) }
        return all?.map { Array($0.dropFirst(Int(clamping: want.offset)).prefix(want.length)) }
    }

    /// Closes the contents.
    func drop() { state.withLock { $0 = State(isOver: true) } }

    /// A file is looked up once, and the peer's right to it is checked for each part.
    private func source(of want: Message.SyncWant, for role: SyncRole) async throws -> (any ContentSource)? {
        let known = state.withLock { state in state.sources.first { $0.isFor(want) }?.content }
        if let known, want.offset > 0 || want.description != nil {
            return try await host.isShared(want.folder, with: role) ? known : nil
        }
        return try await host.content(want.digest, of: want.folder, for: role)
    }

    private func data(of want: Message.SyncWant, for role: SyncRole) async throws -> [UInt8]? {
        guard let source = try await source(of: want, for: role),
            let data = await Self.read(source, at: want.offset, count: want.length)
        else { return nil }
        let isFirst = going.add(data.count, of: want.digest, size: source.size, in: want.folder)
        if isFirst { host.sends(want.folder, to: role) }
        // The parts of a large file are requested concurrently, and arrive in any order.
        let isWhole = want.offset == 0 && data.count < want.length
        state.withLock { state in
            let known = state.sources.first { $0.isFor(want) }
            state.sources.removeAll { $0.isFor(want) }
            if !isWhole {
                state.keep(
                    Source(folder: want.folder, digest: want.digest, content: source, chunks: known?.chunks))
            }
        }
        return data
    }

    /// - Returns: fewer bytes only at the end of the content; nil if it cannot be read.
    private static func read(_ source: any ContentSource, at offset: UInt64, count: Int) async -> [UInt8]? {
        var data: [UInt8] = []
        while data.count < count {
            let left = count - data.count
            guard let more = try? await source.read(at: offset + UInt64(data.count), count: left) else { return nil }
            if more.isEmpty { break }
            data += more.prefix(left)
        }
        return data
    }

    // MARK: Descriptions

    private func description(
        _ description: Message.SyncWant.Description, _ want: Message.SyncWant, _ source: any ContentSource
    ) async throws -> [UInt8]? {
        switch description.question {
        case nil:
            guard let list = try await chunks(of: source, want, description.key) else { return nil }
            return ChunkGroup.encode(list.groups)
        case .groups(let runs):
            guard let list = try await chunks(of: source, want, description.key) else { return nil }
            return list.list(ofGroups: runs).encode()
        case .sums(let ranges):
            let sums = BlockSums(key: description.key)
            var answer: [UInt8] = []
            for range in ranges {
                try Task.checkCancellation()
                guard range.base.upperBound <= EarlierVersion.sizes.upperBound,
                    let request = try? SignatureRequest(
                        base: range.base.lowerBound, length: UInt64(range.base.count), blockSize: range.block,
                        strongLength: range.strong, baseSize: range.base.upperBound),
                    let bytes = await Self.read(source, at: range.base.lowerBound, count: range.base.count),
                    bytes.count == range.base.count
                else { return nil }
                answer += bytes.withUnsafeBytes { BlockSignature(of: $0, for: request, sums).encode() }
            }
            return answer
        }
    }

    private func chunks(
        of source: any ContentSource, _ want: Message.SyncWant, _ key: [UInt8]
    ) async throws -> ChunkList? {
        try await scanning.withLock {
            let known = state.withLock { state in state.sources.first { $0.isFor(want) }?.chunks }
            if let known, known.key == key { return known.list }
            guard let list = try await Self.chunks(of: source, key) else { return nil }
            state.withLock { state in
                guard let place = state.sources.firstIndex(where: { $0.isFor(want) }) else { return }
                state.sources[place].chunks = (key, list)
            }
            return list
        }
    }

    /// Reads a content for its chunks.
    ///
    /// - Parameter most: size above which a content has no description, in bytes.
    /// - Returns: nil for a larger content, and for one that cannot be read.
    static func chunks(
        of source: any ContentSource, _ key: [UInt8], most: UInt64 = EarlierVersion.sizes.upperBound
    ) async throws -> ChunkList? {
        var scanner = ChunkScanner(key: key)
        var position: UInt64 = 0
        while position <= most {
            try Task.checkCancellation()
            guard let bytes = await read(source, at: position, count: piece) else { return nil }
            bytes.withUnsafeBytes { scanner.update($0) }
            position += UInt64(bytes.count)
            if bytes.count < piece { return position <= most ? scanner.finish() : nil }
        }
        return nil
    }
}
