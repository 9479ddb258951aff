import PortolanValues
import Synchronization

/// Restriction of a file or folder that is being sent. It is read again from time to time, since it may change.
///
/// It only becomes narrower: the removal of a mark does not reveal more in a running transfer.
final class WatchedRestriction: Sendable {
    /// Time for which a value is valid; nil for the whole transfer.
    private let lifetime: Duration?
    private let state: Mutex<State>

    private struct State {
        var restriction: Restriction
        var seen: ContinuousClock.Instant
    }

    init(_ restriction: Restriction, for lifetime: Duration?) {
        self.lifetime = lifetime
        state = Mutex(State(restriction: restriction, seen: .now))
    }

    /// Returns the current restriction.
    ///
    /// - Parameter look: reads the marks; called when the last value is too old.
    func value(_ look: () throws(FileError) -> Restriction) throws(FileError) -> Restriction {
        let known = state.withLock(\.self)
        guard let lifetime else { return known.restriction }
        let now = ContinuousClock.now
        if now - known.seen < lifetime { return known.restriction }
        let restriction = known.restriction.and(try look())
        state.withLock { $0 = State(restriction: restriction, seen: now) }
        return restriction
    }
}
