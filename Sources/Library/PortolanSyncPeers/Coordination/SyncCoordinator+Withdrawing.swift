import Portolan
import PortolanProtocol
import PortolanSyncFolder
import PortolanSyncPlan
import PortolanTransport
import Synchronization

/// Content that no member has: a person replaced or deleted a file before another device had fetched it, and the
/// records still want it, because another person moved the file meanwhile.
extension SyncCoordinator {
    /// Withdraws content if all members that may have it report that they do not (SYNC.md, section 2).
    ///
    /// - Parameters:
    ///   - members: the other members of the folder.
    ///   - sharing: sessions with connected members, whose changes this device has merged.
    /// - Returns: true if another round must follow at once.
    func giveUpMissing(
        _ report: SyncReport, in folder: SyncedFolder, members: Set<DeviceID>, sharing: [SyncRole]
    ) async throws -> Bool {
        let now = node.configuration.runtime.now
        let missing = Set(report.waiting.compactMap(\.missingContent))
        let isHeard = missing.isEmpty ? true : try await isEveryoneHeard(folder, members, sharing)
        let due = folder.state.withLock { state in
            // The next check is due at that time, even without other events.
            let next = now + MissingContents.patience
            if !missing.isEmpty { state.wholeTime = min(state.wholeTime ?? next, next) }
            return state.missing.note(missing, isEveryoneHeard: isHeard, at: now)
        }
        /// Contents that all refuse, by whether their versions are deleted.
        var refused: [Bool: Set<ContentDigest>] = [:]
        for one in due {
            guard let wanted = report.wanted.first(where: { $0.digest == one.digest }) else { continue }
            var isRefused = true
            for role in sharing where isRefused {
                // A session that ends meanwhile gives no answer about the content.
                do { isRefused = try await self.isRefused(wanted, by: role, in: folder) } catch {
                    try Task.checkCancellation()
                    isRefused = false
                }
            }
            if isRefused { refused[one.deletes, default: []].insert(one.digest) }
        }
        var isAgain = false
        for (deletes, digests) in refused {
            let withdrawn = try await folder.replica.withdraw(digests, deletes: deletes)
            folder.state.withLock { state in for digest in withdrawn { state.missing.remove(digest) } }
            if !withdrawn.isEmpty { isAgain = true }
        }
        return isAgain
    }

    /// True if all members with known changes are connected, and their changes are merged.
    private func isEveryoneHeard(
        _ folder: SyncedFolder, _ members: Set<DeviceID>, _ sharing: [SyncRole]
    ) async throws -> Bool {
        let here = Set(sharing.map { DeviceID($0.peer) })
        guard try await folder.replica.writers().intersection(members).isSubset(of: here) else { return false }
        return folder.state.withLock { state in
            sharing.allSatisfy { role in
                role.told?[folder.id]?.latest?.isCovered(by: state.taken[DeviceID(role.peer)]) ?? false
            }
        }
    }
}

extension SyncReport.RemainingDifference {
    fileprivate var missingContent: ContentDigest? {
        guard case .content(let digest) = self else { return nil }
        return digest
    }
}
