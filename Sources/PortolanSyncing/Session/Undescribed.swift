import PortolanSyncModel
import Synchronization

/// Contents without a useful description from a peer. It is not asked for one again in the session: with a new key it
/// would read the whole content again in each round of work.
final class Undescribed: Sendable {
    /// The most contents, after which the peer is asked for no description at all.
    private static let most = 4096

    /// Nil if the peer is not asked for descriptions any more.
    private let digests = Mutex<Set<ContentDigest>?>([])

    /// True if the peer may be asked for a description.
    func mayAsk(of digest: ContentDigest) -> Bool {
        digests.withLock { $0.map { !$0.contains(digest) } ?? false }
    }

    func insert(_ digest: ContentDigest) {
        digests.withLock { digests in
            digests?.insert(digest)
            if digests?.count ?? 0 > Self.most { digests = nil }
        }
    }

    /// Notes that the peer took too long: one such wait is enough.
    func insertAll() { digests.withLock { $0 = nil } }
}
