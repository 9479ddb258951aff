import PortolanValues
import Synchronization

/// The restriction of a file or folder that is being sent: looked at again now and then, since it may be marked
/// meanwhile.
///
/// It becomes narrower only: a mark that is taken away does not show more of a transfer under way.
final class WatchedRestriction: Sendable {
    /// Time for which an answer is valid; nil for as long as the item is sent.
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

    /// Returns the restriction as it is now.
    ///
    /// - Parameter look: reads the marks; called when the last answer is too old.
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
