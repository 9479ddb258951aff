import Synchronization

/// How much of a transfer has been sent, and how much there is, counted by all threads together.
final class SendingTally: Sendable {
    /// What is there to be sent.
    struct Found: Hashable, Sendable {
        /// Bytes of content.
        var bytes: UInt64 = 0
        /// Whether that is all.
        var isAll = false
    }

    private let data = Atomic<UInt64>(0)
    private let matched = Atomic<UInt64>(0)
    private let unwanted = Atomic<UInt64>(0)
    private let found = Mutex((Found(), isNews: false))

    /// Bytes of content that were put on the wire, counted before they were packed.
    var sent: UInt64 { data.load(ordering: .relaxed) }

    /// Bytes of content that need no more attention: sent, or the receiver's already.
    var done: UInt64 { sent + kept + unwanted.load(ordering: .relaxed) }

    func sent(_ count: Int) {
        data.wrappingAdd(UInt64(count), ordering: .relaxed)
    }

    /// Bytes that were compared and were right at the receiver's.
    var kept: UInt64 { matched.load(ordering: .relaxed) }

    func matched(_ count: UInt64) {
        matched.wrappingAdd(count, ordering: .relaxed)
    }

    /// Bytes of files about which the receiver said that it has them.
    func notWanted(_ count: UInt64) {
        unwanted.wrappingAdd(count, ordering: .relaxed)
    }

    // MARK: What there is

    func found(_ bytes: UInt64) {
        found.withLock { found in
            found.0.bytes = found.0.bytes.addingReportingOverflow(bytes).partialValue
            found.isNews = true
        }
    }

    func foundAll() {
        found.withLock { $0 = (Found(bytes: $0.0.bytes, isAll: true), isNews: true) }
    }

    /// What was found so far, if that was not told yet.
    func takeNews() -> Found? {
        found.withLock { found in
            guard found.isNews else { return nil }
            found.isNews = false
            // Files grow while they are read.
            return Found(bytes: max(found.0.bytes, done), isAll: found.0.isAll)
        }
    }
}
