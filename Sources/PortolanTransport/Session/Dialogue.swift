import NIOCore
import PortolanConcurrency
import PortolanCrypto
import PortolanProtocol

/// The messages of a session, one at a time, for as long as nothing but messages may come.
struct Dialogue {
    let session: Session
    /// Records of the session, once not all of them are messages.
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
        guard record.type == .control else {
            throw ProtocolViolation(.unexpected, "Payload came where only messages may come.")
        }
        // A team's secret may be in it.
        defer {
            record.body.withUnsafeMutableReadableBytes { wipe($0) }
            session.recycle(record)
        }
        return try Message(decoding: record.body.readableBytesView)
    }
}
