import NIOCore
import PortolanCrypto
import PortolanProtocol

/// Opened record of a session.
package struct Record: Sendable {
    package let type: RecordType
    /// The plaintext is the readable part.
    package var body: ByteBuffer
    /// Length of the plaintext as received, in bytes.
    let length: Int
}

/// Assembles records from the pieces that the socket delivers, and opens them.
///
/// A record's bytes are copied once, from the piece to the record's own buffer, and opened there.
package struct RecordAssembler: ~Copyable {
    /// Kinds of records that the other side may send now.
    package var phase: RecordPhase = .beforeAcceptance
    /// True after the end record; no record may follow it.
    package private(set) var isAtEnd = false

    /// Memory that is reserved for an incomplete record, in bytes.
    var roomMade: Int { header?.bodyLength ?? 0 }

    private var opener: RecordOpener
    private let buffers: RecordBuffers
    private var headerWord: UInt32 = 0
    private var headerCount = 0
    private var header: RecordHeader?
    private var body = ByteBuffer()

    package init(opener: consuming RecordOpener, buffers: RecordBuffers) {
        self.opener = opener
        self.buffers = buffers
    }

    /// Takes bytes from `input` until a record is complete or there are no more.
    ///
    /// - Returns: nil when more bytes are needed.
    /// - Throws: `ProtocolViolation` for a forbidden length or type and for any byte after the end record,
    ///   `RecordError` for a record that does not open.
    package mutating func next(in input: inout ByteBuffer) throws -> Record? {
        guard !isAtEnd else {
            try ProtocolViolation.check(input.readableBytes == 0, "Something follows the end of the stream.")
            return nil
        }
        while headerCount < RecordHeader.length {
            guard let byte = input.readInteger(as: UInt8.self) else { return nil }
            headerWord = headerWord << 8 | UInt32(byte)
            headerCount += 1
        }
        let header: RecordHeader
        if let begun = self.header {
            header = begun
        } else {
            // Judged before room is made for the body.
            header = try RecordHeader(decoding: headerWord, phase: phase)
            self.header = header
            body = buffers.take(capacity: header.bodyLength)
        }
        let count = min(header.bodyLength - body.readableBytes, input.readableBytes)
        input.readWithUnsafeReadableBytes { bytes in body.writeBytes(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        }
        guard body.readableBytes == header.bodyLength else { return nil }
        try body.withUnsafeMutableReadableBytes { try opener.open(header: headerWord, $0) }
        body.moveWriterIndex(to: body.writerIndex - RecordHeader.tagLength)
        let record = Record(type: header.type, body: body, length: body.readableBytes)
        body = ByteBuffer()
        headerCount = 0
        self.header = nil
        isAtEnd = header.type == .end
        return record
    }
}
