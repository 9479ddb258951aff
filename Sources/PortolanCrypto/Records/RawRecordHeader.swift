/// The four bytes in front of every record: its type, then the length of its body, big-endian.
///
/// They travel in the clear and are authenticated with the body. What may be in them is the protocol's to say: its `RecordHeader` is one
/// that was checked.
struct RawRecordHeader: Hashable, Sendable {
    /// How many bytes the header has.
    static let length = 4

    /// How many bytes longer than its plaintext a body is.
    static let tagLength = 16

    /// The longest body the header can announce, tag included.
    static let maximumBodyLength = 0xFF_FFFF

    /// The header as one number, type in the highest byte.
    let rawValue: UInt32

    /// A header as it was received. All numbers are headers; whether type and length make sense is the caller's to judge.
    init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// A header for a record to be sent.
    ///
    /// - Precondition: `bodyLength`, which includes the tag, fits in 24 bits and has room for the tag.
    init(type: UInt8, bodyLength: Int) {
        precondition(
            (Self.tagLength...Self.maximumBodyLength).contains(bodyLength), "a record body has 16 bytes to 16 MiB")
        rawValue = UInt32(type) << 24 | UInt32(bodyLength)
    }

    /// What the record carries.
    var type: UInt8 { UInt8(rawValue >> 24) }

    /// How many bytes follow the header, tag included.
    var bodyLength: Int { Int(rawValue & 0xFF_FFFF) }
}
