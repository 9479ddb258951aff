import Portolan
import PortolanClient
import PortolanConcurrency
import PortolanSyncing
import PortolanTrust
import PortolanValues
import Synchronization

/// Keeps the folders of the home alike with those of its peers, as long as there are any.
final class FolderKeeping: Sendable {
    private struct State {
        var service: SyncService?
        /// The reason for which nothing is synchronized at the moment; safe to print.
        var problem: String?
        /// The problem that was told last.
        var told: String?
        /// Callers that wait until it is known whether there are folders.
        var waiting: [OneShot<SyncService?, Never>] = []
    }

    private let node: Node
    private let list: SyncFolderList
    private let addresses: [String]
    private let journal: EventJournal
    private let hold: @Sendable (String) async -> FolderHold?
    private let restart: RestartRequest?
    private let warn: @Sendable (String) -> Void
    private let state = Mutex(State())
    private let (bell, ringer) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Time after which keeping is begun again when it has failed.
    private static let pause = Duration.seconds(10)
    /// Longest time that a refresh is waited for.
    private static let patience = Duration.seconds(5)

    /// - Parameters:
    ///   - addresses: `host:port` of peers to connect to besides those in sight.
    ///   - hold: what keeps this process from writing to a folder that is there; nil if nothing does.
    ///   - restart: asked where a restart lets it; nil if nobody would start this process again.
    ///   - warn: told of what the owner should know, a sentence.
    init(
        _ node: Node, home: HomeDirectory, addresses: [String], journal: EventJournal,
        hold: @escaping @Sendable (String) async -> FolderHold?, restart: RestartRequest?,
        warn: @escaping @Sendable (String) -> Void
    ) {
        self.node = node
        list = SyncFolderList(home: home)
        self.addresses = addresses
        self.journal = journal
        self.hold = hold
        self.restart = restart
        self.warn = warn
    }

    /// The reason for which nothing is synchronized at the moment, a sentence; nil if nothing is wrong.
    var problem: String? { state.withLock(\.problem) }

    /// Synchronizes folders until the task is cancelled. What goes wrong is told, and tried again.
    func run() async {
        var rings = bell.makeAsyncIterator()
        while !Task.isCancelled {
            do {
                let list = list
                guard try await !withLookupThread({ try list.all().isEmpty }) else {
                    settle(nil)
                    guard await rings.next() != nil else { return }
                    continue
                }
                try await keep()
            } catch {
                guard !Task.isCancelled else { return }
                fail("No folder is kept alike at the moment. \(DisplayText(sentence: "\(error)", limit: 500))")
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    private func keep() async throws {
        let service = SyncService(
            node, list, obstacle: { [self] entry in await obstacle(entry) }, events: { [self] in tell($0) })
        defer { state.withLock { $0.service = nil } }
        settle(service)
        try await service.stay(peersAt: addresses)
    }

    private func settle(_ service: SyncService?) {
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

    /// Asks for a restart where that is what a folder waits for.
    private func obstacle(_ entry: SyncFolderEntry) async -> SyncObstacle? {
        switch await hold(entry.path) {
        case nil: return nil
        case .byManager:
            return SyncObstacle("The service is not permitted to write there. Permit it: 'portolan agent install'.")
        case .untilRestart:
            guard let restart else {
                return SyncObstacle(
                    "The agent has not been able to write there since its start. Start it again, "
                        + "with 'portolan agent install' if it is a service.")
            }
            restart.ask()
            return SyncObstacle("The agent starts again, to be able to write there.", endsWithRestart: true)
        }
    }

    // MARK: - What is asked

    /// Has the list looked at if nothing is synchronized. Folders that are synchronized are looked after anyway.
    func wake() { ringer.yield() }

    /// Has the list read, and all folders looked at. Waits for that, but not for long.
    func refresh() async {
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await self.current()?.refresh() }
            tasks.addTask { try? await Task.sleep(for: Self.patience) }
            await tasks.next()
            tasks.cancelAll()
        }
    }

    /// The service, once it is known whether there are folders; nil where there is nothing to do, or it cannot be done.
    private func current() async -> SyncService? {
        let isKnown = OneShot<SyncService?, Never>()
        let known: SyncService?? = state.withLock { state in
            if state.service != nil || state.problem != nil { return .some(state.service) }
            state.waiting.append(isKnown)
            return .none
        }
        if let known { return known }
        wake()
        return await isKnown.value(ifCancelled: .success(nil))
    }

    /// All folders of the list, in their order.
    ///
    /// - Throws: `StoreError`
    func folders() async throws -> AgentAPI.SyncFolders {
        let (service, problem) = state.withLock { ($0.service, $0.problem) }
        var folders: [AgentAPI.SyncFolder] = []
        if let service {
            for one in try await service.overview() {
                folders.append(
                    AgentAPI.SyncFolder(
                        one.entry, one.status, isKept: one.isKept, isIdle: one.isIdle,
                        restart: await restart(for: one.entry)))
            }
        } else {
            let list = list
            for entry in try await withLookupThread({ try list.all() }) {
                var status = SyncFolderList.Status()
                status.problem = problem
                folders.append(
                    AgentAPI.SyncFolder(
                        entry, status, isKept: false, isIdle: false, restart: await restart(for: entry)))
            }
        }
        return AgentAPI.SyncFolders(folders: folders, problem: problem)
    }

    private func restart(for entry: SyncFolderEntry) async -> NeededRestart? {
        guard await hold(entry.path) == .untilRestart else { return nil }
        return restart == nil ? .byOwner : .byItself
    }

    // MARK: - Events

    private func tell(_ event: SyncEvent) {
        switch event {
        case .joined(let folder): append(.folderJoined, folder)
        case .changed(let folder, let steps): append(.folderChanged, folder, ["steps": .number(Int64(steps))])
        case .held(let folder, let mark, let count):
            append(.folderHeld, folder, ["mark": .text(mark), "count": .number(Int64(count))])
        case .halted(let folder, let reason): append(.folderHalted, folder, ["reason": .text(reason.text)])
        case .unwatched(let folder, let reason): append(.folderUnwatched, folder, ["reason": .text(reason.text)])
        // Sessions come and go, and those that cannot be opened are tried again: nothing that a journal is read for.
        case .connected, .disconnected, .failed: break
        }
    }

    private func append(_ kind: JournalKind, _ folder: DisplayText, _ values: [String: JournalValue] = [:]) {
        journal.append(.init(kind: kind, values: values.merging(["folder": .text(folder.text)]) { value, _ in value }))
    }
}

/// A restart without which the agent cannot write to a folder.
private enum NeededRestart {
    /// It is about to happen.
    case byItself
    case byOwner
}

extension AgentAPI.SyncFolder {
    fileprivate init(
        _ entry: SyncFolderEntry, _ status: SyncFolderList.Status, isKept: Bool, isIdle: Bool, restart: NeededRestart?
    ) {
        let state: State
        switch () {
        case _ where entry.isPaused: state = .paused
        case _ where restart == .byItself: state = .restarting
        case _ where status.problem != nil && !isKept: state = .halted
        case _ where entry.id == nil: state = .joining
        default: state = isKept ? .kept : .opening
        }
        self.init(
            id: entry.local, name: entry.name, path: entry.path, state: state,
            isIdle: isIdle && state != .restarting, waits: status.waits,
            held: status.held, heldCount: status.heldCount, peers: status.peers, problem: status.problem,
            unwatched: status.unwatched, needsRestart: restart != nil)
    }
}
