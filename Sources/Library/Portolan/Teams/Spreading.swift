import PortolanProtocol
import PortolanTransport

extension NodeEnvironment {
    /// Members of the team without this device, each with the peer at which it can be reached; nil if it cannot.
    func whereabouts(of members: [Member]) async -> [(member: Member, peer: Peer?)] {
        let others = members.filter { !$0.key.matches(identity.publicKey) }
        let wanted = Set(others.map(\.key.fingerprint))
        let peers = await withDiscardingTaskGroup { tasks -> [Peer] in
            defer { tasks.cancelAll() }
            // Nil once all that are there have had time to answer.
            let (news, feed) = AsyncStream.makeStream(of: PeerSnapshot?.self)
            for (wait, isEnd) in [(Neighbourhood.answerWait, false), (self.configuration.findWait, true)] {
                tasks.addTask {
                    try? await self.runtime.sleep(for: wait)
                    if isEnd { feed.finish() } else { feed.yield(nil) }
                }
            }
            tasks.addTask {
                for await snapshot in self.neighbourhood.snapshots() { feed.yield(snapshot) }
                feed.finish()
            }
            var latest: PeerSnapshot?
            var hadTime = false
            for await snapshot in news {
                if let snapshot { latest = snapshot } else { hadTime = true }
                guard let latest else { continue }
                let isComplete = wanted.isSubset(of: latest.peers.compactMap(\.fingerprint))
                if isComplete || hadTime && latest.isSettled { break }
            }
            return latest?.peers ?? []
        }
        let found = Dictionary(
            peers.compactMap { peer in peer.fingerprint.map { ($0, peer) } }, uniquingKeysWith: { first, _ in first })
        return others.map { ($0, found[$0.key.fingerprint]) }
    }

    /// Exchanges the roster of a team with all reachable members.
    ///
    /// - Parameter removed: removed devices, which get the roster without them.
    func spread(
        _ stored: StoredTeam, alsoTo removed: [Member] = []
    ) async -> [(member: Member, isTold: Bool)] {
        var results: [(member: Member, isTold: Bool)] = []
        var failed: [Member] = []
        for (member, result) in await tell(stored.team.members + removed) {
            results.append((member, result == .told))
            if result == .failed { failed.append(member) }
        }
        guard !failed.isEmpty, (try? await runtime.sleep(for: Self.goodbye)) != nil else { return results }
        // A member may have changed its announcement a moment ago, while its former record is still on the network.
        let told = Set(await tell(failed).filter { $0.result == .told }.map(\.member.key))
        return results.map { ($0.member, $0.isTold || told.contains($0.member.key)) }
    }

    /// Time for which other hosts keep a withdrawn record (RFC 6762 §10.1), and a little more.
    private static let goodbye = Duration.milliseconds(1200)

    private enum Telling: Sendable {
        case notFound, failed, told
    }

    private func tell(_ members: [Member]) async -> [(member: Member, result: Telling)] {
        let whereabouts = await whereabouts(of: members)
        let results = await whereabouts.concurrently { member, peer -> Telling in
            guard let peer else { return .notFound }
            do {
                try await self.exchangeRosters(with: peer, expecting: member.key)
                return .told
            } catch {
                return .failed
            }
        }
        return zip(whereabouts, results).map { ($0.member, $1) }
    }

    /// Opens a session without an offer. The peer learns from it that this device is available
    /// (``ReceiveEvent/connected(_:)``).
    func exchangeRosters(with peer: Peer, expecting key: PinnedKey) async throws {
        let session = try await connect(to: peer, isSought: false) { remote in
            guard key.matches(remote.deviceKey) else { throw NodeError(.notTrusted, "Somebody else is there.") }
        }
        // Rosters are exchanged before anything else.
        try await SessionDriver.run(on: session, ledger: ledger()) { _ = try await $0.peerCapabilities }
    }
}
