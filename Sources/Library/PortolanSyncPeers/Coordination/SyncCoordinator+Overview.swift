import PortolanConcurrency
import PortolanProtocol
import PortolanSyncPlan
import Synchronization

/// State of a folder in the list.
package struct SyncOverview: Sendable {
    package var entry: SyncFolderEntry
    package var status: SyncFolderList.Status
    /// True if the folder is open and not halted.
    package var isKept: Bool
    /// True if no work is left with the peers of open sessions.
    package var isIdle: Bool
}

extension SyncCoordinator {
    /// Reads the list again, and starts a round of work in all folders.
    ///
    /// Returns when the list has been read, new folders are open, and a round of work that began after this call has
    /// ended for each open folder; at once if the coordinator has ended; and when the task is cancelled.
    package func refresh() async {
        let isRead = OneShot<Void, Never>()
        let isOver = state.withLock { state in
            if !state.isOver { state.readers.append(isRead) }
            return state.isOver
        }
        if isOver { isRead.settle() }
        call()
        await withDiscardingTaskGroup { tasks in
            tasks.addTask { await isRead.value(ifCancelled: .success(())) }
            for folder in folders { tasks.addTask { await folder.waitForRound() } }
        }
    }

    /// Returns all folders of the list, in their order.
    package func overview() async throws -> [SyncOverview] {
        let entries = try await withLookupThread {
            try self.list.all().map { ($0, try self.list.status(of: $0) ?? SyncFolderList.Status()) }
        }
        let (open, unopened) = state.withLock { ($0.folders, $0.unopened) }
        var overviews: [SyncOverview] = []
        for (entry, stored) in entries {
            guard let folder = open[entry.local] else {
                var status = stored
                status.peers = []
                // The problem may come from an earlier process, and is replaced.
                status.problem = unopened[entry.local]
                overviews.append(SyncOverview(entry: entry, status: status, isKept: false, isIdle: false))
                continue
            }
            let (status, isHalted) = folder.state.withLock { ($0.status, $0.isHalted) }
            overviews.append(
                SyncOverview(
                    entry: entry, status: status, isKept: !isHalted, isIdle: try await isIdle(folder)))
        }
        return overviews
    }

    /// True if a folder's work has ended, and no peer of a session has or wants changes.
    private func isIdle(_ folder: SyncedFolder) async throws -> Bool {
        let isWorking = folder.state.withLock { state in
            state.isHalted || state.begun != state.over || !state.waiting.isEmpty || state.latest == nil
        }
        guard !isWorking else { return false }
        for role in roles {
            guard let told = role.told else { return false }
            guard let one = told[folder.id], try await isShared(folder.entry, with: role.peer),
                try await !isShutOut(of: folder, role.peer)
            else { continue }
            guard folder.isQuiet(with: DeviceID(role.peer), telling: one) else { return false }
        }
        return true
    }
}
