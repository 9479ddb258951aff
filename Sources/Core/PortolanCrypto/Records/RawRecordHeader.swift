/// The four bytes in front of every record: its type, then the length of its body, big-endian.
///
/// The header is sent unencrypted and authenticated with the body. Its values are not checked here: the protocol's
/// `RecordHeader` is a checked one.
struct RawRecordHeader: Hashable, Sendable {
    /// Length of the header, in bytes.
    static let length = 4

    /// Bytes by which a body is longer than its plaintext.
    static let tagLength = 16

    /// Longest body that a header can state, tag included.
    static let maximumBodyLength = 0xFF_FFFF

    /// The header as one number, type in the highest byte.
    let rawValue: UInt32

    /// Makes a header from a received number. All numbers are headers; the caller checks type and length.
    init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Makes the header of a record to be sent.
    ///
    /// - Precondition: `bodyLength`, which includes the tag, fits in 24 bits and has room for the tag.
    init(type: UInt8, bodyLength: Int) {
        precondition(
            (Self.tagLength...Self.maximumBodyLength).contains(bodyLength), "a record body has 16 bytes to 16 MiB")
        rawValue = UInt32(type) << 24 | UInt32(bodyLength)
    }

    /// Type of the record.
    var type: UInt8 { UInt8(rawValue >> 24) }

    /// Length of the body behind the header, in bytes, tag included.
    var bodyLength: Int { Int(rawValue & 0xFF_FFFF) }
}
