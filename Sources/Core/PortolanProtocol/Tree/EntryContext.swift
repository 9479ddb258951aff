/// Earlier entries of a record, as far as the encoding of the next one depends on them (FILES.md, "Tree records").
struct EntryContext {
    /// Number of the last entry; nil if there is none in the record.
    private(set) var index: UInt32?
    /// Folder of an entry that does not name one.
    private(set) var folder: UInt32 = 0
    private(set) var modified: Timestamp?
    private var permissions: (UInt16?, UInt16?, UInt16?, UInt16?) = (nil, nil, nil, nil)

    /// Returns the permissions of the last entry of a kind; nil if there is none in the record.
    func permissions(of kind: TreeElementKind) -> UInt16? {
        switch kind {
        case .file: permissions.0
        case .folder: permissions.1
        case .symbolicLink: permissions.2
        default: permissions.3
        }
    }

    /// Number of an entry without its own number; nil if it must have one.
    var nextIndex: UInt32? {
        guard let index, index < .max else { return nil }
        return index + 1
    }

    mutating func append(
        _ kind: TreeElementKind, _ index: UInt32, in parent: UInt32, _ permissions: UInt16, _ modified: Timestamp
    ) {
        self.index = index
        folder = kind == .folder ? index : parent
        self.modified = modified
        switch kind {
        case .file: self.permissions.0 = permissions
        case .folder: self.permissions.1 = permissions
        case .symbolicLink: self.permissions.2 = permissions
        default: self.permissions.3 = permissions
        }
    }
}

/// Encoding of a modification time, as a difference from that of the preceding entry.
enum TimeForm: UInt8 {
    case same = 0
    /// A signed number of nanoseconds later.
    case nanoseconds = 1
    /// A signed number of whole seconds later.
    case seconds = 2
    /// Seconds and nanoseconds since 1970.
    case absolute = 3

    /// Largest differences that are written in nanoseconds: those of at most nine bytes.
    private static let largestDifference: Int64 = 1 << 61

    /// Returns the shortest form of a time, and the number in it.
    ///
    /// - Parameter before: time of the preceding entry; nil if there is none.
    static func of(_ time: Timestamp, after before: Timestamp?) -> (form: TimeForm, difference: Int64) {
        guard let before else { return (.absolute, 0) }
        if time == before { return (.same, 0) }
        let (seconds, isFar) = time.seconds.subtractingReportingOverflow(before.seconds)
        guard !isFar else { return (.absolute, 0) }
        if time.nanoseconds == before.nanoseconds { return (.seconds, seconds) }
        guard seconds.magnitude < largestDifference / 1_000_000_000 else { return (.absolute, 0) }
        return (.nanoseconds, seconds * 1_000_000_000 + Int64(time.nanoseconds) - Int64(before.nanoseconds))
    }

    /// Returns the time that differs from `before` by `difference`.
    ///
    /// - Returns: nil if that is not a valid time.
    func time(_ difference: Int64, after before: Timestamp) -> Timestamp? {
        var (seconds, nanoseconds) = (difference, Int64(before.nanoseconds))
        if self == .nanoseconds {
            let (sum, overflow) = difference.addingReportingOverflow(nanoseconds)
            guard !overflow else { return nil }
            let (quotient, rest) = sum.quotientAndRemainder(dividingBy: 1_000_000_000)
            (seconds, nanoseconds) = rest < 0 ? (quotient - 1, rest + 1_000_000_000) : (quotient, rest)
        }
        let (sum, overflow) = before.seconds.addingReportingOverflow(seconds)
        return overflow ? nil : try? Timestamp(seconds: sum, nanoseconds: UInt32(nanoseconds))
    }
}

/// Numbers of seven bits a byte, the lowest first; each byte but the last has its highest bit set.
enum Varint {
    /// Bytes of the largest number.
    static let maximumBytes = 10

    static func size(of number: UInt64) -> Int {
        max(1, (UInt64.bitWidth - number.leadingZeroBitCount + 6) / 7)
    }

    /// Maps a signed number to an unsigned one, so that small ones of either sign are short.
    static func zigzag(_ number: Int64) -> UInt64 { UInt64(bitPattern: (number << 1) ^ (number >> 63)) }

    static func unzigzag(_ number: UInt64) -> Int64 { Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1) }
}

/// Names of the current and the preceding entry, each at most 255 bytes.
final class NameMemory {
    private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 512, alignment: 8)
    /// Position of the name: 0 or 256.
    private var place = 0
    private(set) var count = 0

    deinit { bytes.deallocate() }

    /// The name; changes with the next one.
    var name: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[place..<place + count]) }

    /// Returns the number of bytes at the beginning that another name shares with the name.
    func shared(with other: UnsafeRawBufferPointer) -> Int {
        let most = min(count, other.count)
        var shared = 0
        while shared < most, bytes[place + shared] == other[shared] { shared += 1 }
        return shared
    }

    /// Sets the name to a beginning shared with the preceding name, followed by `rest`.
    ///
    /// - Precondition: the preceding name is at least that long, and the new name has at most 255 bytes.
    func set(shared: Int, _ rest: UnsafeRawBufferPointer) {
        precondition(shared <= count && shared + rest.count <= Limits.name, "A name of no entry")
        let next = 256 - place
        let (former, end) = (UnsafeRawBufferPointer(rebasing: bytes[place..<place + shared]), next + shared)
        UnsafeMutableRawBufferPointer(rebasing: bytes[next..<end]).copyMemory(from: former)
        UnsafeMutableRawBufferPointer(rebasing: bytes[end..<end + rest.count]).copyMemory(from: rest)
        formerCount = count
        place = next
        count = shared + rest.count
    }

    private var formerCount = 0

    /// Returns to the preceding name; once.
    func goBack() {
        place = 256 - place
        count = formerCount
    }
}
