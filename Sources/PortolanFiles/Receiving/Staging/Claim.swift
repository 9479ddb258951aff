import PortolanValues
import Synchronization

/// Bytes of a file that an earlier transfer left, and the part of them that the sender was told.
final class Claim: Sendable {
    let held: ByteRanges
    /// Bytes of the version that is announced that came before; fewer than are held where the file began as a copy of
    /// another version.
    let came: UInt64
    /// True if the file's own size and time say that it is complete.
    let isComplete: Bool
    /// Number of held bytes that are no holes.
    let content: UInt64
    private let told = Mutex(ByteRanges())
    private let holes = Mutex(ByteRanges())
    private let copies = Mutex(ByteRanges())

    /// - Parameters:
    ///   - came: nil for all that is held.
    ///   - content: nil for all that is held.
    init(held: ByteRanges, came: UInt64? = nil, content: UInt64? = nil, isComplete: Bool) {
        self.held = held
        self.content = content ?? held.total
        self.came = min(came ?? held.total, held.total)
        self.isComplete = isComplete
    }

    /// Ranges that the sender has digests of: bytes of them that it does not send again are right.
    var settled: ByteRanges { told.withLock(\.self) }

    /// True if a part of it may be of another version.
    var holdsOtherVersion: Bool { came < held.total }

    func tell(_ range: Range<UInt64>) { told.withLock { $0.insert(range) } }

    /// Parts of a file by its difference that are where they are in the stored file.
    var passedCopies: ByteRanges { copies.withLock(\.self) }

    /// Notes a copy of bytes that the stored file has in the same place. The transfer's rules say that nothing comes
    /// twice.
    func passOver(copy range: Range<UInt64>) {
        copies.withLock { $0.insert(range) }
        tell(range)
    }

    /// Holes that came and are holes of the stored file, too.
    var passedOver: ByteRanges { holes.withLock(\.self) }

    /// Notes a hole that the stored file has, too.
    ///
    /// - Returns: false if some of it came before, or holes come in more pieces than a file may.
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
