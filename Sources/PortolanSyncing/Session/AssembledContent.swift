import PortolanConcurrency
import PortolanDelta
import PortolanProtocol
import PortolanSync
import Synchronization

/// Content of a changed file, put together from the earlier version here and from what peers send (SYNC.md 7.5).
///
/// Nothing of the earlier version is told. The reader verifies the whole, and fetches it without the earlier version if
/// it is not as announced: a peer may describe what it likes.
final class AssembledContent: ContentSource {
    /// Limit on the files that are compared at a time, of all sessions.
    private static let places = TaskLock(places: 2)
    /// Above this size a content that has no chunk of the earlier version is fetched as it is, in bytes.
    private static let strangeSize: UInt64 = 16 << 20

    private let whole: RemoteContent
    private let earlier: EarlierVersion
    private let plan: AssemblyPlan
    /// True if the earlier version has changed since it was compared: everything is fetched.
    private let isOutdated = Mutex(false)

    let partBytes = 2 * Limits.syncContent
    let partsAtOnce = Limits.questions / 2

    private init(_ whole: RemoteContent, _ earlier: EarlierVersion, _ plan: AssemblyPlan) {
        self.whole = whole
        self.earlier = earlier
        self.plan = plan
    }

    /// Compares a content with the earlier version.
    ///
    /// - Parameter size: size of the content, in bytes.
    /// - Returns: nil if they have nothing in common, and if no peer describes the content.
    /// - Throws: `CancellationError`.
    static func of(
        _ whole: RemoteContent, size: UInt64, after earlier: EarlierVersion
    ) async throws -> AssembledContent? {
        try await places.withLock {
            for role in whole.roles {
                let comparison = ContentComparison(whole: whole, size: size, role: role, earlier: earlier)
                do {
                    guard let plan = try await comparison.plan() else { continue }
                    return plan.missing < plan.size ? AssembledContent(whole, earlier, plan) : nil
                } catch is DeltaError {
                    // A peer that describes something else is asked for all of it, and may be right then.
                    return nil
                }
            }
            return nil
        }
    }

    func read(at offset: UInt64, count: Int) async throws -> [UInt8] {
        guard offset < plan.size else { return [] }
        var bytes: [UInt8] = []
        for part in plan.parts(in: offset..<min(offset + UInt64(count), plan.size)) {
            if let copied = await copied(part) {
                bytes += copied
                continue
            }
            var position = part.range.lowerBound
            while position < part.range.upperBound {
                let more = try await whole.read(at: position, count: Int(part.range.upperBound - position))
                // The content is shorter than announced, which the reader sees.
                if more.isEmpty { return bytes }
                bytes += more
                position += UInt64(more.count)
            }
        }
        return bytes
    }

    private func copied(_ part: AssemblyPlan.Part) async -> [UInt8]? {
        guard let own = part.own, !isOutdated.withLock(\.self) else { return nil }
        let bytes = await earlier.read(own..<own + UInt64(part.range.count))
        if bytes == nil { isOutdated.withLock { $0 = true } }
        return bytes
    }

    /// Comparison of a content, as one peer describes it, with the earlier version.
    private struct ContentComparison {
        let whole: RemoteContent
        let size: UInt64
        let role: SyncRole
        let earlier: EarlierVersion

        private static let piece: UInt64 = 256 << 10

        /// - Returns: nil if the peer does not describe the content.
        /// - Throws: `DeltaError` for what describes no content of that size; `CancellationError`.
        func plan() async throws -> AssemblyPlan? {
            var random = SystemRandomNumberGenerator()
            let key = (0..<GearTable.keyLength).map { _ in UInt8.random(in: 0...255, using: &random) }
            let mostGroups = Int(size) / ChunkSizes.minimum + 1
            guard let groups = try await ask(nil, key, most: mostGroups * ChunkDigest.length),
                let own = try await chunks(key)
            else { return nil }
            let match = GroupMatch(base: try ChunkGroup.decode(groups), new: own, mostRuns: Limits.groupRuns)
            var found = ChunkList()
            if !match.missing.isEmpty {
                let runs = match.missing.map { UInt64($0.lowerBound)..<UInt64($0.upperBound) }
                let most = 10 + match.mostMissingChunks * ChunkList.encodedChunkLength
                guard let answer = try await ask(.groups(runs), key, most: most) else { return nil }
                found = try ChunkList(decoding: answer, limit: match.mostMissingChunks)
            }
            var plan = AssemblyPlan(wanted: try match.list(with: found, size: size), own: own)
            guard plan.missing < size || size <= AssembledContent.strangeSize else { return plan }
            try await refine(&plan, key)
            return plan
        }

        /// - Returns: chunks of the earlier version; nil if it changes.
        private func chunks(_ key: [UInt8]) async throws -> ChunkList? {
            var scanner = ChunkScanner(key: key)
            var position: UInt64 = 0
            while position < earlier.size {
                try Task.checkCancellation()
                let end = min(position + Self.piece, earlier.size)
                guard let bytes = await earlier.read(position..<end) else { return nil }
                bytes.withUnsafeBytes { scanner.update($0) }
                position = end
            }
            return scanner.finish()
        }

        /// Looks for blocks of what no chunk of the earlier version has.
        private func refine(_ plan: inout AssemblyPlan, _ key: [UInt8]) async throws {
            let sums = BlockSums(key: key)
            var searches = try plan.searches()[...]
            var found: [(search: AssemblyPlan.Search, pieces: [AssemblyPlan.Part])] = []
            while !searches.isEmpty {
                let batch = Self.batch(of: searches)
                searches = searches.dropFirst(batch.count)
                let ranges = batch.map {
                    Message.Compare.Sums(
                        base: $0.request.base, block: $0.request.blockSize, strong: $0.request.strongLength)
                }
                let length = batch.reduce(0) { $0 + Int($1.request.signatureLength) }
                // What is known by now is of use without the sums, too.
                guard let answer = try await ask(.sums(ranges), key, most: length) else { break }
                guard answer.count == length else { throw DeltaError.truncated(.signature) }
                var rest = answer[...]
                for search in batch {
                    let bytes = Array(rest.prefix(Int(search.request.signatureLength)))
                    rest = rest.dropFirst(bytes.count)
                    let signature = try BlockSignature(decoding: bytes, for: search.request)
                    var pieces: [AssemblyPlan.Part] = []
                    for window in search.windows {
                        try Task.checkCancellation()
                        guard let content = await earlier.read(window) else { break }
                        pieces += AssemblyPlan.pieces(
                            of: search, signature, sums, in: content, at: window.lowerBound)
                    }
                    found.append((search, pieces))
                }
            }
            plan.fill(found)
        }

        /// Searches whose sums one question may ask for.
        private static func batch(
            of searches: ArraySlice<AssemblyPlan.Search>
        ) -> ArraySlice<AssemblyPlan.Search> {
            var bytes = 0
            return searches.prefix(Limits.sumRanges).prefix { search in
                let sum = SignatureRequest.weakLength + search.request.strongLength
                bytes += (search.request.base.count / search.request.blockSize + 1) * sum
                return bytes <= Limits.syncContent
            }
        }

        private func ask(
            _ question: Message.Compare.Question?, _ key: [UInt8], most: Int
        ) async throws -> [UInt8]? {
            guard let description = try? Message.SyncWant.Description(key: key, question) else { return nil }
            return try await whole.describe(description, most: most, by: role)
        }
    }
}
