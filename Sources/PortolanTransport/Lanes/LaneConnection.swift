import PortolanDiscovery

/// A connection of a lane, which one thread uses with blocking calls: a TCP connection, or one of a simulation.
///
/// Any thread may end it with `shutDown()`: a thread that waits in `connect`, `send` or `receive` returns at once.
package protocol LaneConnection: AnyObject, Sendable {
    /// Connects to the other side. Once, before anything else, and only for the side that made it.
    ///
    /// - Throws: `TransportError.unreachable`; `.truncated` if it is shut down meanwhile.
    func connect(until deadline: ContinuousClock.Instant) throws(TransportError)

    /// Sends all of `bytes`.
    ///
    /// - Returns: the time it waited for room in the connection's buffer; nothing on a path that takes bytes as fast as
    ///   they come.
    /// - Throws: `TransportError.truncated` when the connection is gone.
    func send(_ bytes: UnsafeRawBufferPointer) throws(TransportError) -> Duration

    /// Receives until `buffer` holds `least` bytes at least, and as many more as are there and fit.
    ///
    /// - Returns: the number of bytes; fewer than `least` only when the other side says no more.
    /// - Throws: `TransportError.truncated` when the connection is gone.
    func receive(into buffer: UnsafeMutableRawBufferPointer, atLeast least: Int) throws(TransportError) -> Int

    /// Looks without waiting and without taking anything.
    var unread: LaneUnread { get }

    /// Bytes that were taken to be sent and are not on the wire yet.
    var queued: Int { get }

    /// Time since anything came from the other side; nil if that is not known.
    ///
    /// Counts bytes of a record that has not come whole, which no thread has seen.
    var quiet: Duration? { get }

    /// True if `shutDown()` was called.
    var isShutDown: Bool { get }

    /// Ends the connection in both directions, also while other threads use it. Bytes that were sent before still
    /// arrive.
    func shutDown()
}

/// Unread bytes of a lane's other side.
package enum LaneUnread: Hashable, Sendable {
    case nothing
    case bytes
    /// No bytes; the connection has ended.
    case end
}

/// Makes connections for the lanes of a session that this side has opened.
package protocol LaneConnector: Sendable {
    /// Returns a connection that is to be connected.
    ///
    /// - Throws: `TransportError.system`
    func makeConnection() throws(TransportError) -> any LaneConnection
}

/// Connects lanes to where their session is connected to.
struct LaneSocketConnector: LaneConnector {
    let address: NetworkAddress

    func makeConnection() throws(TransportError) -> any LaneConnection { try LaneSocket(to: address) }
}
