/// Opens the records of one direction of a connection, in the order they were sealed in (see ``RecordSealer``).
///
/// After an error every further record fails: the direction is out of step, or an attacker sends forgeries.
public struct RecordOpener: ~Copyable, Sendable {
    /// Length of the header, in bytes.
    public static let headerLength = RawRecordHeader.length

    /// Bytes by which a body is longer than its plaintext.
    public static let tagLength = RawRecordHeader.tagLength

    private var keys: RecordKeySchedule
    private var failure: RecordError?

    /// Begins a direction with its secret from the handshake.
    ///
    /// - Parameter firstRecord: number of the first record; greater than 0 in tests, which begin in the middle.
    /// - Precondition: `secret` has 32 bytes.
    package init(secret: SecretBytes, suite: RecordSuite, firstRecord: UInt64 = 0) {
        keys = RecordKeySchedule(secret: secret, suite: suite, firstRecord: firstRecord)
    }

    /// Opens the next record in place.
    ///
    /// - Parameters:
    ///   - header: The four bytes as received, read as a big-endian number (type (8 bits), then body length (24 bits)).
    ///   - body: Ciphertext ‖ tag, of the length in the header. Afterwards all but the last 16 bytes are the
    ///     plaintext; after an error they are zeros or untouched, never plaintext that was not verified.
    /// - Throws: ``RecordError``, and the same again for every later record.
    public mutating func open(header: UInt32, _ body: UnsafeMutableRawBufferPointer) throws(RecordError) {
        if let failure { throw failure }
        do {
            try openNext(RawRecordHeader(rawValue: header), body)
        } catch {
            failure = error
            throw error
        }
    }

    /// Opens the next record in place, as the method for unsafe memory does.
    public mutating func open(header: UInt32, _ body: inout MutableRawSpan) throws(RecordError) {
        try body.withUnsafeMutableBytes { (body) throws(RecordError) in try open(header: header, body) }
    }

    private mutating func openNext(
        _ header: RawRecordHeader, _ body: UnsafeMutableRawBufferPointer
    ) throws(RecordError) {
        guard body.count >= RawRecordHeader.tagLength, body.count == header.bodyLength else { throw .truncated }
        let tagStart = body.count - RawRecordHeader.tagLength
        try keys.withNext { (cipher, nonce) throws(RecordError) in
            let onTheWire = header.rawValue.bigEndian
            try withUnsafeBytes(of: onTheWire) { (headerBytes) throws(RecordError) in
                try cipher.open(
                    UnsafeMutableRawBufferPointer(rebasing: body[..<tagStart]),
                    tag: UnsafeRawBufferPointer(rebasing: body[tagStart...]), nonce: nonce,
                    authenticating: headerBytes)
            }
        }
    }
}
