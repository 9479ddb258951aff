import PortolanProtocol
import Synchronization

/// Lanes of a session on which this side sends. They stay open between transfers, until there is nothing left to send.
final class OutgoingLanes: Sendable {
    private struct State {
        var open: [(number: UInt32, lane: SendingLane)] = []
        /// Reserved place of the first lane before it is opened, if lanes are counted.
        var place: LanePlace?
        /// Number of the next lane. A number is not reused after a failed connection.
        var next: UInt32 = 0
    }

    private let session: Session
    private let state = Mutex(State())

    init(_ session: Session) {
        self.session = session
    }

    /// Time and threads of the session.
    var runtime: Runtime { session.runtime }

    /// The alarms of the session.
    var alarms: Alarms { session.alarms }

    /// Sends a message about the content of the lanes.
    func say(_ message: Message) { session.send(message) }

    var count: Int { state.withLock(\.open.count) }

    /// Bytes that the kernel has queued on all lanes.
    var queued: Int { state.withLock(\.open).reduce(0) { $0 + $1.lane.queued } }

    /// Bytes that the kernel has taken on the open lanes.
    var sent: UInt64 { state.withLock(\.open).reduce(0) { $0 &+ $1.lane.bytesSent } }

    /// Waits for room for the first lane, unless it is open. Holds no thread meanwhile.
    func makeRoom() async throws {
        guard count == 0, let place = try await session.outgoingLanes.place() else { return }
        state.withLock { $0.place = place }
    }

    /// Numbers of the first `count` open lanes.
    func numbers(_ count: Int) -> [UInt32] { state.withLock { $0.open.prefix(count).map(\.number) } }

    /// Returns the open lane at an index; opens it if it is the next one. Blocks, but does not wait for a free place:
    /// ``makeRoom()`` has done so for the first lane, and another lane is not opened without one.
    ///
    /// - Parameter isWanted: true while the caller still needs the lane.
    /// - Throws: `TransportError` when the connection fails.
    func lane(_ index: Int, while isWanted: () -> Bool = { true }) throws -> SendingLane {
        let open = state.withLock { $0.open.indices.contains(index) ? $0.open[index].lane : nil }
        if let open { return open }
        precondition(index == count, "Lanes are opened one after another")
        let place =
            index == 0 ? state.withLock { $0.place.take() } : try session.outgoingLanes.placeAtOnce()
        let number = state.withLock { state in
            defer { state.next += 1 }
            return state.next
        }
        let opened = try session.openLane(number, place, while: isWanted)
        state.withLock { $0.open.append((number, opened)) }
        return opened
    }

    /// Checks whether the receiver has sent anything on a lane, which is not allowed. Does not block.
    func checkForRefusal() throws { for (_, lane) in state.withLock(\.open) { try lane.checkForRefusal() } }

    /// Ends the current lanes: they are complete, and later lanes are new ones. Blocks.
    func end() throws {
        let lanes = state.withLock { exchange(&$0.open, with: []) }
        for (_, lane) in lanes { try lane.end() }
    }
}
