import Portolan
import PortolanConcurrency
import PortolanSyncFolder
import PortolanTransport
import PortolanValues
import Synchronization

/// Starts rounds of work after changes that the system reports, and every few seconds without such reports.
extension SyncCoordinator {
    /// Pause before another attempt to watch a folder that could not be watched, or was missing.
    private static let retryTime = Duration.seconds(60)
    private static let returnTime = Duration.seconds(2)

    /// Runs `body`, and signals the folder's bell meanwhile at each change of the folder.
    func watching(_ folder: SyncedFolder, _ body: @escaping @Sendable () async throws -> Void) async throws {
        guard state.withLock(\.interval) != nil else { return try await body() }
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await body() }
            tasks.addTask { try await self.watch(folder) }
            defer { tasks.cancelAll() }
            try await tasks.next()
        }
    }

    private func watch(_ folder: SyncedFolder) async throws {
        let runtime = node.configuration.runtime
        while true {
            let ending = await FolderWatch.run(
                folder.entry.path, without: node.configuration.home.ownFiles,
                ready: {
                    folder.state.withLock { state in
                        state.isWatched = true
                        state.status.unwatched = nil
                    }
                    // Changes from before the watch need a scan.
                    folder.ring(for: .whole, at: runtime.now)
                },
                changed: { folder.ring(for: $0, at: runtime.now) })
            folder.state.withLock { state in
                state.isWatched = false
                state.changes = .whole
            }
            try Task.checkCancellation()
            switch ending {
            case .stopped, .gone: break
            case .failed(let reason): note(reason, folder)
            }
            folder.ring()
            let pause = ending == .gone ? Self.returnTime : Self.retryTime
            try await runtime.sleep(for: pause)
        }
    }

    private func note(_ reason: String, _ folder: SyncedFolder) {
        let sentence = "It is read every two seconds, since it cannot be watched: \(reason)."
        let isNews = folder.state.withLock { state in
            defer { state.status.unwatched = sentence }
            return state.status.unwatched != sentence
        }
        guard isNews else { return }
        events(
            .unwatched(
                folder: DisplayText(folder.entry.name, limit: 100),
                reason: DisplayText(sentence: sentence, limit: 500)))
    }
}

extension SyncedFolder {
    /// Shortest and longest interval of complete scans of a watched folder.
    static let safetyTime = Duration.seconds(60)
    private static let longestSafetyTime = Duration.seconds(3600)
    /// Time after a change in which another one may not alter a file's times.
    private static let uncertainTime = Duration.seconds(3)

    /// Starts a scan of changed folders now, and once more when the times of their files show all changes.
    func ring(for changes: FolderChanges, at now: ContinuousClock.Instant) {
        state.withLock { state in
            state.changes.add(changes)
            // A folder that changes all the time does not put off the look at others.
            if state.lateTime == nil {
                state.late = changes
                state.lateTime = now + Self.uncertainTime
            } else {
                state.later.add(changes)
            }
            state.wholeInterval = Self.safetyTime
            state.wholeTime = min(state.wholeTime ?? now + Self.safetyTime, now + Self.safetyTime)
        }
        ring()
    }

    /// Sets the next look at files that were being written at the last one.
    func plan(_ look: (after: Duration, changes: FolderChanges)?, at now: ContinuousClock.Instant) {
        state.withLock { state in
            state.unsettled = look?.changes ?? .none
            state.unsettledTime = look.map { now + $0.after }
        }
    }

    /// Time at which a round of work is due by the clock.
    var dueTime: ContinuousClock.Instant? {
        state.withLock { state in
            guard state.isWatched else { return state.pollTime }
            return [state.wholeTime, state.lateTime, state.unsettledTime, state.retryTime].compactMap { $0 }.min()
        }
    }

    /// True if a round of work is due by the clock. A time counts once.
    ///
    /// - Parameter interval: interval of rounds while the folder is not watched.
    func isDue(at now: ContinuousClock.Instant, every interval: Duration) -> Bool {
        state.withLock { state in
            guard state.isWatched else {
                guard now >= state.pollTime ?? now else { return false }
                state.pollTime = now + interval
                return true
            }
            state.pollTime = nil
            let isRetry = now >= state.retryTime ?? now + .seconds(1)
            if isRetry { state.retryTime = nil }
            let isWhole = now >= state.wholeTime ?? now
            if isWhole {
                state.changes = .whole
                if state.isOpen { state.wholeInterval = Self.safetyTime }
                state.wholeTime = now + state.wholeInterval
                state.wholeInterval = min(state.wholeInterval * 2, Self.longestSafetyTime)
            }
            var isDue = isWhole || isRetry
            if let late = state.lateTime, now >= late {
                state.changes.add(state.late)
                (state.late, state.later) = (state.later, .none)
                state.lateTime = state.late == .none ? nil : now + Self.uncertainTime
                isDue = true
            }
            if let time = state.unsettledTime, now >= time {
                state.changes.add(state.unsettled)
                (state.unsettled, state.unsettledTime) = (.none, nil)
                isDue = true
            }
            return isDue
        }
    }
}
