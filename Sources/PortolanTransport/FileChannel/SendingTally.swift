import Synchronization

/// How much of a transfer has been sent, counted by all lanes together.
final class SendingTally: Sendable {
    private let data = Atomic<UInt64>(0)
    private let matched = Atomic<UInt64>(0)

    /// Bytes of content that were put on the wire, counted before they were packed.
    var sent: UInt64 { data.load(ordering: .relaxed) }

    /// Bytes of content that need no more attention: sent, or right at the receiver's.
    var done: UInt64 { sent + kept }

    func sent(_ count: Int) {
        data.wrappingAdd(UInt64(count), ordering: .relaxed)
    }

    /// Bytes that were right at the receiver's.
    var kept: UInt64 { matched.load(ordering: .relaxed) }

    func matched(_ count: UInt64) {
        matched.wrappingAdd(count, ordering: .relaxed)
    }
}
