import NIOCore
import PortolanConcurrency
import PortolanCrypto
import PortolanProtocol

/// Messages of a session, one at a time, while only messages are allowed.
struct Dialogue {
    let session: Session
    /// Records of the session, for the phase in which other records are allowed.
    var records: SessionHandler.Records.AsyncIterator

    /// Runs a whole session that consists of messages alone, where blocking calls are allowed, and closes it with a
    /// reason if `body` throws.
    static func run<Result: Sendable>(
        on session: Session, _ body: @Sendable (inout Dialogue) async throws -> Result
    ) async throws -> Result {
        try await session.runtime.withLookupThread {
            do {
                var dialogue = session.dialogue()
                let result = try await body(&dialogue)
                await session.finish()
                return result
            } catch {
                session.close(because: error)
                throw error
            }
        }
    }

    /// Returns the next message, or nil after the other side's end mark.
    ///
    /// - Throws: the error that ends the connection; `ProtocolViolation` for payload.
    mutating func next() async throws -> Message? {
        guard var record = try await records.next() else {
            try Task.checkCancellation()
            return nil
        }
        try ProtocolViolation.check(record.type == .control, "Payload came where only messages may come.")
        // The message may contain a team's secret.
        defer {
            record.body.withUnsafeMutableReadableBytes { wipe($0) }
            session.recycle(record)
        }
        return try Message(decoding: record.body.readableBytesView)
    }
}
