import PortolanFiles
import Synchronization

/// A descriptor that one item of any peer can be written to, once.
final class SharedOutput: Sendable {
    let descriptor: CInt
    private let state = Mutex(State.free)

    private enum State: Sendable {
        case free
        /// In use for this peer's item.
        case taken(RemotePeer)
        case written(RemotePeer)
        case spoilt(RemotePeer, reason: String)
    }

    init(_ descriptor: CInt) {
        self.descriptor = descriptor
    }

    var isFree: Bool { state.withLock { if case .free = $0 { true } else { false } } }

    /// Reserves the output for a peer's item, and stores the item's restriction before any content is written. May
    /// block.
    ///
    /// - Returns: true if the restriction is stored, as with a regular file; nil if another item has the output.
    /// - Throws: `FileError` if the output is a file that cannot store the restriction. The output then stays free.
    func take(for peer: RemotePeer, keeping restriction: Restriction) throws -> Bool? {
        try state.withLock { state in
            guard case .free = state else { return nil }
            let isKept = try StoredVisibility.keep(restriction, onOutput: descriptor)
            state = .taken(peer)
            return isKept
        }
    }

    /// Marks the output as completely written.
    func isWhole() {
        state.withLock { state in
            if case .taken(let peer) = state { state = .written(peer) }
        }
    }

    /// Marks the output as failed: the written bytes cannot be taken back.
    func spoil(because reason: String) {
        state.withLock { state in
            if case .taken(let peer) = state { state = .spoilt(peer, reason: reason) }
        }
    }

    /// Returns the end of the output if this event of its session is the last.
    func end(after event: ReceiveEvent) -> OutputEnd? {
        guard let (peer, reason) = event.sessionEnd else { return nil }
        return state.withLock { state in
            // Sessions are compared, since the facts about the peer may change during one.
            switch state {
            case .written(let owner) where owner.session == peer.session: .written
            case .spoilt(let owner, let cause) where owner.session == peer.session: .brokeOff(cause)
            case .taken(let owner) where owner.session == peer.session:
                .brokeOff(reason ?? "The sender left it unfinished.")
            default: nil
            }
        }
    }
}

extension ReceiveEvent {
    /// Peer of the ended session, and the reason if it ended early.
    fileprivate var sessionEnd: (peer: RemotePeer, reason: String?)? {
        switch self {
        case .finished(let peer): (peer, nil)
        case .disconnected(let peer, let reason): (peer, reason)
        default: nil
        }
    }
}

/// End of an item that is written to a descriptor.
enum OutputEnd: Sendable {
    case written
    case brokeOff(String)
}
