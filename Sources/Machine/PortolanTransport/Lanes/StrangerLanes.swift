import PortolanDiscovery

/// Table of strangers' lanes at one listener, in both directions: limits their number, since each has a thread, and the
/// memory of their incoming records. Pure: it opens and closes nothing itself.
///
/// A lane without room waits. Among waiting lanes, one from an address with few lanes is admitted first. A lane without
/// a complete record for a while is ended to make room, the longest silence first. Lanes of known keys are not in the
/// table.
package struct StrangerLanes: Sendable {
    package typealias Number = UInt64
    package typealias Instant = ContinuousClock.Instant

    package struct Limits: Hashable, Sendable {
        /// Most lanes; each has a thread.
        package var lanes: Int
        /// Memory of records, in bytes.
        package var bytes: Int

        package init(lanes: Int = 128, bytes: Int = 16 << 20) {
            precondition(lanes > 0 && bytes >= LaneBuffer.longestBody, "There is room for the longest record")
            self.lanes = lanes
            self.bytes = bytes
        }
    }

    /// Time without a complete record after which a lane is ended to make room.
    package static let patience = Duration.seconds(2)

    private struct Lane {
        let number: Number
        let origin: IPAddress
        var bytes = 0
        /// Time of its admission or of its last complete record.
        var progress: Instant
        /// True if its session was ended for another one's lane, but it is not removed yet.
        var isEnding = false
    }

    private struct Request {
        let number: Number
        let origin: IPAddress
        /// Requested memory; nil is a request for admission.
        let bytes: Int?
    }

    /// Steps for the caller.
    package struct Changes: Equatable, Sendable {
        /// Lanes whose request was granted.
        package var granted: [Number] = []
        /// Lanes whose sessions must be ended.
        package var ended: [Number] = []
    }

    private let limits: Limits
    private var lanes: [Lane] = []
    /// The oldest first.
    private var requests: [Request] = []

    package init(_ limits: Limits = Limits()) { self.limits = limits }

    package var count: Int { lanes.count }

    package var bytes: Int { lanes.reduce(0) { $0 + $1.bytes } }

    /// True if a request waits for room.
    package var hasWaiting: Bool { !requests.isEmpty }

    package func isWaiting(_ number: Number) -> Bool { requests.contains { $0.number == number } }

    /// Adds a lane that asks for admission. The decision comes from ``settle(at:)``.
    package mutating func enter(_ number: Number, from origin: IPAddress) {
        requests.append(Request(number: number, origin: origin, bytes: nil))
    }

    /// Admits a lane if there is room and no other lane waits.
    ///
    /// - Returns: true if it was admitted.
    package mutating func enterAtOnce(_ number: Number, from origin: IPAddress, at now: Instant) -> Bool {
        guard lanes.count < limits.lanes, !requests.contains(where: { $0.bytes == nil }) else { return false }
        lanes.append(Lane(number: number, origin: origin, progress: now))
        return true
    }

    /// Adds a lane's request for more memory.
    package mutating func grow(_ number: Number, by bytes: Int) {
        guard let lane = lanes.first(where: { $0.number == number }) else { return }
        requests.append(Request(number: number, origin: lane.origin, bytes: bytes))
    }

    /// Notes that a whole record went on a lane.
    package mutating func progressed(_ number: Number, at now: Instant) {
        guard let index = lanes.firstIndex(where: { $0.number == number }) else { return }
        lanes[index].progress = now
    }

    /// Removes a lane that was closed or whose request was withdrawn.
    package mutating func left(_ number: Number) {
        lanes.removeAll { $0.number == number }
        requests.removeAll { $0.number == number }
    }

    /// Gives free room to waiting lanes, and returns the lanes that are to make more.
    package mutating func settle(at now: Instant) -> Changes {
        var changes = Changes()
        admit(at: now, &changes)
        giveMemory(at: now, &changes)
        return changes
    }

    private mutating func admit(at now: Instant, _ changes: inout Changes) {
        while lanes.count < limits.lanes, let next = next(where: { $0.bytes == nil }) {
            let request = requests.remove(at: next)
            lanes.append(Lane(number: request.number, origin: request.origin, progress: now))
            changes.granted.append(request.number)
        }
        let waiting = requests.count { $0.bytes == nil }
        while lanes.count(where: \.isEnding) < waiting, let stalled = longestStalled(at: now, where: { _ in true }) {
            end(stalled, &changes)
        }
    }

    private mutating func giveMemory(at now: Instant, _ changes: inout Changes) {
        while let next = next(where: { $0.bytes != nil }) {
            let request = requests[next]
            let wanted = request.bytes ?? 0
            guard bytes + wanted <= limits.bytes else {
                while lanes.reduce(wanted, { $0 + ($1.isEnding ? 0 : $1.bytes) }) > limits.bytes,
                    let stalled = longestStalled(at: now, where: { $0.bytes > 0 && $0.number != request.number })
                {
                    end(stalled, &changes)
                }
                return
            }
            requests.remove(at: next)
            guard let lane = lanes.firstIndex(where: { $0.number == request.number }) else { continue }
            lanes[lane].bytes += wanted
            // Its time to bring the record begins.
            lanes[lane].progress = now
            changes.granted.append(request.number)
        }
    }

    /// Returns the oldest of the requests from the address that has fewest lanes.
    private func next(where isMeant: (Request) -> Bool) -> Int? {
        var counts: [IPAddress: Int] = [:]
        for lane in lanes { counts[lane.origin, default: 0] += 1 }
        return requests.indices.filter { isMeant(requests[$0]) }.min {
            (counts[requests[$0].origin] ?? 0, $0) < (counts[requests[$1].origin] ?? 0, $1)
        }
    }

    private func longestStalled(at now: Instant, where isMeant: (Lane) -> Bool) -> Int? {
        lanes.indices.filter { index in
            let lane = lanes[index]
            return !lane.isEnding && lane.progress.duration(to: now) > Self.patience && isMeant(lane)
        }.min { lanes[$0].progress < lanes[$1].progress }
    }

    private mutating func end(_ index: Int, _ changes: inout Changes) {
        lanes[index].isEnding = true
        changes.ended.append(lanes[index].number)
    }
}
