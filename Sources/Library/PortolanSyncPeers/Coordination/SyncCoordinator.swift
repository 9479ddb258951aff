import Foundation
import Portolan
import PortolanConcurrency
import PortolanCrypto
import PortolanFiles
import PortolanProtocol
import PortolanSyncFolder
import PortolanSyncPlan
import PortolanTransport
import PortolanTrust
import PortolanValues
import Synchronization

/// Synchronizes the folders of a device with those of its peers.
///
/// ```swift
/// let coordinator = SyncCoordinator(node, list) { print($0) }
/// try await coordinator.stay()                          // listens, and connects to peers in sight
/// try await coordinator.visit(peersAt: [])              // until no work is left with visible peers
/// ```
package final class SyncCoordinator: Sendable {
    struct State {
        var folders: [String: SyncedFolder] = [:]
        var roles: [ObjectIdentifier: SyncRole] = [:]
        /// Folders that cannot be opened, with the reported sentence.
        var unopened: [String: String] = [:]
        /// Folders to be joined that have no obstacle.
        var free: Set<String> = []
        /// Number of sessions that are awaited before a visit may end.
        var awaited = 0
        /// Times at which folders to be joined by their names were found first, by local names.
        var found: [String: ContinuousClock.Instant] = [:]
        /// Reasons why folders are not joined yet, by local names.
        var unclear: [String: String] = [:]
        /// Offers of peers, as last stored.
        var offers: [SyncFolderList.Offers] = []
        /// Counter of events, for detecting a stall.
        var happenings = 0
        /// Devices that were removed from teams, with the times; nil before they are read.
        var removals: [TeamID: [PinnedKey: Date]]?
        /// Standing of this device in its own teams at that time.
        var standing: Standing?
        /// Sentences about members that keep folders alike by other versions of the protocol; safe to print.
        var differing: [DeviceID: String] = [:]
        /// Interval of rounds of work in folders that are not watched; nil if no folder is watched, and there are
        /// rounds only after announcements of peers.
        var interval: Duration?
        /// True if a peer's announcement is newer than the stored offers.
        var isTold = false
        /// Callers that wait until the list has been read.
        var readers: [OneShot<Void, Never>] = []
        /// True once the list is no longer read.
        var isOver = false
        var outcome: Result<Void, any Error>?
    }

    let node: Node
    let list: SyncFolderList
    let events: @Sendable (SyncEvent) -> Void
    private let pause: @Sendable (SyncWait) async throws -> Void
    let state = Mutex(State())
    /// Settled when no work is left.
    let quiet = OneShot<Void, any Error>()
    /// Signal for the task that opens folders.
    let attention: AsyncStream<Void>
    private let caller: AsyncStream<Void>.Continuation
    /// Peers in sight, for the task that connects to them.
    let sight: PeersInSight

    /// - Parameters:
    ///   - patience: time for an answer of a peer, after which it is not asked until it answers.
    ///   - pause: waits as long as something may take; nil for the machine's clock.
    ///   - events: receives events, from any thread; must return quickly.
    package init(
        _ node: Node, _ list: SyncFolderList, patience: Duration = SyncWait.answer.time,
        pause: (@Sendable (SyncWait) async throws -> Void)? = nil,
        events: @escaping @Sendable (SyncEvent) -> Void
    ) {
        self.node = node
        self.list = list
        let runtime = node.configuration.runtime
        self.pause = pause ?? { try await runtime.sleep(for: $0 == .answer ? patience : $0.time) }
        self.events = events
        sight = PeersInSight(runtime)
        (attention, caller) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    var own: DeviceID { DeviceID(node.identity.publicKey) }
    var folders: [SyncedFolder] { state.withLock { Array($0.folders.values) } }
    var roles: [SyncRole] { state.withLock { Array($0.roles.values) } }

    /// Signals the task that opens folders.
    func call() {
        state.withLock { $0.happenings += 1 }
        caller.yield()
    }

    /// Ends the coordinator; the first outcome counts.
    func finish(_ outcome: Result<Void, any Error>) {
        state.withLock { $0.outcome = $0.outcome ?? outcome }
        caller.yield()
    }

    private func folder(_ id: SyncFolderID) -> SyncedFolder? { folders.first { $0.id == id } }

    /// Signals the task that opens folders, at a time.
    func call(at time: ContinuousClock.Instant) -> Task<Void, Never> {
        Task { [caller, runtime = node.configuration.runtime] in
            guard (try? await runtime.sleep(until: time)) != nil else { return }
            caller.yield()
        }
    }

    /// Entries of the list, which is read only if it has changed.
    func entries() async throws -> [SyncFolderEntry] {
        if let unchanged = list.unchanged { return unchanged }
        return try await withLookupThread { try self.list.all() }
    }

    /// Returns the open folders that the peer of a session may know, in the order of their local names.
    func folders(sharedWith role: SyncRole) async throws -> [SyncedFolder] {
        let standing = try await node.standing(of: role.peer)
        return folders.map { ($0, $0.entry) }
            .filter { $0.1.mayHave(standing, is: role.isPeer) }
            .sorted { $0.1.local < $1.1.local }.map(\.0)
    }

    /// True if a folder is shared with a device at this moment.
    func isShared(_ entry: SyncFolderEntry, with device: DevicePublicKey) async throws -> Bool {
        entry.mayHave(try await node.standing(of: device)) { $0.matches(device) }
    }

    /// Returns a folder if the peer of a session may know it.
    private func folder(_ id: SyncFolderID, for role: SyncRole) async throws -> SyncedFolder? {
        guard let folder = folder(id), try await isShared(folder.entry, with: role.peer) else { return nil }
        return folder
    }

    /// Returns a folder if the peer of a session may know all of it.
    private func openFolder(_ id: SyncFolderID, for role: SyncRole) async throws -> SyncedFolder? {
        guard let folder = try await folder(id, for: role), try await isOpen(folder, to: role.peer) else { return nil }
        return folder
    }
}

// MARK: - Requests of peers

extension SyncCoordinator: SyncHost {
    /// Longest wait for scans before the first announcement to a peer.
    private static let scanTime = Duration.seconds(30)

    package func pause(for wait: SyncWait) async throws { try await pause(wait) }

    package func began(_ role: SyncRole) {
        state.withLock { state in
            state.roles[ObjectIdentifier(role)] = role
            state.differing[DeviceID(role.peer)] = nil
            state.isTold = true
        }
        events(.connected(role.shownName))
        call()
        sight.look()
    }

    package func scanFolders(for role: SyncRole) async {
        // The peer is sent the state of the last scan, of any age.
        let folders = (try? await folders(sharedWith: role)) ?? []
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                await withDiscardingTaskGroup { looks in
                    for folder in folders { looks.addTask { await folder.waitForRound() } }
                }
            }
            // A folder that fetches much keeps the others from nothing.
            tasks.addTask { [runtime = node.configuration.runtime] in
                try? await runtime.sleep(for: Self.scanTime)
            }
            await tasks.next()
            tasks.cancelAll()
        }
    }

    package func ended(_ role: SyncRole) {
        state.withLock { $0.roles[ObjectIdentifier(role)] = nil }
        events(.disconnected(role.shownName))
        call()
        sight.look()
    }

    package func wasTold(by role: SyncRole) {
        state.withLock { $0.isTold = true }
        call()
    }

    package func folders(for role: SyncRole) async throws -> (Message.SyncFolders, [SignedFolderStatement]) {
        let device = DeviceID(role.peer)
        var room = Limits.lacks.all
        var told: [Message.SyncFolders.Folder] = []
        var statements: [SignedFolderStatement] = []
        for folder in try await folders(sharedWith: role) {
            guard let one = folder.told(to: device, lacks: room), try await isOpen(folder, to: role.peer) else {
                continue
            }
            room -= one.lacks.count
            told.append(one)
            statements += folder.entry.statements ?? []
        }
        return (try Message.SyncFolders(told), statements)
    }

    package func announcement(
        of id: SyncFolderID, since position: SyncPosition?, with contents: SmallContents?, for role: SyncRole
    ) async throws -> Announcement? {
        guard let folder = try await openFolder(id, for: role) else { return nil }
        let cursor = position.map { ChangeCursor($0, of: node.identity.publicKey) }
        do {
            let news = try await folder.replica.announcement(since: cursor, by: DeviceID(role.peer), with: contents)
            // A mark may have come since.
            return try await maySee(news, role.peer) ? news : nil
        } catch is SyncError {
            // The folder's own task finds and reports the problem.
            folder.ring()
            return nil
        }
    }

    package func contents(
        _ all: ArraySlice<SmallContents.Content>, of id: SyncFolderID, for role: SyncRole
    ) async throws -> [[UInt8]]? {
        guard let folder = try await openFolder(id, for: role) else { return nil }
        do { return try await folder.replica.contents(Array(all)) } catch is SyncError { return [] }
    }

    package func heard(_ position: SyncPosition, of id: SyncFolderID, by role: SyncRole) async throws {
        guard let folder = try await folder(id, for: role) else { return }
        let cursor = ChangeCursor(position, of: node.identity.publicKey)
        do {
            // A member that was told nothing because of the mark is told the folder after the next round.
            if try await folder.replica.acknowledge(cursor, by: DeviceID(role.peer)) { folder.ring() }
        } catch is SyncError {
            folder.ring()
        }
    }

    package func isShared(_ id: SyncFolderID, with role: SyncRole) async throws -> Bool {
        try await folder(id, for: role) != nil
    }

    package func contents(_ want: Message.SyncWant, for role: SyncRole) async throws -> [SourceContent]? {
        guard let folder = try await openFolder(want.folder, for: role) else { return nil }
        let sources = try? await folder.replica.sources(of: want.contents.map { ($0.digest, $0.size) })
        // Rights may be lost until a content has its turn.
        return sources?.map { one in
            SourceContent(name: one.name, size: one.size) { [self] in mayHave(want.folder, role) ? one.open() : nil }
        }
    }

    package func mayHave(_ id: SyncFolderID, _ role: SyncRole) -> Bool {
        guard let folder = folder(id), let standing = node.standing(ofKey: PinnedKey(role.peer)) else { return false }
        return folder.entry.mayHave(standing, is: role.isPeer) && folder.replica.allMarks { standing.maySee($0) }
    }

    package func maySee(_ mark: Restriction, _ role: SyncRole) -> Bool {
        node.standing(ofKey: PinnedKey(role.peer))?.maySee(mark) ?? false
    }
}
