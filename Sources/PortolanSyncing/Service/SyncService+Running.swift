import Portolan
import PortolanConcurrency
import PortolanProtocol
import PortolanSync
import PortolanSyncModel
import PortolanTransport
import PortolanValues
import Synchronization

/// The folders of the list: opens those that have come to it, and ends those that are gone from it.
extension SyncService {
    /// Runs the service until it is finished or the task is cancelled.
    ///
    /// - Parameters:
    ///   - interval: time after which folders are looked at again; nil leaves that to what peers say.
    ///   - connect: begins sessions; an error of it ends the service.
    func run(every interval: Duration?, _ connect: @escaping @Sendable () async throws -> Void) async throws {
        // A visit is over before much changes.
        state.withLock { $0.watches = interval != nil }
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            defer {
                for folder in folders { folder.end() }
                for one in takeReaders(last: true) { one.settle() }
                tasks.cancelAll()
            }
            // Peers are told of folders as they are.
            try await refresh(&tasks, told: [])
            tasks.addTask { await self.finishing { try await connect() } }
            if let interval {
                tasks.addTask {
                    while true {
                        try await self.node.configuration.runtime.sleep(for: interval)
                        for folder in self.folders where folder.isDue { folder.ring() }
                        self.call()
                    }
                }
            }
            for await _ in attention {
                let told = roles.map { ($0, $0.told) }
                try await refresh(&tasks, told: told)
                if try await isQuiet(told) { quiet.settle() }
                if state.withLock({ $0.outcome != nil }) { break }
            }
            try Task.checkCancellation()
        }
        try state.withLock(\.outcome)?.get()
    }

    /// Runs `body`, an error of which ends the service.
    func finishing(_ body: () async throws -> Void) async {
        do { try await body() } catch { finish(.failure(error)) }
    }

    /// Those who wait for a reading of the list that begins now.
    ///
    /// - Parameter last: whether there is none any more.
    private func takeReaders(last: Bool = false) -> [OneShot<Void, Never>] {
        state.withLock { state in
            if last { state.isOver = true }
            defer { state.readers = [] }
            return state.readers
        }
    }

    typealias Told = [(role: SyncRole, folders: [SyncFolderID: Message.SyncFolders.Folder]?)]

    private func refresh(_ tasks: inout ThrowingTaskGroup<Void, any Error>, told: Told) async throws {
        let readers = takeReaders()
        defer { for one in readers { one.settle() } }
        var entries = try await withLookupThread { try self.list.all() }
        if try await join(entries, told) { entries = try await withLookupThread { try self.list.all() } }
        try await noteOffers(told)
        let known = state.withLock(\.folders)
        var hasEnded = false
        for (local, folder) in known {
            guard let entry = entries.first(where: { $0.local == local }), !entry.isPaused else {
                folder.end()
                state.withLock { $0.folders[local] = nil }
                hasEnded = true
                continue
            }
            let isNews = folder.state.withLock { state in
                defer { state.entry = entry }
                return state.entry != entry
            }
            // A person has decided something.
            if isNews { folder.ring() }
        }
        if hasEnded { for role in roles { try? await role.tell() } }
        for entry in entries where known[entry.local] == nil && !entry.isPaused {
            guard let id = entry.id, let folder = try await open(entry, id) else { continue }
            tasks.addTask { await self.finishing { try await self.keep(folder) } }
        }
    }

    private func open(_ entry: SyncFolderEntry, _ id: SyncFolderID) async throws -> KeptFolder? {
        if let reason = await obstacle(entry) {
            noteUnopened(entry, reason)
            return nil
        }
        do {
            let index = try await withLookupThread { try self.list.index(of: entry) }
            let replica = try await FolderReplica.open(
                folder: entry.path, index: index, device: own, author: node.identity.name.text)
            let folder = KeptFolder(entry, id, replica)
            state.withLock { state in
                state.folders[entry.local] = folder
                state.unopened[entry.local] = nil
            }
            try await work(on: folder)
            return folder
        } catch let error as SyncError {
            noteUnopened(entry, error.description)
            return nil
        }
    }

    private func noteUnopened(_ entry: SyncFolderEntry, _ reason: String) {
        guard state.withLock({ $0.unopened.updateValue(reason, forKey: entry.local) }) == nil else { return }
        events(
            .halted(
                folder: DisplayText(entry.name, limit: 100), reason: DisplayText(sentence: reason, limit: 500)))
    }

    /// Gives folders that are to be joined the identifiers by which members tell them.
    ///
    /// - Returns: whether the list has changed.
    private func join(_ entries: [SyncFolderEntry], _ told: Told) async throws -> Bool {
        var found: [String: SyncFolderID] = [:]
        let known = Set(entries.compactMap(\.id))
        for entry in entries where entry.id == nil && !entry.isPaused {
            for (role, folders) in told where found[entry.local] == nil {
                let same = (folders ?? [:]).values.filter { folder in
                    folder.name == entry.wanted && !known.contains(folder.id) && !found.values.contains(folder.id)
                }
                guard let one = same.min(by: { $0.id.bytes.lexicographicallyPrecedes($1.id.bytes) }),
                    try await isShared(entry, with: role.peer)
                else { continue }
                found[entry.local] = one.id
                role.keepOpen()
            }
        }
        guard !found.isEmpty else { return false }
        let joined = found
        try await withLookupThread {
            try self.list.change { entries in
                for place in entries.indices where entries[place].id == nil {
                    if let id = joined[entries[place].local] { entries[place].id = id }
                }
            }
        }
        for entry in entries where found[entry.local] != nil {
            events(.joined(folder: DisplayText(entry.name, limit: 100)))
        }
        return true
    }

    /// Whether nothing is left to do with the peers of any session, and no session is waited for.
    private func isQuiet(_ told: Told) async throws -> Bool {
        guard state.withLock({ $0.awaited == 0 }) else { return false }
        for (role, shared) in told {
            guard let shared else { return false }
            for folder in folders {
                guard let one = shared[folder.id], try await isShared(folder.entry, with: role.peer) else { continue }
                guard folder.isQuiet(with: DeviceID(role.peer), telling: one) else { return false }
            }
        }
        return true
    }
}
