import PortolanDiscovery

/// A connection of a lane, which one thread uses with blocking calls: a TCP connection, or one of a simulation.
///
/// Any thread may end it with `shutDown()`: a thread that waits in `connect`, `send` or `receive` returns at once.
package protocol LaneConnection: AnyObject, Sendable {
    /// Connects to the other side. Called once, before any other call, and only by the side that made the connection.
    ///
    /// - Throws: `TransportError.unreachable`; `.truncated` if it is shut down meanwhile.
    func connect(until deadline: ContinuousClock.Instant) throws(TransportError)

    /// Sends all of `bytes`.
    ///
    /// - Returns: the time of waiting for room in the connection's buffer; zero if the path keeps up.
    /// - Throws: `TransportError.truncated` when the connection is closed.
    func send(_ bytes: UnsafeRawBufferPointer) throws(TransportError) -> Duration

    /// Receives at least `least` bytes into `buffer`, and more if they are available and fit.
    ///
    /// - Returns: the number of bytes; fewer than `least` only at the end of the other side's stream.
    /// - Throws: `TransportError.truncated` when the connection is closed.
    func receive(into buffer: UnsafeMutableRawBufferPointer, atLeast least: Int) throws(TransportError) -> Int

    /// Looks without waiting and without taking anything.
    var unread: LaneUnread { get }

    /// Bytes that were accepted for sending and are not on the wire yet.
    var queued: Int { get }

    /// Time since the last byte from the other side; nil if unknown.
    ///
    /// Includes bytes of an incomplete record, which no thread has read yet.
    var quiet: Duration? { get }

    /// True if `shutDown()` was called.
    var isShutDown: Bool { get }

    /// Ends the connection in both directions, even while other threads use it. Bytes that were sent before still
    /// arrive.
    func shutDown()
}

/// Unread bytes from a lane's other side.
package enum LaneUnread: Hashable, Sendable {
    case nothing
    case bytes
    /// No bytes; the connection has ended.
    case end
}

/// Makes connections for the lanes of a session that this side opened.
package protocol LaneConnector: Sendable {
    /// Returns a new connection, not connected yet.
    ///
    /// - Throws: `TransportError.system`
    func makeConnection() throws(TransportError) -> any LaneConnection
}

/// Connects lanes to where their session is connected to.
struct LaneSocketConnector: LaneConnector {
    let address: NetworkAddress

    func makeConnection() throws(TransportError) -> any LaneConnection { try LaneSocket(to: address) }
}
