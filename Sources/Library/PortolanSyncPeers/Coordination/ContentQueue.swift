import PortolanSyncFolder
import PortolanSyncPlan
import PortolanValues
import Synchronization

/// Contents that a folder lacks and members may have, in the order in which they are of use.
final class ContentQueue: Sendable {
    /// Contents that are requested together.
    struct Batch: Sendable {
        var contents: [WantedContent]
        var roles: [SyncRole]
    }

    private struct State {
        var wanted: ArraySlice<WantedContent> = []
        var roles: [SyncRole] = []
        var requested: Set<ContentDigest> = []
        /// Contents that did not come, with the times from which on they are requested again.
        var pauses: [ContentDigest: ContinuousClock.Instant] = [:]
        /// Contents among them that no member has.
        var missing: Set<ContentDigest> = []
        /// Progress since nothing was fetched; of the requested contents, what has come.
        var progress = SyncComing(files: 0, bytes: 0, doneFiles: 0, doneBytes: 0, from: [])
        var came: UInt64 = 0
    }

    /// Limits of one batch, unless a single content has more bytes.
    private static let most = (contents: 512, bytes: UInt64(64) << 20)
    private let state = Mutex(State())
    /// Signal when contents are wanted.
    let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Contents that no member has.
    var missing: Set<ContentDigest> { state.withLock(\.missing) }

    /// Nil while nothing is fetched.
    var progress: SyncComing? {
        state.withLock { state in
            guard !state.wanted.isEmpty || !state.requested.isEmpty else { return nil }
            var progress = state.progress
            progress.from = Set(state.roles.map(\.shownName.text)).sorted()
            progress.doneBytes = min(progress.bytes, progress.doneBytes &+ state.came)
            return progress
        }
    }

    /// Replaces the contents that are wanted.
    func want(_ contents: [WantedContent], from roles: [SyncRole], at now: ContinuousClock.Instant) {
        let isOfUse = state.withLock { state in
            let all = Set(contents.map(\.digest))
            state.missing.formIntersection(all)
            state.pauses = state.pauses.filter { all.contains($0.key) }
            state.roles = roles
            state.wanted =
                contents.filter { content in
                    !state.requested.contains(content.digest) && state.pauses[content.digest].map { now >= $0 } ?? true
                }[...]
            state.progress.files = state.progress.doneFiles + state.requested.count + state.wanted.count
            state.progress.bytes = state.wanted.reduce(state.progress.doneBytes &+ state.came) { $0 &+ $1.size }
            return !state.wanted.isEmpty && !roles.isEmpty
        }
        if isOfUse { signal.yield() }
    }

    /// Takes the contents to request next; nil for none.
    func next() -> Batch? {
        state.withLock { state in
            guard !state.roles.isEmpty else { return nil }
            var bytes: UInt64 = 0
            let batch = state.wanted.prefix(Self.most.contents).prefix { content in
                defer { bytes = min(bytes, Self.most.bytes) + content.size }
                return bytes == 0 || bytes + content.size <= Self.most.bytes
            }
            guard !batch.isEmpty else {
                state.progress = SyncComing(files: 0, bytes: 0, doneFiles: 0, doneBytes: 0, from: [])
                return nil
            }
            state.wanted = state.wanted.dropFirst(batch.count)
            state.requested = Set(batch.map(\.digest))
            state.came = 0
            return Batch(contents: Array(batch), roles: state.roles)
        }
    }

    /// Notes how many bytes of the requested contents have come.
    func note(_ bytes: UInt64) { state.withLock { $0.came = bytes } }

    /// Ends a batch.
    ///
    /// - Parameters:
    ///   - rest: contents that did not come.
    ///   - isMissing: true if no member has them.
    ///   - pause: times from which on they are requested again.
    func end(
        _ batch: Batch, without rest: Set<ContentDigest>, isMissing: Bool,
        pause: (ContentDigest) -> ContinuousClock.Instant
    ) {
        state.withLock { state in
            for content in batch.contents where !rest.contains(content.digest) {
                state.progress.doneFiles += 1
                state.progress.doneBytes &+= content.size
                state.missing.remove(content.digest)
            }
            for digest in rest { state.pauses[digest] = pause(digest) }
            if isMissing { state.missing.formUnion(rest) }
            state.requested = []
            state.came = 0
        }
    }

    func finish() { signal.finish() }
}
