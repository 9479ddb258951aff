import Portolan
import PortolanConcurrency
import PortolanProtocol
import PortolanSyncFolder
import PortolanSyncPlan
import PortolanTransport
import PortolanValues
import Synchronization

/// Folders of the list: opens new ones, and ends removed ones.
extension SyncCoordinator {
    /// Pause before another attempt to open a folder.
    private static let pause = Duration.seconds(10)
    /// Interval in which rights of peers are compared with their announcements, without other events.
    private static let longPause = Duration.seconds(60)

    /// Runs the coordinator until it is finished or the task is cancelled.
    ///
    /// The task that opens folders is woken by events, and sleeps until the next folder is due.
    ///
    /// - Parameters:
    ///   - interval: interval of rounds of work in folders that are not watched; nil for rounds only after
    ///     announcements of peers.
    ///   - connect: opens sessions; its error ends the coordinator.
    func run(every interval: Duration?, _ connect: @escaping @Sendable () async throws -> Void) async throws {
        // A visit ends before a watch would be of use.
        state.withLock { $0.interval = interval }
        var alarm: Task<Void, Never>?
        defer { alarm?.cancel() }
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            defer {
                for folder in folders { folder.end() }
                for one in takeReaders(last: true) { one.settle() }
                tasks.cancelAll()
            }
            // The first announcement to peers includes the state of all folders.
            try await refresh(&tasks, told: [], isFirst: true)
            tasks.addTask { await self.finishing { try await connect() } }
            if interval != nil {
                let folder = list.directoryPath
                tasks.addTask {
                    let changes = HomeFolderWatch(folder, pause: Self.pause).changes
                    // The list may have changed before the watch began.
                    self.call()
                    for await _ in changes where self.list.unchanged == nil { self.call() }
                }
            }
            for await _ in attention {
                alarm?.cancel()
                // The peers of all awaited sessions are among the roles only if these are read second.
                let isAwaited = state.withLock { $0.awaited > 0 }
                let isTold = takeIsTold()
                let told = roles.map { ($0, $0.told) }
                try await refresh(&tasks, told: told, isNews: isTold)
                try await spread()
                if interval == nil, !isAwaited, try await isQuiet(told) { quiet.settle() }
                if state.withLock({ $0.outcome != nil }) { break }
                if let interval { alarm = dueTime(interval).map(call(at:)) }
            }
            try Task.checkCancellation()
        }
        try state.withLock(\.outcome)?.get()
    }

    /// Runs `body`, whose error ends the coordinator.
    func finishing(_ body: () async throws -> Void) async {
        do { try await body() } catch { finish(.failure(error)) }
    }

    /// Takes the callers that wait for a reading of the list that begins now.
    ///
    /// - Parameter last: true for the last reading.
    private func takeReaders(last: Bool = false) -> [OneShot<Void, Never>] {
        state.withLock { state in
            if last { state.isOver = true }
            return exchange(&state.readers, with: [])
        }
    }

    /// True if peers have told something since the last call. It is newer than what is read of them afterwards.
    private func takeIsTold() -> Bool {
        state.withLock { exchange(&$0.isTold, with: false) }
    }

    typealias Told = [(role: SyncRole, folders: [SyncFolderID: Message.SyncFolders.Folder]?)]

    /// Starts the rounds of work that are due, or of use because of announcements of peers, and announces the folders
    /// of this device to each peer whose announcement has changed.
    private func spread() async throws {
        await takeRemovals()
        for role in roles {
            let news = role.takeNews()
            if !news.isEmpty {
                for folder in try await folders(sharedWith: role) where news.contains(folder.id) { folder.ring() }
            }
            try? await role.tell()
        }
        try Task.checkCancellation()
    }

    /// Starts the rounds of work that are due.
    ///
    /// - Returns: the time at which the next one is due, or something else must be looked at; nil for never.
    private func dueTime(_ interval: Duration) -> ContinuousClock.Instant? {
        let now = node.configuration.runtime.now
        for folder in folders where folder.isDue(at: now, every: interval) { folder.ring() }
        let (areUnopened, hasRoles) = state.withLock { (!$0.unopened.isEmpty, !$0.roles.isEmpty) }
        let others = [areUnopened ? now + Self.pause : nil, hasRoles ? now + Self.longPause : nil].compactMap { $0 }
        return (folders.compactMap(\.dueTime) + others).min()
    }

    private func refresh(
        _ tasks: inout ThrowingTaskGroup<Void, any Error>, told: Told, isNews: Bool = false, isFirst: Bool = false
    ) async throws {
        let readers = takeReaders()
        defer { for one in readers { one.settle() } }
        let isListNew = list.unchanged == nil
        var entries = try await entries()
        if try await takeStatements(entries) { entries = try await self.entries() }
        if try await join(entries, told) { entries = try await self.entries() }
        if isNews { try await noteOffers(told) }
        if isListNew || !readers.isEmpty { sight.look() }
        let wanted = Set(entries.lazy.filter { !$0.isPaused }.map(\.local))
        let known = state.withLock { state in
            state.unopened = state.unopened.filter { wanted.contains($0.key) }
            return state.folders
        }
        for (local, folder) in known {
            guard let rank = entries.firstIndex(where: { $0.local == local }), !entries[rank].isPaused else {
                folder.end()
                state.withLock { $0.folders[local] = nil }
                continue
            }
            let entry = entries[rank]
            let isNews = folder.state.withLock { state in
                defer { (state.entry, state.rank) = (entry, rank) }
                return state.entry != entry
            }
            // A person has made a decision.
            if isNews { folder.ring() }
        }
        for (rank, entry) in entries.enumerated() where known[entry.local] == nil && !entry.isPaused {
            let place = await place(of: entry)
            // A folder to be joined is checked, too, since it is opened as soon as it is found.
            let unclear = state.withLock { $0.unclear[entry.local] }
            if let obstacle = obstacle(to: entry, rank, place) ?? unclear {
                try await noteUnopened(entry, obstacle)
                continue
            }
            try await noteFree(entry)
            guard let id = entry.id else { continue }
            guard let folder = try await open(entry, id, rank, place) else { continue }
            // The first announcement to peers has the state of all folders; later folders do not hold others up.
            if isFirst { try await work(on: folder) } else { folder.ring() }
            tasks.addTask { await self.finishing { try await self.keep(folder) } }
        }
    }

    /// Returns the obstacle to a folder that is not open, a sentence that is safe to print.
    private func obstacle(to entry: SyncFolderEntry, _ rank: Int, _ place: SyncFolderPlace) -> String? {
        // The folder that a link leads to is of no interest.
        overlap(of: entry, rank, place) ?? (place.isLink ? ReplicaStart.Stop.rootIsLink.sentence : nil)
    }

    /// Returns the obstacle to a folder that has files in common with an open one before it in the list.
    private func overlap(of entry: SyncFolderEntry, _ rank: Int, _ place: SyncFolderPlace) -> String? {
        for other in folders {
            let state = other.state.withLock { ($0.entry, $0.rank, $0.place) }
            guard state.0.local != entry.local, state.1 < rank,
                let reason = place.obstacle(beside: state.2, called: state.0.name)
            else { continue }
            return reason
        }
        return nil
    }

    private func place(of entry: SyncFolderEntry) async -> SyncFolderPlace {
        await withLookupThread { SyncFolderPlace(entry.path) }
    }

    /// Returns the obstacle to an open folder, whose path may lead to another place than before.
    func overlap(of folder: SyncedFolder) async -> String? {
        let place = await place(of: folder.entry)
        let (entry, rank) = folder.state.withLock { state in
            state.place = place
            return (state.entry, state.rank)
        }
        return overlap(of: entry, rank, place)
    }

    private func open(
        _ entry: SyncFolderEntry, _ id: SyncFolderID, _ rank: Int, _ place: SyncFolderPlace
    ) async throws -> SyncedFolder? {
        do {
            let replica = try await list.openReplica(of: entry, by: node)
            let folder = SyncedFolder(entry, id, replica, rank: rank, at: place)
            state.withLock { state in
                state.folders[entry.local] = folder
                state.unopened[entry.local] = nil
            }
            try await takeOver(statusOf: folder)
            return folder
        } catch let error as SyncError {
            try await noteUnopened(entry, error.description)
            return nil
        }
    }

    /// Removes, once, the obstacle of a folder to be joined.
    private func noteFree(_ entry: SyncFolderEntry) async throws {
        guard entry.id == nil else { return }
        let isNews = state.withLock { state in
            let wasUnopened = state.unopened.removeValue(forKey: entry.local) != nil
            return state.free.insert(entry.local).inserted || wasUnopened
        }
        guard isNews else { return }
        try await change(statusOf: entry) { $0?.problem = nil }
    }

    private func noteUnopened(_ entry: SyncFolderEntry, _ obstacle: String) async throws {
        let before = state.withLock { $0.unopened.updateValue(obstacle, forKey: entry.local) }
        guard before != obstacle else { return }
        try await change(statusOf: entry) { status in
            var news = status ?? SyncFolderList.Status()
            news.problem = obstacle
            news.peers = []
            status = news
        }
        guard before == nil else { return }
        let reason = DisplayText(sentence: obstacle, limit: 500)
        events(.halted(folder: DisplayText(entry.name, limit: 100), reason: reason))
    }

    /// True if no work is left with the peers of any session.
    private func isQuiet(_ told: Told) async throws -> Bool {
        for (role, shared) in told {
            guard let shared else { return false }
            for folder in try await folders(sharedWith: role) {
                guard let one = shared[folder.id], try await !isShutOut(of: folder, role.peer) else { continue }
                guard folder.isQuiet(with: DeviceID(role.peer), telling: one) else { return false }
            }
        }
        return true
    }
}
