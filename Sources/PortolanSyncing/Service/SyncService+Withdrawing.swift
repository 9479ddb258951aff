import Portolan
import PortolanProtocol
import PortolanSync
import PortolanSyncModel
import PortolanTransport
import Synchronization

/// Content that nobody has: a person replaced or deleted a file before any other device had fetched it, and the records still want it, since
/// another person moved the file meanwhile.
extension SyncService {
    /// Time for which content has to be missing before it is given up.
    private static let patience = Duration.seconds(10)

    /// Gives up content that all who may have it say that they do not have (SYNC.md, section 2).
    ///
    /// - Parameters:
    ///   - members: the other members of the folder.
    ///   - sharing: sessions with members that are here, after this device has heard them.
    /// - Returns: whether another round has to follow at once.
    func giveUpMissing(
        _ report: SyncReport, in folder: KeptFolder, members: Set<DeviceID>, sharing: [SyncRole]
    ) async throws -> Bool {
        let now = node.configuration.runtime.now
        let missing = Set(report.waiting.compactMap(\.missingContent))
        let due = folder.state.withLock { state in
            state.missing = state.missing.filter { missing.contains($0.key) }
            for digest in missing where state.missing[digest] == nil { state.missing[digest] = now }
            // Looked at again then, whether anything happens meanwhile or not.
            let next = now + Self.patience
            if !missing.isEmpty { state.wholeTime = min(state.wholeTime ?? next, next) }
            return state.missing.filter { $0.value.duration(to: now) >= Self.patience }.keys.sorted()
        }
        guard !due.isEmpty, try await isEveryoneHeard(folder, members, sharing) else { return false }
        var isAgain = false
        for digest in due {
            var isRefused = true
            for role in sharing where isRefused {
                // A session that ends meanwhile says nothing of the content.
                do { isRefused = try await role.content(digest, of: folder.id, from: 0) == nil } catch {
                    try Task.checkCancellation()
                    isRefused = false
                }
            }
            guard isRefused else { continue }
            try await folder.replica.withdraw(digest)
            folder.state.withLock { $0.missing[digest] = nil }
            isAgain = true
        }
        return isAgain
    }

    /// Whether all members by whom changes are known are here, and have been heard.
    private func isEveryoneHeard(
        _ folder: KeptFolder, _ members: Set<DeviceID>, _ sharing: [SyncRole]
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

extension SyncReport.Wait {
    fileprivate var missingContent: ContentDigest? {
        guard case .content(let digest) = self else { return nil }
        return digest
    }
}
