import NIOCore
import PortolanConcurrency
import PortolanCrypto
import PortolanProtocol

/// Decodes the messages of a session once it has begun, large ones one after the other in the whole process.
///
/// Decoding takes many times the memory of a message for a moment. All peers together have it once, and none waits for
/// longer than it takes to decode one message of each of the others; small messages do not wait.
enum MessageDecoder {
    private static let small = 16 << 10
    private static let turn = TaskLock()

    /// Decodes a record, and gives it back to its session.
    ///
    /// - Throws: `ProtocolViolation`, `CancellationError`.
    static func decode(_ record: consuming Record, of session: Session) async throws -> Message {
        var record = record
        defer { session.recycle(record) }
        let message = try await decode(record.body)
        // A team's secret may be in it.
        if case .teamUpdate = message { record.body.withUnsafeMutableReadableBytes { wipe($0) } }
        return message
    }

    private static func decode(_ body: ByteBuffer) async throws -> Message {
        guard body.readableBytes > small else { return try Message(decoding: body.readableBytesView) }
        return try await turn.withLock { try Message(decoding: body.readableBytesView) }
    }
}
