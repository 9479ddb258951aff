/// Finds the records in a stream of bytes that someone else holds. It keeps no bytes and copies none.
///
/// The owner reads from its connection into a buffer of its own and asks what lies at the buffer's beginning:
///
/// ```swift
/// var framer = RecordFramer()
/// while true {
///     switch try framer.next(in: UnsafeRawBufferPointer(buffer.unread)) {
///     case .record(let header, let body):        // offsets into what was passed
///         try opener.open(header: header.encoded, buffer.unread[body])
///         …                                      // plaintext: the first header.plaintextLength bytes of body
///         buffer.drop(body.upperBound)
///     case .needs(let bytes):                    // read on until the buffer holds at least this many
///         guard try connection.read(into: &buffer, atLeast: bytes) else { return try framer.finish(unread: buffer.count) }
///     }
/// }
/// ```
///
/// Set `phase` to `.afterAcceptance` when `ReceivingMachine.allowsPayload` becomes true.
package struct RecordFramer: Sendable {
    package enum Step: Hashable, Sendable {
        /// A whole record: its header, and where its sealed body lies.
        case record(RecordHeader, body: Range<Int>)
        /// Not yet a whole one: so many bytes, counted from the same beginning, are needed before it is worth asking.
        case needs(Int)
    }

    /// Which records may come.
    package var phase: RecordPhase
    /// Whether the end record came; nothing may follow it.
    package private(set) var isAtEnd = false

    package init(phase: RecordPhase = .beforeAcceptance) { self.phase = phase }

    /// What lies at the beginning of `bytes`.
    ///
    /// An end record counts as soon as it is found; open it before believing it.
    package mutating func next(in bytes: UnsafeRawBufferPointer) throws(ProtocolViolation) -> Step {
        guard !isAtEnd else {
            if bytes.isEmpty { return .needs(1) }
            throw ProtocolViolation(.unexpected, "Something follows the end of the stream.")
        }
        guard bytes.count >= RecordHeader.length else { return .needs(RecordHeader.length) }
        let word = UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))
        let header = try RecordHeader(decoding: word, phase: phase)
        let total = RecordHeader.length + header.bodyLength
        guard bytes.count >= total else { return .needs(total) }
        isAtEnd = header.type == .end
        return .record(header, body: RecordHeader.length..<total)
    }

    /// The connection ended with so many bytes left that were no whole record.
    ///
    /// - Throws: `TruncatedStream` unless the end record was the last thing that came.
    package func finish(unread: Int) throws(TruncatedStream) {
        guard isAtEnd, unread == 0 else { throw TruncatedStream() }
    }
}

/// The connection ended before its end mark: what was under way is incomplete, whoever cut it.
package struct TruncatedStream: Error, Hashable, Sendable, CustomStringConvertible {
    package init() {}

    package var description: String { "The connection broke before the other side had finished; try again." }
}
