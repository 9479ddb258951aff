import PortolanProtocol
import Synchronization

/// The lanes of a session that this side opened. They stay open from one transfer to the next.
final class OutgoingLanes: Sendable {
    private let session: Session
    private let open = Mutex<[SendingLane]>([])

    init(_ session: Session) {
        self.session = session
    }

    var count: Int { open.withLock(\.count) }

    /// Bytes that the kernel has taken on all of them and not sent yet.
    var queued: Int { open.withLock(\.self).reduce(0) { $0 + $1.queued } }

    /// The lane of a number, opened if it is the next one. Blocks.
    ///
    /// - Throws: `TransportError` when there can be no connection.
    func lane(_ index: Int) throws -> SendingLane {
        if let lane = open.withLock({ index < $0.count ? $0[index] : nil }) { return lane }
        precondition(index == count, "Lanes are opened one after another")
        let lane = try session.openLane(index)
        open.withLock { $0.append(lane) }
        return lane
    }

    /// Everything was sent: the lanes are complete. Blocks.
    func end() throws {
        for lane in open.withLock(\.self) { try lane.end() }
    }
}
