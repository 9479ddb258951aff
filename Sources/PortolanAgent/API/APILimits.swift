import NIOCore
import PortolanClient

/// Bounds of what clients of the local API can take.
package struct APILimits: Sendable {
    package var connections = 256
    /// Largest body, in bytes.
    package var body = AgentAPI.bodyLimit
    /// Bytes of one header field, and of the request line.
    package var headerField = 8 << 10
    /// Bytes of all header fields.
    package var headers = 32 << 10
    package var headerCount = 64
    /// Time for a request to arrive, from the connection or the answer before.
    package var request = TimeAmount.seconds(60)
    /// Time in which input is read and thrown away after an answer that came before the end of its request.
    package var discarding = TimeAmount.seconds(2)
    /// Bytes of events that are written at a time, unless one alone has more. No more are held for a reader.
    package var events = 64 << 10
    /// Time in which a reader takes those bytes; one that does not is dropped, and goes on from its last cursor.
    package var stall = TimeAmount.seconds(30)
    /// Time between comments to readers of events.
    package var heartbeat = TimeAmount.seconds(30)

    package init() {}
}
