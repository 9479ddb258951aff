import Foundation

/// Applies the fallback decision to items of the inbox after their deadline.
struct InboxDeadlines: Sendable {
    let database: AgentDatabase
    let health: StateHealth
    /// Called with the sender of an accepted item.
    let knock: @Sendable (PeerKey) async -> Void
    private let looks = RepeatedCheck()

    /// Longest time between two checks while an item waits, so that a clock that is set forward is noticed.
    private static let longestWait = Duration.seconds(60 * 60)
    /// Pause before the next check if the state cannot be read or written.
    private static let pause = Duration.seconds(60)

    init(database: AgentDatabase, health: StateHealth, knock: @escaping @Sendable (PeerKey) async -> Void) {
        self.database = database
        self.health = health
        self.knock = knock
        looks.call()
    }

    /// Checks the deadlines again, after a possible earlier one.
    func look() { looks.call() }

    /// Applies decisions until the task is cancelled. Called once.
    func run() async {
        await looks.run { await settle() }
    }

    /// Decides about due items.
    ///
    /// - Returns: time until the next check; nil if no item waits.
    private func settle() async -> Duration? {
        do {
            while true {
                let (accepted, next, now) = try await health.writing {
                    try await database.write { change in
                        (try change.inbox.settleDue(), try change.inbox.nextDeadline(), change.now)
                    }
                }
                for peer in Set(accepted.map(\.peer)) { await knock(peer) }
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
