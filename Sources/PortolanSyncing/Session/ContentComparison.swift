import PortolanDelta
import PortolanProtocol
import PortolanSync
import Synchronization

/// Comparison of a content, as one peer describes it, with the earlier version.
final class ContentComparison: Sendable {
    enum Result: Sendable {
        case plan(AssemblyPlan)
        /// Fetching the whole content is faster.
        case whole
        /// The peer does not describe the content.
        case undescribed
    }

    /// Error for a peer that gives no description.
    private struct NoDescription: Error {}

    private struct State {
        /// Result so far, used if the time is over.
        var plan: AssemblyPlan?
        /// True while the peer has to answer something.
        var isAsking = false
    }

    private let whole: RemoteContent
    private let size: UInt64
    private let role: SyncRole
    private let earlier: EarlierVersion
    private let state = Mutex(State())

    private static let piece: UInt64 = 256 << 10

    /// - Parameter size: size of the content, in bytes.
    init(_ whole: RemoteContent, _ size: UInt64, _ role: SyncRole, _ earlier: EarlierVersion) {
        self.whole = whole
        self.size = size
        self.role = role
        self.earlier = earlier
    }

    /// Compares both, for a certain time at most.
    ///
    /// - Throws: `CancellationError`.
    func result() async throws -> Result {
        let digest = whole.digest
        guard role.undescribed.mayAsk(of: digest) else { return .undescribed }
        guard AssembledContent.takePlace() else { return .whole }
        defer { AssembledContent.giveBackPlace() }
        do {
            let isDone = try await role.host.run(within: .comparison) { try await self.compare() } != nil
            let state = state.withLock(\.self)
            if !isDone, state.isAsking { role.undescribed.insertAll() }
            guard var plan = state.plan, plan.join() else { return .whole }
            return .plan(plan)
        } catch is NoDescription {
            role.undescribed.insert(digest)
            return .undescribed
        } catch is DeltaError {
            // A peer that sent a wrong description is asked for the whole content, which may be correct.
            role.undescribed.insert(digest)
            return .whole
        }
    }

    /// - Throws: `DeltaError` for a description that fits no content of that size; `NoDescription`;
    ///   `CancellationError`.
    private func compare() async throws {
        var random = SystemRandomNumberGenerator()
        let key = (0..<GearTable.keyLength).map { _ in UInt8.random(in: 0...255, using: &random) }
        let mostGroups = Int(size) / ChunkSizes.minimum + 1
        let groups = try await ask(nil, key, most: mostGroups * ChunkDigest.length)
        guard let own = try await chunks(key) else { return }
        let match = GroupMatch(base: try ChunkGroup.decode(groups), new: own, mostRuns: Limits.groupRuns)
        var found = ChunkList()
        if !match.missing.isEmpty {
            let runs = match.missing.map { UInt64($0.lowerBound)..<UInt64($0.upperBound) }
            let most = 10 + match.mostMissingChunks * ChunkList.encodedChunkLength
            let answer = try await ask(.groups(runs), key, most: most)
            found = try ChunkList(decoding: answer, limit: match.mostMissingChunks)
        }
        let plan = AssemblyPlan(wanted: try match.list(with: found, size: size), own: own)
        state.withLock { $0.plan = plan }
        guard plan.missing < size || size <= AssembledContent.strangeSize else { return }
        let refined = try await refined(plan, key)
        state.withLock { $0.plan = refined }
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

    /// Searches for blocks in parts without a common chunk.
    private func refined(_ plan: AssemblyPlan, _ key: [UInt8]) async throws -> AssemblyPlan {
        var plan = plan
        let sums = BlockSums(key: key)
        var searches = try plan.searches()[...]
        var found: [(search: AssemblyPlan.Search, pieces: [AssemblyPlan.Part])] = []
        var room = AssemblyPlan.mostParts
        while !searches.isEmpty, room > 0 {
            let batch = Self.batch(of: searches)
            searches = searches.dropFirst(batch.count)
            let ranges = batch.map {
                Message.Compare.Sums(
                    base: $0.request.base, block: $0.request.blockSize, strong: $0.request.strongLength)
            }
            let length = batch.reduce(0) { $0 + Int($1.request.signatureLength) }
            // The known parts are used even without the sums.
            guard let answer = try? await ask(.sums(ranges), key, most: length) else { break }
            guard answer.count == length else { throw DeltaError.truncated(.signature) }
            var rest = answer[...]
            for search in batch {
                let bytes = Array(rest.prefix(Int(search.request.signatureLength)))
                rest = rest.dropFirst(bytes.count)
                let signature = try BlockSignature(decoding: bytes, for: search.request)
                var pieces: [AssemblyPlan.Part] = []
                for window in search.windows where room > 0 {
                    try Task.checkCancellation()
                    guard let content = await earlier.read(window) else { break }
                    let more = AssemblyPlan.pieces(
                        of: search, signature, sums, in: content, at: window.lowerBound, most: room)
                    pieces += more
                    room -= more.count
                }
                found.append((search, pieces))
            }
        }
        try Task.checkCancellation()
        plan.fill(found)
        return plan
    }

    /// Searches whose sums fit into one question.
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

    /// - Throws: `NoDescription` if the peer does not answer that; `CancellationError`.
    private func ask(
        _ question: Message.Compare.Question?, _ key: [UInt8], most: Int
    ) async throws -> [UInt8] {
        guard let description = try? Message.SyncWant.Description(key: key, question) else { throw NoDescription() }
        state.withLock { $0.isAsking = true }
        guard let answer = try await whole.describe(description, most: most, by: role) else { throw NoDescription() }
        state.withLock { $0.isAsking = false }
        return answer
    }
}
