/// Pages of the committed transactions in a write-ahead log, by its format (sqlite.org/fileformat2.html, section 4).
///
/// The bytes come in order. What follows the last whole transaction does not count, whatever it is.
struct DatabaseLog {
    static let headerBytes = 32
    static let frameBytes = 24

    private let salts: (UInt32, UInt32)
    /// True if the checksums are of numbers with the most significant byte first.
    private let isBigEndian: Bool
    private var sum: (UInt32, UInt32)
    /// Place in the file of each page of a committed transaction, in bytes.
    private(set) var places: [UInt32: UInt64] = [:]
    /// Number of pages of the database after the last committed transaction; nil without one.
    private(set) var pages: UInt32?
    private var uncommitted: [UInt32: UInt64] = [:]
    /// Bytes of the log that were read and count.
    private var position = UInt64(DatabaseLog.headerBytes)

    /// - Returns: nil if nothing in the log counts.
    init?(header: UnsafeRawBufferPointer, pageBytes: Int) {
        guard header.count >= Self.headerBytes else { return nil }
        let magic = header.bigEndian(at: 0)
        guard magic & ~1 == 0x377F_0682, header.bigEndian(at: 4) == 3_007_000,
            header.bigEndian(at: 8) == UInt32(pageBytes)
        else { return nil }
        isBigEndian = magic & 1 == 1
        salts = (header.bigEndian(at: 16), header.bigEndian(at: 20))
        sum = Self.sum(UnsafeRawBufferPointer(rebasing: header[..<24]), after: (0, 0), isBigEndian)
        guard sum == (header.bigEndian(at: 24), header.bigEndian(at: 28)) else { return nil }
    }

    /// Takes the next frame: its header and a page.
    ///
    /// - Returns: false if neither it nor what follows counts.
    mutating func take(frame: UnsafeRawBufferPointer) -> Bool {
        let page = frame.bigEndian(at: 0)
        guard page > 0, (frame.bigEndian(at: 8), frame.bigEndian(at: 12)) == salts else { return false }
        let head = Self.sum(UnsafeRawBufferPointer(rebasing: frame[..<8]), after: sum, isBigEndian)
        let next = Self.sum(UnsafeRawBufferPointer(rebasing: frame[Self.frameBytes...]), after: head, isBigEndian)
        guard next == (frame.bigEndian(at: 16), frame.bigEndian(at: 20)) else { return false }
        sum = next
        uncommitted[page] = position + UInt64(Self.frameBytes)
        position += UInt64(frame.count)
        let size = frame.bigEndian(at: 4)
        if size > 0 {
            pages = size
            places.merge(uncommitted) { $1 }
            uncommitted = [:]
        }
        return true
    }

    private static func sum(
        _ bytes: UnsafeRawBufferPointer, after sum: (UInt32, UInt32), _ isBigEndian: Bool
    ) -> (UInt32, UInt32) {
        var (first, second) = sum
        var place = 0
        while place + 8 <= bytes.count {
            var one = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
            var two = bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
            if isBigEndian { (one, two) = (one.byteSwapped, two.byteSwapped) }
            first = first &+ one &+ second
            second = second &+ two &+ first
            place += 8
        }
        return (first, second)
    }
}
