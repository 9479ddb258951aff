import NIOCore
import PortolanConcurrency
import PortolanCrypto
import PortolanProtocol

/// Decodes the messages of a session; large ones one at a time in the whole process.
///
/// Decoding temporarily takes many times the memory of a message, so that memory is limited to one large message for
/// all peers together. A peer waits at most for one message of each other peer; small messages do not wait.
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
        // The message may contain a team's secret.
        if case .teamUpdate = message { record.body.withUnsafeMutableReadableBytes { wipe($0) } }
        return message
    }

    private static func decode(_ body: ByteBuffer) async throws -> Message {
        guard body.readableBytes > small else { return try Message(decoding: body.readableBytesView) }
        return try await turn.withLock { try Message(decoding: body.readableBytesView) }
    }
}
