import PortolanProtocol
import Synchronization

/// A transfer that is being sent, shared by the tasks that work on it.
final class TransferUnderWay: Sendable {
    let item: Int
    let representation: Int
    /// Waiting for this side's own rate.
    let own = OwnCalls()
    private let state = Mutex(State())

    private struct State {
        var isStopped = false
        var isOver = false
        var files: FileSender?
        /// Bytes of data that were sent on the session; nil while it is being produced.
        var data: UInt64?
    }

    init(_ transfer: OutgoingTransfer) {
        item = transfer.item
        representation = transfer.representation
    }

    /// True if no more of it will be sent.
    var isOver: Bool { state.withLock(\.isOver) }

    func end() { state.withLock { $0.isOver = true } }

    /// Sender of its files, if it uses lanes and has begun.
    var files: FileSender? { state.withLock(\.files) }

    /// Bytes of finished content; nil while this side produces or reads, or waits because of its own rate limit.
    var progress: UInt64? {
        let (files, data) = state.withLock { ($0.files, $0.data) }
        return files.map(\.progress) ?? (own.isAny ? nil : data)
    }

    /// Notes bytes of data that were sent on the session; 0 begins it.
    func sent(_ count: Int) { state.withLock { $0.data = ($0.data ?? 0) &+ UInt64(count) } }

    /// True if the rest of the transfer is not needed any more.
    var isStopped: Bool { state.withLock(\.isStopped) || Task.isCancelled }

    func begin(_ files: FileSender) {
        let isStopped = state.withLock { state in
            state.files = files
            return state.isStopped
        }
        if isStopped { files.stop() }
    }

    /// - Returns: false if it was over, or stopped before.
    @discardableResult
    func stop() -> Bool {
        let (isFirst, files) = state.withLock { state in
            defer { state.isStopped = true }
            return (!state.isStopped && !state.isOver, state.files)
        }
        files?.stop()
        return isFirst
    }
}
