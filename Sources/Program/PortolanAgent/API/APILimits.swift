import NIOCore
import PortolanClient

/// Limits on the resources of clients of the local API.
package struct APILimits: Sendable {
    package var connections = 256
    /// Largest body, in bytes.
    package var body = AgentAPI.bodyLimit
    /// Largest header field, and largest request line, in bytes.
    package var headerField = 8 << 10
    /// Size of all header fields, in bytes.
    package var headers = 32 << 10
    package var headerCount = 64
    /// Time for a request to arrive, since the connection or the previous answer.
    package var request = TimeAmount.seconds(60)
    /// Time in which input is discarded after an answer that came before the end of its request.
    package var discarding = TimeAmount.seconds(2)
    /// Size of the events that are written at a time, in bytes, unless a single one has more. A reader's buffer is not
    /// larger.
    package var events = 64 << 10
    /// Time for a reader to take those bytes; a slower one is dropped, and resumes from its last cursor.
    package var stall = TimeAmount.seconds(30)
    /// Interval of comments to readers of events.
    package var heartbeat = TimeAmount.seconds(30)

    package init() {}
}
