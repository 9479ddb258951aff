import Portolan
import PortolanConcurrency
import PortolanCrypto
import PortolanProtocol
import PortolanTransport
import PortolanTrust
import PortolanValues
import Synchronization

/// The sessions of the coordinator: incoming ones, and those that this device opens.
extension SyncCoordinator {
    /// Interval of rounds of work in folders that are not watched, and time that the other device has to connect first.
    private static let interval = Duration.seconds(2)
    /// Pause before the next connection to a visible peer that does not synchronize folders; when it begins to, it
    /// connects by itself.
    private static let longPause = Duration.seconds(60)

    /// Synchronizes folders until the task is cancelled: listens, and connects to visible peers and to addresses.
    ///
    /// - Parameters:
    ///   - addresses: `host:port` of peers.
    ///   - listening: called when the node listens, from any thread.
    /// - Throws: `NodeError` if the port cannot be used; `StoreError`; `CancellationError`.
    package func stay(
        peersAt addresses: [String] = [], listening: @escaping @Sendable (ReceiveEvent) -> Void = { _ in }
    ) async throws {
        try await run(every: Self.interval) { [self] in
            try await withThrowingDiscardingTaskGroup { tasks in
                tasks.addTask { try await self.node.play(SyncRole.maker(for: self), events: listening) }
                for address in addresses { tasks.addTask { try await self.stayConnected(to: address) } }
                try await self.connectToPeersInSight()
            }
        }
    }

    /// Synchronizes folders with the peers that are visible now, and those at addresses, until no work is left.
    ///
    /// - Throws: `NodeError` if there is no peer, or one cannot be reached; `StoreError`; `CancellationError`.
    package func visit(peersAt addresses: [String] = []) async throws {
        // The search for peers counts as an awaited session.
        state.withLock { $0.awaited = 1 }
        try await run(every: nil) { [self] in
            var peers: [Peer] = []
            for address in addresses { peers.append(try await node.find(address)) }
            peers += try await peersInSight()
            guard !peers.isEmpty else {
                throw NodeError(.unreachable, "Nobody with whom a folder is kept alike is in sight.")
            }
            state.withLock { $0.awaited += peers.count - 1 }
            let failure = await withTaskGroup(of: (any Error)?.self) { tasks in
                for peer in peers {
                    tasks.addTask {
                        do {
                            try await self.visit(peer)
                            return nil
                        } catch {
                            return error
                        }
                    }
                }
                tasks.addTask {
                    await self.watchForStalling()
                    return nil
                }
                return await tasks.reduce(nil) { $0 ?? $1 }
            }
            if let failure { throw failure }
            finish(.success(()))
        }
    }

    private func visit(_ peer: Peer) async throws {
        // The session is counted once, as arrived or as failed.
        let hasArrived = Atomic(false)
        let arrived: @Sendable () -> Void = {
            guard !hasArrived.exchange(true, ordering: .relaxed) else { return }
            self.state.withLock { $0.awaited -= 1 }
            self.call()
        }
        defer { arrived() }
        try await node.withSession(with: peer, playing: SyncRole.maker(for: self)) { driver in
            let capabilities = try await driver.peerCapabilities
            guard capabilities.contains(.syncs) else {
                throw NodeError(.unreachable, Self.difference(peer.name, capabilities.syncVersions))
            }
            guard let role = driver.role(SyncRole.self) else { preconditionFailure("The role is played") }
            role.keepOpen()
            try await role.waitUntilTold()
            arrived()
            try await self.quiet.value(ifCancelled: .failure(CancellationError()))
        }
    }

    /// Ends the visit if there is no progress for too long.
    private func watchForStalling() async {
        guard let wait = node.configuration.stallWait else { return }
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                _ = try? await self.quiet.value(ifCancelled: .failure(CancellationError()))
            }
            tasks.addTask {
                var before = -1
                while true {
                    let now = self.roles.reduce(self.state.withLock(\.happenings)) { $0 + $1.answers }
                    if now == before {
                        let error = NodeError(.interrupted, "The other side gets no further with the folders.")
                        self.quiet.settle(.failure(error))
                    }
                    before = now
                    guard (try? await self.node.configuration.runtime.sleep(for: wait)) != nil, !Task.isCancelled else {
                        return
                    }
                }
            }
            await tasks.next()
            tasks.cancelAll()
        }
    }

    // MARK: Visible peers

    /// Returns the peers with which a folder may be synchronized, after the network had time to answer.
    private func peersInSight() async throws -> [Peer] {
        guard node.configuration.discovery != .off else { return [] }
        let entries = try await entries()
        for await snapshot in node.peers() where snapshot.isSettled {
            return snapshot.peers.filter { peer in entries.contains { $0.mayMeet(peer) } }
        }
        try Task.checkCancellation()
        return []
    }

    /// Connects to peers as they become visible, until the task is cancelled.
    private func connectToPeersInSight() async throws {
        guard node.configuration.discovery != .off else { return }
        let runtime = node.configuration.runtime
        // A device without a folder connects to nobody, and looks around for nobody: who has one connects to it.
        while try await entries().isEmpty {
            for await _ in sight.changes { break }
            try Task.checkCancellation()
        }
        try await withThrowingDiscardingTaskGroup { tasks in
            tasks.addTask {
                while true {
                    for await snapshot in self.node.peers() { self.sight.see(snapshot.peers) }
                    try await runtime.sleep(for: Self.longPause)
                }
            }
            /// Times since which peers have been visible without a session.
            var seen: [String: ContinuousClock.Instant] = [:]
            for await _ in sight.changes {
                let entries = try await entries()
                let connected = Set(roles.map(\.peer.fingerprint))
                let (peers, now) = (sight.peers, runtime.now)
                let apart = peers.filter { $0.fingerprint.map { !connected.contains($0) } ?? false }
                let visible = Set(apart.map(\.id))
                seen = seen.filter { visible.contains($0.key) }
                for peer in apart {
                    guard let fingerprint = peer.fingerprint, entries.contains(where: { $0.mayMeet(peer) })
                    else { continue }
                    // Of two devices that see each other, one connects first.
                    let isFirst = "\(node.identity.fingerprint)" < "\(fingerprint)"
                    let since = seen[peer.id]
                    guard isFirst || since.map({ now >= $0 + Self.interval }) ?? false else {
                        guard since == nil else { continue }
                        seen[peer.id] = now
                        tasks.addTask {
                            try await runtime.sleep(for: Self.interval)
                            self.sight.look()
                        }
                        continue
                    }
                    guard sight.begin(peer) else { continue }
                    tasks.addTask {
                        let start = runtime.now
                        let isOfUse = await self.stay(with: peer)
                        try await self.sight.end(
                            peer, lasted: runtime.now - start, longest: isOfUse ? nil : Self.longPause)
                    }
                }
            }
            try Task.checkCancellation()
        }
    }

    private func stayConnected(to address: String) async throws {
        let runtime = node.configuration.runtime
        var retry = RetryPause()
        while true {
            let start = runtime.now
            var isOfUse = true
            if let peer = try? await node.find(address) { isOfUse = await stay(with: peer) }
            let pause = retry.next(lasted: runtime.now - start)
            try await runtime.sleep(for: isOfUse ? pause : RetryPause.longest)
        }
    }

    /// Runs one session with a peer, until it ends.
    ///
    /// - Returns: false if the peer synchronizes no folders now.
    private func stay(with peer: Peer) async -> Bool {
        do {
            return try await node.withSession(with: peer, playing: SyncRole.maker(for: self)) { driver in
                // A session without work would be kept open.
                guard try await driver.peerCapabilities.contains(.syncs) else { return false }
                driver.session.offerMade()
                try await driver.stay()
                return true
            }
        } catch is CancellationError {
            // The coordinator has ended.
        } catch {
            events(.failed(DisplayText(oneLine: "\(error)", limit: 500)))
        }
        return true
    }
}

extension SyncRole {
    /// Name that the peer announces.
    var shownName: DisplayText { DisplayText(peerName, limit: 100) }

    /// True for the key of the peer.
    func isPeer(_ key: PinnedKey) -> Bool { key.matches(peer) }
}
