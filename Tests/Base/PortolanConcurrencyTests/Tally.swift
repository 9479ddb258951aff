import Synchronization

/// Counts running workers.
final class Tally: Sendable {
    private let counts = Mutex((all: 0, now: 0, most: 0))

    var all: Int { counts.withLock(\.all) }
    var most: Int { counts.withLock(\.most) }

    func enter() {
        counts.withLock { counts in
            counts.all += 1
            counts.now += 1
            counts.most = max(counts.most, counts.now)
        }
    }

    func leave() { counts.withLock { $0.now -= 1 } }
}
