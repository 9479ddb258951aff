/// Seals the records of one direction of a connection, in order.
///
/// Record *n* is: header (4 bytes) ‖ ciphertext ‖ tag (16 bytes). The header is authenticated, the record's number is
/// its nonce, so the other side notices any record changed, repeated, left out or out of order. A truncated end is
/// detected only by a last record, which the protocol defines.
///
/// Not copyable: two copies would seal different records under one key and nonce, which reveals both.
public struct RecordSealer: ~Copyable, Sendable {
    /// Bytes for the header in front of the plaintext.
    public static let headerLength = RawRecordHeader.length

    /// Bytes for the tag behind the plaintext.
    public static let tagLength = RawRecordHeader.tagLength

    private var keys: RecordKeySchedule

    /// Begins a direction with its secret from the handshake.
    ///
    /// - Parameter firstRecord: number of the first record; greater than 0 in tests, which begin in the middle.
    /// - Precondition: `secret` has 32 bytes and no other sealer was ever made from it.
    package init(secret: SecretBytes, suite: RecordSuite, firstRecord: UInt64 = 0) {
        keys = RecordKeySchedule(secret: secret, suite: suite, firstRecord: firstRecord)
    }

    /// Seals the next record in place: writes the header, replaces the plaintext, writes the tag.
    ///
    /// - Parameters:
    ///   - type: Type of the record.
    ///   - record: 4 bytes for the header ‖ plaintext ‖ 16 bytes for the tag, all of which is the record afterwards.
    /// - Precondition: `record` has 20 bytes to 16 MiB.
    public mutating func seal(type: UInt8, _ record: UnsafeMutableRawBufferPointer) {
        let header = RawRecordHeader(type: type, bodyLength: record.count - RawRecordHeader.length)
        record.storeBytes(of: header.rawValue.bigEndian, as: UInt32.self)
        let tagStart = record.count - RawRecordHeader.tagLength
        keys.withNext { cipher, nonce in
            cipher.seal(
                UnsafeMutableRawBufferPointer(rebasing: record[RawRecordHeader.length..<tagStart]),
                tag: UnsafeMutableRawBufferPointer(rebasing: record[tagStart...]), nonce: nonce,
                authenticating: UnsafeRawBufferPointer(rebasing: record[..<RawRecordHeader.length]))
        }
    }

    /// Seals the next record in place, as the method for unsafe memory does.
    public mutating func seal(type: UInt8, _ record: inout MutableRawSpan) {
        record.withUnsafeMutableBytes { seal(type: type, $0) }
    }
}
