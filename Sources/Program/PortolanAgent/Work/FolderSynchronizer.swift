import Portolan
import PortolanClient
import PortolanConcurrency
import PortolanSyncFolder
import PortolanSyncPeers
import Synchronization

/// Synchronizes the folders of the home with peers. Without a folder it learns what others offer.
final class FolderSynchronizer: Sendable {
    private struct State {
        var service: SyncCoordinator?
        /// Reason why no folder is synchronized at the moment; safe to print.
        var problem: String?
        /// Last reported problem.
        var told: String?
        /// Callers that wait until the service runs.
        var waiting: [OneShot<SyncCoordinator?, Never>] = []
    }

    private let node: Node
    private let list: SyncFolderList
    private let addresses: [String]
    private let journal: EventJournal
    private let warn: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// Pause before another start after a failure.
    private static let pause = Duration.seconds(10)
    /// Longest wait for a refresh.
    private static let patience = Duration.seconds(5)

    /// - Parameters:
    ///   - addresses: `host:port` of peers to connect to, in addition to visible ones.
    ///   - warn: receives warnings for the owner, a sentence each.
    init(
        _ node: Node, home: HomeDirectory, addresses: [String], journal: EventJournal,
        warn: @escaping @Sendable (String) -> Void
    ) {
        self.node = node
        list = SyncFolderList(home: home)
        self.addresses = addresses
        self.journal = journal
        self.warn = warn
    }

    /// Reason why no folder is synchronized at the moment, a sentence; nil without a problem.
    var problem: String? { state.withLock(\.problem) }

    /// Synchronizes folders until the task is cancelled. Errors are reported, and followed by another attempt.
    func run() async {
        while !Task.isCancelled {
            do { try await keep() } catch {
                guard !Task.isCancelled else { return }
                fail("No folder is kept alike at the moment. \(DisplayText(oneLine: "\(error)", limit: 500))")
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    private func keep() async throws {
        let service = SyncCoordinator(node, list, events: { [self] in tell($0) })
        defer { state.withLock { $0.service = nil } }
        settle(service)
        try await service.stay(peersAt: addresses)
    }

    private func settle(_ service: SyncCoordinator) {
        let waiting = state.withLock { state in
            state.service = service
            state.problem = nil
            defer { state.waiting = [] }
            return state.waiting
        }
        for one in waiting { one.settle(.success(service)) }
    }

    private func fail(_ problem: String) {
        let (waiting, isNews) = state.withLock { state in
            defer {
                state.problem = problem
                state.told = problem
                state.waiting = []
            }
            return (state.waiting, state.told != problem)
        }
        for one in waiting { one.settle(.success(nil)) }
        if isNews { warn(problem) }
    }

    // MARK: - Requests

    /// Reads the list, and starts a round of work in all folders. Waits for that, with a limit.
    func refresh() async {
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await self.current()?.refresh() }
            tasks.addTask { try? await Task.sleep(for: Self.patience) }
            await tasks.next()
            tasks.cancelAll()
        }
    }

    /// Compares a folder with its index.
    ///
    /// - Throws: `AgentAPI.Problem` for a folder that is not open, and `SyncError`.
    func check(_ id: String, _ manner: SyncCheckManner) async throws -> SyncRepair {
        guard let result = try await current()?.check(id, manner) else { throw Self.notOpen }
        return result
    }

    /// Ends keeping a file or folder alike here.
    ///
    /// - Parameter path: path in the folder.
    /// - Throws: `AgentAPI.Problem` for a folder that is not open, and `SyncError`.
    func forget(_ path: String, in id: String) async throws {
        guard try await current()?.forget(path, in: id) == true else { throw Self.notOpen }
    }

    private static var notOpen: AgentAPI.Problem {
        .notFound("The agent does not have this folder open; see 'portolan sync'.")
    }

    /// Returns the service, once it runs; nil after an error.
    private func current() async -> SyncCoordinator? {
        let isKnown = OneShot<SyncCoordinator?, Never>()
        let known: SyncCoordinator?? = state.withLock { state in
            if state.service != nil || state.problem != nil { return .some(state.service) }
            state.waiting.append(isKnown)
            return .none
        }
        if let known { return known }
        return await isKnown.value(ifCancelled: .success(nil))
    }

    /// Returns all folders of the list, in their order.
    ///
    /// - Throws: `StoreError`
    func folders() async throws -> AgentAPI.SyncFolders {
        let (service, problem) = state.withLock { ($0.service, $0.problem) }
        var folders: [AgentAPI.SyncFolder] = []
        if let service {
            for one in try await service.overview() {
                folders.append(
                    AgentAPI.SyncFolder(one.entry, one.status, isKept: one.isKept, isIdle: one.isIdle))
            }
        } else {
            let list = list
            for entry in try await withLookupThread({ try list.all() }) {
                var status = SyncFolderList.Status()
                status.problem = problem
                folders.append(AgentAPI.SyncFolder(entry, status, isKept: false, isIdle: false))
            }
        }
        return AgentAPI.SyncFolders(folders: folders, problem: problem)
    }

    // MARK: - Events

    private func tell(_ event: SyncEvent) {
        switch event {
        case .joined(let folder, _, _): append(.folderJoined, folder)
        case .changed(let folder, let steps): append(.folderChanged, folder, ["steps": .number(Int64(steps))])
        case .held(let folder, let mark, let count):
            append(.folderHeld, folder, ["mark": .text(mark), "count": .number(Int64(count))])
        case .skipped(let folder, let path, let reason, let count):
            append(
                .folderSkipped, folder,
                ["path": .text(path.text), "reason": .text(reason.text), "count": .number(Int64(count))])
        case .lacking(let folder, let by, let path, let reason, let count):
            var values: [String: JournalValue] = [
                "peer": .text(by.text), "reason": .text(reason.text), "count": .number(Int64(count)),
            ]
            if let path { values["path"] = .text(path.text) }
            append(.folderLacking, folder, values)
        case .halted(let folder, let reason): append(.folderHalted, folder, ["reason": .text(reason.text)])
        case .unwatched(let folder, let reason): append(.folderUnwatched, folder, ["reason": .text(reason.text)])
        // Sessions begin and end often, and failed ones are tried again: not of interest in a journal.
        case .connected, .disconnected, .failed: break
        }
    }

    private func append(_ kind: JournalKind, _ folder: DisplayText, _ values: [String: JournalValue] = [:]) {
        journal.append(.init(kind: kind, values: values.merging(["folder": .text(folder.text)]) { value, _ in value }))
    }
}

extension AgentAPI.SyncFolder {
    fileprivate init(
        _ entry: SyncFolderEntry, _ status: SyncFolderList.Status, isKept: Bool, isIdle: Bool
    ) {
        let state: State
        switch () {
        case _ where entry.isPaused: state = .paused
        case _ where status.problem != nil && !isKept: state = .halted
        case _ where entry.id == nil: state = .joining
        default: state = isKept ? .kept : .opening
        }
        self.init(
            id: entry.local, name: entry.name, path: entry.path, with: entry.audience?.words ?? [], state: state,
            isIdle: isIdle, waits: status.waits,
            lacks: (status.lacks ?? []).map(AgentAPI.SyncLack.init),
            skipped: (status.skipped ?? []).map(AgentAPI.SyncLack.init),
            deletions: (status.deletions ?? []).map { one in
                .init(mark: one.mark, count: one.count, isOwn: one.isOwn, by: one.by, paths: one.paths)
            },
            conflicts: status.conflicts ?? [],
            coming: status.coming.map { one in
                .init(
                    files: one.files, bytes: one.bytes, doneFiles: one.doneFiles, doneBytes: one.doneBytes,
                    from: one.from)
            },
            going: (status.going ?? []).map { one in
                .init(
                    files: one.files, bytes: one.bytes, doneFiles: one.doneFiles, doneBytes: one.doneBytes, to: one.to)
            },
            others: (status.others ?? []).map { one in
                .init(
                    by: one.by, kind: one.kind, mark: one.mark, count: one.count, paths: one.paths,
                    reason: one.reason, needsPerson: one.needsPerson)
            },
            peers: status.peers, problem: status.problem,
            unwatched: status.unwatched)
    }
}

extension AgentAPI.SyncLack {
    fileprivate init(_ lack: SyncLack) {
        self.init(path: lack.path, reason: lack.reason, needsPerson: lack.needsPerson)
    }
}
