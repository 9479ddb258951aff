import Glibc
import PortolanProtocol

/// Memory for one record of a lane, reused for every record, and large enough for the longest.
///
/// The data of a payload record lies at the beginning of a page, as files are read and written most efficiently:
///
///     … | header 4 | payload header 16 | data … | tag 16 | header of the next record 4
///                                      ^ page
///
/// Unused pages are never touched, so they take no memory.
final class LaneBuffer: Sendable {
    /// The longest plaintext of a record on a lane.
    static let longestPlaintext = RecordType.allCases.map { RecordHeader.lengths(of: $0).upperBound }.max() ?? 0

    /// The longest that follows a header on the wire.
    static let longestBody = longestPlaintext + RecordHeader.tagLength

    private static let page = 4096
    private static let plaintextOffset = page - PayloadHeader.length

    // Set once and freed by `deinit`. The memory's content belongs to one lane, which may lend it: the lanes ensure
    // that one thread at a time uses it.
    private nonisolated(unsafe) let start: UnsafeMutableRawPointer

    init() {
        let size = Self.plaintextOffset + Self.longestPlaintext + RecordHeader.tagLength + RecordHeader.length
        start = .allocate(byteCount: size, alignment: Self.page)
    }

    deinit { start.deallocate() }

    /// Returns the memory for `count` bytes of plaintext.
    func plaintext(_ count: Int) -> UnsafeMutableRawBufferPointer {
        precondition(count <= Self.longestPlaintext, "No record is that long")
        return UnsafeMutableRawBufferPointer(start: start + Self.plaintextOffset, count: count)
    }

    /// Returns the whole record around plaintext of `count` bytes: header, plaintext and tag.
    func record(_ count: Int) -> UnsafeMutableRawBufferPointer {
        around(count, before: RecordHeader.length, after: RecordHeader.tagLength)
    }

    /// Returns the part of a record after its header on the wire: ciphertext and tag.
    func body(_ count: Int) -> UnsafeMutableRawBufferPointer {
        around(count, before: 0, after: RecordHeader.tagLength)
    }

    /// Returns the memory for the body, and for the next record's header behind it.
    func bodyAndNextHeader(_ count: Int) -> UnsafeMutableRawBufferPointer {
        around(count, before: 0, after: RecordHeader.tagLength + RecordHeader.length)
    }

    private func around(_ count: Int, before: Int, after: Int) -> UnsafeMutableRawBufferPointer {
        let plaintext = plaintext(count)
        return UnsafeMutableRawBufferPointer(
            start: start + Self.plaintextOffset - before, count: before + plaintext.count + after)
    }
}
