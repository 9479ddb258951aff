import Portolan
import PortolanConcurrency
import PortolanProtocol
import PortolanSyncPlan
import PortolanValues
import Synchronization

/// Members whose program keeps folders alike by another version of the protocol.
extension SyncCoordinator {
    package func differs(_ role: SyncRole, _ versions: [Int]) async {
        // The session may have told of a removal.
        await takeRemovals()
        guard !versions.isEmpty, let entries = try? await withLookupThread({ try self.list.all() }),
            let standing = try? await node.standing(of: role.peer),
            entries.contains(where: { $0.mayMeet(standing, is: role.isPeer) })
        else { return }
        let sentence = Self.difference(role.peerName, versions)
        let isNews = state.withLock { state in
            state.differing.updateValue(sentence, forKey: DeviceID(role.peer)) != sentence
        }
        guard isNews else { return }
        events(.failed(DisplayText(sentence: sentence, limit: 500)))
        for folder in folders { folder.ring() }
    }

    /// Sentence about a peer without this program's version; safe to print.
    ///
    /// - Parameter versions: those of the peer, possibly none.
    static func difference(_ peer: String, _ versions: [Int]) -> String {
        let name = DisplayText(peer, limit: 100)
        guard !versions.isEmpty else { return "“\(name)” keeps no folder alike now." }
        let theirs = versions.map(String.init).joined(separator: " and ")
        return "“\(name)” keeps folders alike by version \(theirs) of the protocol, and this program by version "
            + "\(Capabilities.syncVersion): nothing is exchanged until both have the same one."
    }
}
