import PortolanConcurrency
import PortolanDiscovery
import Synchronization

/// Lets the lanes of strangers in as far as there are threads and memory for them, for all sessions of one listener
/// together.
final class LaneRoom: Sendable {
    /// Interval of checks for lanes that have been silent for too long, while others wait.
    private static let interval = Duration.milliseconds(250)

    private struct State {
        var lanes: StrangerLanes
        var last: StrangerLanes.Number = 0
        var places: [StrangerLanes.Number: Place] = [:]
        /// True while a task polls.
        var isWatched = false
    }

    /// A lane that is in, or waits for that.
    private struct Place {
        let limit: LaneLimit
        /// Called when the lane is admitted; nil afterwards.
        var enter: (@Sendable (LanePlace) -> Void)?
    }

    private let state: Monitor<State>

    init(_ limits: StrangerLanes.Limits = StrangerLanes.Limits()) {
        state = Monitor(State(lanes: StrangerLanes(limits)))
    }

    fileprivate func admit(_ limit: LaneLimit, _ enter: @escaping @Sendable (LanePlace) -> Void) {
        state.withLock { state in
            state.last += 1
            state.places[state.last] = Place(limit: limit, enter: enter)
            state.lanes.enter(state.last, from: limit.address)
        }
        look()
    }

    fileprivate func admitAtOnce(_ limit: LaneLimit) -> LanePlace? {
        let number: StrangerLanes.Number? = state.withLock { state in
            let number = state.last + 1
            guard state.lanes.enterAtOnce(number, from: limit.address, at: .now) else { return nil }
            state.last = number
            state.places[number] = Place(limit: limit)
            return number
        }
        return number.map { LanePlace($0, in: self) }
    }

    /// Forgets the lanes of a session that wait, because it is over.
    func forget(_ session: SessionPlaces.Number) {
        // Let go of outside the lock, for they hold sockets.
        let waiting = state.withLock { state in
            let waiting = state.places.filter { $0.value.limit.session == session && $0.value.enter != nil }
            for number in waiting.keys {
                state.places[number] = nil
                state.lanes.left(number)
            }
            return waiting
        }
        if !waiting.isEmpty { look() }
    }

    // MARK: For the places

    /// Waits for more memory. Blocks.
    ///
    /// - Parameter isWanted: polled; false ends the wait.
    /// - Throws: `TransportError.truncated` if `isWanted` returns false.
    fileprivate func grow(
        _ number: StrangerLanes.Number, by bytes: Int, while isWanted: () -> Bool
    ) throws(TransportError) {
        state.withLock { $0.lanes.grow(number, by: bytes) }
        while true {
            look()
            let deadline = ContinuousClock.now + Self.interval
            if state.wait(until: deadline, { $0.lanes.isWaiting(number) ? nil : true }) != nil { return }
            guard isWanted() else { throw .truncated }
        }
    }

    fileprivate func progressed(_ number: StrangerLanes.Number) {
        let now = ContinuousClock.now
        state.quietly { $0.lanes.progressed(number, at: now) }
    }

    fileprivate func left(_ number: StrangerLanes.Number) {
        let hasWaiting = state.withLock { state in
            state.places[number] = nil
            state.lanes.left(number)
            return state.lanes.hasWaiting
        }
        // In another task, since the caller may hold a lock that an admitted lane needs.
        if hasWaiting { Task { look() } }
    }

    // MARK: Room

    private func look() {
        let (entering, ending, isToWatch) = state.withLock { state in
            let changes = state.lanes.settle(at: .now)
            let entering = changes.granted.compactMap { number in
                state.places[number]?.enter.take().map { (number, $0) }
            }
            let ending = changes.ended.compactMap { state.places[$0]?.limit.end }
            let isToWatch = state.lanes.hasWaiting && !state.isWatched
            if isToWatch { state.isWatched = true }
            return (entering, ending, isToWatch)
        }
        for (number, enter) in entering { enter(LanePlace(number, in: self)) }
        for end in ending { end() }
        if isToWatch { Task { await watch() } }
    }

    private func watch() async {
        repeat {
            try? await Task.sleep(for: Self.interval)
            look()
        } while state.withLock { state in
            state.isWatched = state.lanes.hasWaiting
            return state.isWatched
        }
    }
}

/// Admission of the lanes of one stranger's session.
struct LaneLimit: Sendable {
    let room: LaneRoom
    let session: SessionPlaces.Number
    let address: IPAddress
    /// Ends the session, to make room for another lane.
    let end: @Sendable () -> Void

    /// Calls `enter` when there is room for another lane, which keeps its place until it is released. `enter` may run
    /// on any thread, and must not block.
    func admit(_ enter: @escaping @Sendable (LanePlace) -> Void) { room.admit(self, enter) }

    /// Returns the place of another lane, if there is room now.
    func admitAtOnce() -> LanePlace? { room.admitAtOnce(self) }

    /// Forgets the lanes that wait, because the session is over.
    func forget() { room.forget(session) }
}

/// Place of a stranger's lane, held until it is released.
final class LanePlace: Sendable {
    private let number: StrangerLanes.Number
    private let room: LaneRoom
    private let bytes = Atomic(0)

    fileprivate init(_ number: StrangerLanes.Number, in room: LaneRoom) {
        self.number = number
        self.room = room
    }

    deinit { room.left(number) }

    /// Waits until memory for a record of `count` bytes is available, and reserves it for the lane. Blocks. For one
    /// thread at a time.
    ///
    /// - Parameter isWanted: polled; false ends the wait.
    /// - Throws: `TransportError.truncated` if `isWanted` returns false.
    func hold(_ count: Int, while isWanted: () -> Bool) throws(TransportError) {
        let held = bytes.load(ordering: .relaxed)
        guard count > held else { return }
        try room.grow(number, by: count - held, while: isWanted)
        bytes.store(count, ordering: .relaxed)
    }

    /// Notes that a whole record went.
    func progressed() { room.progressed(number) }
}
