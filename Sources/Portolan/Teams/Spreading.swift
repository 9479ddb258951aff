import Foundation
import PortolanCrypto
import PortolanFiles
import PortolanProtocol
import PortolanTransport
import PortolanTrust

extension NodeEnvironment {
    /// The members of a team, this device left out, each with where it can be reached, if it can.
    func whereabouts(of members: [Member]) async -> [(member: Member, peer: Peer?)] {
        let others = members.filter { !$0.key.matches(identity.publicKey) }
        let wanted = Set(others.map(\.key.fingerprint))
        let peers = await withTaskGroup(of: [Peer]?.self) { tasks in
            defer { tasks.cancelAll() }
            tasks.addTask {
                try? await self.runtime.sleep(for: self.configuration.findWait)
                return nil
            }
            tasks.addTask {
                var latest: [Peer] = []
                for await snapshot in self.neighbourhood.snapshots() {
                    latest = snapshot.peers
                    let found = wanted.isSubset(of: latest.compactMap(\.fingerprint))
                    if snapshot.isSettled || found { break }
                }
                return latest
            }
            for await result in tasks {
                if let result { return result }
                // The time is up only for those that have not been found by then.
                tasks.cancelAll()
            }
            return []
        }
        let found = Dictionary(
            peers.compactMap { peer in peer.fingerprint.map { ($0, peer) } }, uniquingKeysWith: { first, _ in first })
        return others.map { ($0, found[$0.key.fingerprint]) }
    }

    /// Gives what is new of a team to the members that can be reached, and takes what they know.
    ///
    /// - Parameter removed: devices that are told that they were removed.
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
        // A member may advertise in another way than a moment ago while its former record is still on the network.
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

    /// A session of its own in which nothing is offered. The peer learns by it that this device is there
    /// (``ReceiveEvent/connected(_:)``).
    func exchangeRosters(with peer: Peer, expecting key: PinnedKey) async throws {
        let session = try await connect(to: peer, isSought: false) { remote in
            guard key.matches(remote.deviceKey) else { throw NodeError(.notTrusted, "Somebody else is there.") }
        }
        // The rosters travel before anything else does.
        try await SessionDriver.run(on: session, ledger: ledger()) { _ = try await $0.peerCapabilities }
    }
}
