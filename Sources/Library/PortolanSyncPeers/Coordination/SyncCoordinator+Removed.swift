import Foundation
import Portolan
import PortolanProtocol
import PortolanSyncFolder
import PortolanSyncPlan
import PortolanTrust
import PortolanValues
import Synchronization

/// Files that came from a removed member before this device heard of the removal.
extension SyncCoordinator {
    /// Starts a round of work in all folders after a removal from a team, of this device from a group, too.
    func takeRemovals() async {
        guard let removals = try? await node.removals(),
            let standing = try? await node.standing(of: node.identity.publicKey)
        else { return }
        let isNews = state.withLock { state in
            defer { (state.removals, state.standing) = (removals, standing) }
            return state.removals != removals || state.standing != standing
        }
        if isNews { for folder in folders { folder.ring() } }
    }

    /// Records in the status of a folder what came from devices after they were removed from its teams.
    ///
    /// - Parameter members: devices that may have the folder, also by another part of its audience.
    func noteRemoved(in folder: SyncedFolder, members: Set<DeviceID>) async throws {
        typealias Status = SyncFolderList.Status
        guard let removed = state.withLock(\.removals) else { return }
        var removals: [DeviceID: Int64] = [:]
        for case .team(let team, _, _) in (folder.entry.audience?.parts ?? []).joined() {
            for (key, time) in removed[team] ?? [:] {
                guard let device = DeviceID(key.bytes), !members.contains(device) else { continue }
                let seconds = Int64(time.timeIntervalSince1970)
                removals[device] = min(removals[device] ?? seconds, seconds)
            }
        }
        let arrivals = try await folder.replica.arrivals(after: removals, limit: Status.mostListed)
        var all: [SyncLack] = []
        for (device, found) in arrivals {
            guard let key = PinnedKey(bytes: device.bytes) else { continue }
            let day = Date(timeIntervalSince1970: TimeInterval(found.time)).formatted(.iso8601)
            let reason = "“\(await node.shownName(of: key))” gave it after \(day), when its removal was signed."
            all += found.paths.map { SyncLack(path: $0, reason: reason, needsPerson: true) }
        }
        let listed = Status.listed(all.sorted { ($0.path ?? "", $0.reason) < ($1.path ?? "", $1.reason) }) { $0.path }
        folder.state.withLock { $0.status.sinceRemoval = listed.isEmpty ? nil : listed }
    }
}
