import Portolan
import PortolanConcurrency
import PortolanSyncFolder
import PortolanSyncPlan
import PortolanTransport
import Synchronization

/// Contents that folders lack, which are fetched beside the rounds of work: changes are heard and made meanwhile.
extension SyncCoordinator {
    /// Pauses before a content is requested again: that no member has, that came with other bytes, or that could not be
    /// stored.
    private static let pauses = (
        missing: Duration.seconds(2), wrong: Duration.seconds(60), failed: Duration.seconds(15)
    )
    /// Part of the time that rounds of work may take while contents come: each plans all that is left.
    private static let roundShare = 4

    /// Fetches contents for a folder until it is ended.
    func fetchContents(for folder: SyncedFolder) async throws {
        for await _ in folder.contents.signals {
            let telling = Task { await tellProgress(of: folder) }
            defer { telling.cancel() }
            var ringTime = node.configuration.runtime.now
            while let batch = folder.contents.next() {
                try await fetch(batch, for: folder)
                let now = node.configuration.runtime.now
                guard now >= ringTime else { continue }
                ringTime = now + folder.state.withLock(\.roundTime) * Self.roundShare
                folder.ring()
            }
            folder.ring()
        }
    }

    private func fetch(_ batch: ContentQueue.Batch, for folder: SyncedFolder) async throws {
        var isFailed = false
        var arrivals: ArrivingContents?
        do {
            let opened = try await folder.replica.arrivals(for: batch.contents)
            arrivals = opened
            for role in batch.roles where role.told?[folder.id] != nil {
                var wanted = opened.missing
                while !wanted.isEmpty {
                    do {
                        _ = try await role.fetch(wanted, of: folder.id, into: opened) { folder.contents.note($0) }
                    } catch {
                        try Task.checkCancellation()
                        isFailed = true
                        break
                    }
                    // An earlier version that was used, or a part, was not what it seemed to be.
                    wanted = opened.takeRestarted()
                }
            }
        } catch let error as SyncError {
            if case .cancelled = error.kind { throw error }
            // The folder's own task finds and reports the problem.
            isFailed = true
        }
        try Task.checkCancellation()
        end(batch, arrivals, isFailed: isFailed, folder)
    }

    private func end(
        _ batch: ContentQueue.Batch, _ arrivals: ArrivingContents?, isFailed: Bool, _ folder: SyncedFolder
    ) {
        let rest = Set((arrivals?.missing ?? batch.contents).map(\.digest))
        let isFailed = isFailed || arrivals?.failure != nil
        let (now, wrong) = (node.configuration.runtime.now, arrivals?.wrong ?? [])
        folder.contents.end(batch, without: rest, isMissing: !isFailed) { digest in
            now + (wrong.contains(digest) ? Self.pauses.wrong : isFailed ? Self.pauses.failed : Self.pauses.missing)
        }
        // Without a member's news there is no other round.
        guard isFailed, !rest.isEmpty else { return }
        folder.state.withLock { $0.retryTime = $0.retryTime ?? now + Self.pauses.failed }
    }

    /// True if a member does not have a content. One that it has comes.
    func isRefused(_ wanted: WantedContent, by role: SyncRole, in folder: SyncedFolder) async throws -> Bool {
        let arrivals = try await folder.replica.arrivals(for: [wanted])
        return try await !role.fetch([wanted], of: folder.id, into: arrivals)
    }
}
