import PortolanValues
import Synchronization

/// Bytes of a file that an earlier transfer left, and the part of them that was claimed to the sender.
final class Claim: Sendable {
    let held: ByteRanges
    /// Received bytes of the announced version; fewer than are held if the file began as a copy of another version.
    let came: UInt64
    /// True if size and time of the file show that it is complete.
    let isComplete: Bool
    /// Number of held bytes that are no holes.
    let content: UInt64
    private let told = Mutex(ByteRanges())
    private let holes = Mutex(ByteRanges())
    private let copies = Mutex(ByteRanges())

    /// - Parameters:
    ///   - came: nil for all held bytes.
    ///   - content: nil for all that is held.
    init(held: ByteRanges, came: UInt64? = nil, content: UInt64? = nil, isComplete: Bool) {
        self.held = held
        self.content = content ?? held.total
        self.came = min(came ?? held.total, held.total)
        self.isComplete = isComplete
    }

    /// Ranges whose digests the sender has: their bytes are correct if the sender does not send them again.
    var settled: ByteRanges { told.withLock(\.self) }

    /// True if some of the held bytes may belong to another version.
    var holdsOtherVersion: Bool { came < held.total }

    func tell(_ range: Range<UInt64>) { told.withLock { $0.insert(range) } }

    /// Copied parts of a difference that are in the same place in the stored file.
    var passedCopies: ByteRanges { copies.withLock(\.self) }

    /// Notes a copy of bytes that are in the same place in the stored file. By the transfer's rules, no part comes
    /// twice.
    func passOver(copy range: Range<UInt64>) {
        copies.withLock { $0.insert(range) }
        tell(range)
    }

    /// Received holes that are holes of the stored file, too.
    var passedOver: ByteRanges { holes.withLock(\.self) }

    /// Notes a hole that is a hole of the stored file as well.
    ///
    /// - Returns: false if a part of it came before, or the file has too many holes.
    func passOver(_ range: Range<UInt64>) -> Bool {
        let isNew = holes.withLock { holes in
            guard !holes.overlaps(range), holes.ranges.count <= ByteRanges.limit else { return false }
            holes.insert(range)
            return true
        }
        if isNew { tell(range) }
        return isNew
    }
}
