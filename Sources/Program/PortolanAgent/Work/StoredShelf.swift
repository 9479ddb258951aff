import Portolan
import PortolanClient
import PortolanFiles
import PortolanProtocol
import Synchronization

/// Keeps shared items on the node's shelf until they are removed, expire, or are replaced on the disk.
///
/// The database is authoritative: an item is added to and removed from the shelf within the transaction that records
/// it, so that no item is offered without a record.
final class StoredShelf: Sendable {
    private struct State {
        /// Expiry times of the items on the shelf.
        var expiries: [StateID: Date] = [:]
        /// Reasons for removals from the shelf that are not recorded yet.
        var withdrawn: [StateID: String] = [:]
    }

    /// Outcome of a peer's request for an item.
    private struct Fetch: Sendable {
        let id: StateID
        let title: String
        let peer: RemotePeer
        let outcome: String
    }

    private let node: Node
    private let database: AgentDatabase
    private let health: StateHealth
    private let state = Mutex(State())
    private let looks = RepeatedCheck()
    private let (openings, opening) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let fetches: AsyncStream<Fetch>
    private let fetching: AsyncStream<Fetch>.Continuation

    /// Longest time between two checks while an item is to expire, so that a clock that is set forward is noticed.
    private static let longestWait = Duration.seconds(60 * 60)
    /// Pause before the next attempt if the state cannot be read or written.
    private static let pause = Duration.seconds(60)
    /// Largest number of fetches that wait to be recorded; further ones are not recorded, so that a flood of requests
    /// does not fill the memory.
    private static let mostFetches = 4096

    init(node: Node, database: AgentDatabase, health: StateHealth) {
        self.node = node
        self.database = database
        self.health = health
        (fetches, fetching) = AsyncStream.makeStream(
            of: Fetch.self, bufferingPolicy: .bufferingOldest(Self.mostFetches))
    }

    // MARK: - Changes

    /// Shares an item, durably.
    ///
    /// - Throws: `FileError` or `NodeError` for an item that cannot be shared, ``ValueError``, ``StateRefusal``,
    ///   ``AgentStateError``.
    func share(_ kept: KeptItem, until expires: Date?) async throws -> AgentAPI.SharedItem {
        let item = try await node.open(kept)
        let audience = kept.audience(naming: try await node.teamNames())
        let record = SharedItemRecord(
            id: StateID(.random()), title: kept.shownTitle, path: kept.path,
            restriction: audience ?? SharedItems.everybody,
            expires: expires, document: try kept.document())
        defer { looks.call() }
        do {
            return try await health.writing {
                try await database.write { change in
                    try change.shared.add(record)
                    self.put(item, record)
                    return AgentAPI.SharedItem(
                        id: AgentAPI.ID(record.id), title: record.title, path: record.path, audience: audience,
                        created: change.now, expires: expires)
                }
            }
        } catch {
            takeOff([record.id])
            throw error
        }
    }

    /// Removes an item for good. Running fetches continue.
    ///
    /// - Throws: ``StateRefusal``, ``AgentStateError``.
    func unshare(_ id: StateID) async throws {
        try await health.writing {
            try await database.write { change in
                try change.shared.remove(id)
                self.takeOff([id])
            }
        }
    }

    private func put(_ item: Item, _ record: SharedItemRecord) {
        let id = record.id
        if let expires = record.expires { state.withLock { $0.expiries[id] = expires } }
        node.putOnShelf(item, as: ItemID(id)) { [weak self] event in self?.note(event, of: id) }
        opening.yield()
    }

    private func takeOff(_ ids: [StateID]) {
        state.withLock { state in for id in ids { state.expiries[id] = nil } }
        node.takeOffShelf(ids.map { ItemID($0) })
    }

    private func note(_ event: ShareEvent, of id: StateID) {
        switch event {
        case .withdrawn(_, _, let reason): withdraw(id, because: reason)
        case .sending(_, let peer, .settled(let delivery)):
            guard let outcome = delivery.word else { return }
            fetching.yield(Fetch(id: id, title: delivery.title, peer: peer, outcome: outcome))
        case .sending, .shared, .node: break
        }
    }

    private func withdraw(_ id: StateID, because reason: String) {
        state.withLock { state in
            state.expiries[id] = nil
            state.withdrawn[id] = reason
        }
        looks.call()
    }

    // MARK: - Running

    /// Shares the recorded items until the task is cancelled. Called once.
    ///
    /// - Throws: `NodeError` if the port cannot be used, `CancellationError`.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await self.restore() }
            tasks.addTask { await self.recordFetches() }
            tasks.addTask { await self.settleAll() }
            tasks.addTask {
                // A device without shared items does not advertise sharing.
                for await _ in self.openings { return try await self.node.serveShelf() }
            }
            // A failed task ends the others.
            while try await tasks.next() != nil {}
        }
    }

    /// Restores the items of earlier processes. Items that were replaced on the disk are withdrawn.
    private func restore() async {
        while !Task.isCancelled {
            do {
                // Expired items are omitted even if the state cannot be written.
                _ = try? await health.writing { try await database.write { try $0.shared.expire() } }
                return try await restore(try await database.read { try $0.shared.list() })
            } catch {
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    private func restore(_ records: [SharedItemRecord]) async throws {
        var opened: [(SharedItemRecord, Item)] = []
        for record in records {
            guard let document = record.document else { continue }
            do {
                opened.append((record, try await node.open(try KeptItem(document: document))))
            } catch let error as FileError where error.kind == .tooManyOpenFiles {
                throw error
            } catch {
                withdraw(record.id, because: "\(error)")
            }
        }
        // Some items may have been removed meanwhile.
        let items = opened
        try await database.read { change in
            let present = try change.shared.identifiers()
            for (record, item) in items where present.contains(record.id) { self.put(item, record) }
        }
        looks.call()
    }

    private func recordFetches() async {
        for await fetch in fetches {
            _ = try? await health.writing {
                try await database.write { change in
                    try change.shared.fetched(
                        fetch.id, title: fetch.title, by: fetch.peer.stateKey, named: fetch.peer.localName,
                        outcome: fetch.outcome)
                }
            }
        }
    }

    /// Removes expired items, and records removals from the shelf.
    private func settleAll() async {
        await looks.run { await settle() }
    }

    /// - Returns: time until the next check; nil if no item is to expire.
    private func settle() async -> Duration? {
        let now = database.now
        let (over, withdrawn) = state.withLock { state in
            (
                state.expiries.filter { $0.value.milliseconds <= now.milliseconds }.map(\.key), state.withdrawn
            )
        }
        // An item leaves the shelf on time even if that cannot be recorded.
        node.takeOffShelf(over.map { ItemID($0) })
        if !over.isEmpty || !withdrawn.isEmpty {
            do {
                try await health.writing {
                    try await database.write { change in
                        try change.shared.expire()
                        for (id, reason) in withdrawn { try change.shared.withdraw(id, because: reason) }
                    }
                }
            } catch {
                return Self.pause
            }
            state.withLock { state in
                for id in over { state.expiries[id] = nil }
                for id in withdrawn.keys { state.withdrawn[id] = nil }
            }
        }
        guard let next = state.withLock({ $0.expiries.values.min() }) else { return nil }
        let wait = max(0, next.timeIntervalSince(database.now))
        return min(.milliseconds(Int64(min(wait, 1e9) * 1000) + 1), Self.longestWait)
    }
}

extension ItemID {
    fileprivate init(_ id: StateID) {
        guard let item = ItemID(id.bytes) else { preconditionFailure("An identifier has 16 bytes") }
        self = item
    }
}

extension Delivery {
    /// Outcome in one word; nil if the peer got no item.
    fileprivate var word: String? {
        switch outcome {
        case .stored, .declined: ParcelSettlement(self)?.rawValue ?? "failed"
        case .failed: "failed"
        case .brokenOff: "interrupted"
        case .hidden: nil
        }
    }
}
