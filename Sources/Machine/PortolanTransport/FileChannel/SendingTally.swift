import Synchronization

/// Bytes of a transfer that were sent, and its total as far as the source was walked, counted by all threads together.
final class SendingTally: Sendable {
    /// Total of a folder.
    struct Found: Hashable, Sendable {
        /// Bytes of content.
        var bytes: UInt64 = 0
        /// True if the total is final.
        var isAll = false
    }

    /// Reading of the source, and waiting for this side's own rate.
    let own = OwnCalls()
    private let data = Atomic<UInt64>(0)
    private let matched = Atomic<UInt64>(0)
    private let unwanted = Atomic<UInt64>(0)
    private let walked = Atomic<UInt64>(0)
    private let isWalked = Atomic(false)
    /// Total of the last report.
    private let told = Mutex(Found())

    /// Bytes of content that were put on the wire, counted before they were packed.
    var sent: UInt64 { data.load(ordering: .relaxed) }

    /// Bytes of finished content: sent, or present at the receiver.
    var done: UInt64 { sent + kept + unwanted.load(ordering: .relaxed) }

    func sent(_ count: Int) {
        data.wrappingAdd(UInt64(count), ordering: .relaxed)
    }

    /// Bytes that were compared and agreed with the receiver's.
    var kept: UInt64 { matched.load(ordering: .relaxed) }

    func matched(_ count: UInt64) {
        matched.wrappingAdd(count, ordering: .relaxed)
    }

    /// Counts bytes of files that the receiver has already.
    func notWanted(_ count: UInt64) {
        unwanted.wrappingAdd(count, ordering: .relaxed)
    }

    // MARK: The total

    /// Adds the content of an entry to the total of the walk.
    func found(_ bytes: UInt64) {
        walked.wrappingAdd(bytes, ordering: .relaxed)
    }

    /// Notes the end of the walk.
    func foundAll() {
        isWalked.store(true, ordering: .releasing)
    }

    /// Returns the total of the walk so far; nil if it has not changed since the last call.
    func takeNews() -> Found? {
        let isAll = isWalked.load(ordering: .acquiring)
        // Files grow while they are read.
        let now = Found(bytes: max(walked.load(ordering: .relaxed), done), isAll: isAll)
        return told.withLock { told in
            guard now != told else { return nil }
            told = now
            return now
        }
    }
}
