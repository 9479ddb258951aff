import Foundation

/// Decides for the owner about items of the inbox whose deadline is over.
struct InboxDeadlines: Sendable {
    let database: AgentDatabase
    let health: StateHealth
    /// Called with the sender of an item that is accepted now.
    let knock: @Sendable (PeerKey) async -> Void
    private let looks = RepeatedLook()

    /// Longest time between two looks while something waits, so that a clock that is set forward is noticed.
    private static let longestWait = Duration.seconds(60 * 60)
    /// Time until the next look where the state cannot be read or written.
    private static let pause = Duration.seconds(60)

    init(database: AgentDatabase, health: StateHealth, knock: @escaping @Sendable (PeerKey) async -> Void) {
        self.database = database
        self.health = health
        self.knock = knock
        looks.call()
    }

    /// Has the deadlines looked at, since there may be a sooner one.
    func look() { looks.call() }

    /// Decides until the task is cancelled. Called once.
    func run() async {
        await looks.run { await settle() }
    }

    /// Decides about what is due.
    ///
    /// - Returns: time until the next look; nil if nothing waits.
    private func settle() async -> Duration? {
        do {
            while true {
                let (accepted, next, now) = try await health.writing {
                    try await database.write { change in
                        (try change.inbox.settleDue(), try change.inbox.nextDeadline(), change.now)
                    }
                }
                for peer in Set(accepted.map(\.item.peer)) { await knock(peer) }
                guard let next else { return nil }
                guard next <= now else {
                    return min(.milliseconds(Int64(next.timeIntervalSince(now) * 1000) + 1), Self.longestWait)
                }
            }
        } catch {
            return Self.pause
        }
    }
}
