import Portolan
import PortolanConcurrency
import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import PortolanValues
import Synchronization

/// Folders that peers share with this device, stored for the user.
extension SyncCoordinator {
    /// Stores the offers of the peers of all sessions, if they have changed. Offers of strangers are ignored.
    func noteOffers(_ told: Told) async throws {
        var offers: [SyncFolderList.Offers] = []
        for (role, folders) in told {
            let standing = try await node.standing(of: role.peer)
            guard let folders, let source = source(of: role, standing) else { continue }
            // The peer tells its later offers in this session.
            role.keepOpen()
            let sorted = folders.values.sorted { $0.id.bytes.lexicographicallyPrecedes($1.id.bytes) }
            let statements = role.statements
            var offered: [SyncFolderList.SharedFolderOffer] = []
            for folder in sorted {
                // A folder without its maker's word is not one to join.
                guard let audience = try await audience(of: folder.id, statements, toldBy: role, of: standing)
                else { continue }
                offered.append(
                    .init(
                        id: Hexadecimal.text(folder.id.bytes), name: folder.name, statements: audience.stored))
            }
            offers.append(
                SyncFolderList.Offers(
                    key: Hexadecimal.text(role.peer.bytes), peer: role.shownName.text, source: source,
                    folders: offered))
        }
        let news = offers
        let isNews = state.withLock { state in
            defer { state.offers = news }
            return state.offers != news
        }
        guard isNews, !news.isEmpty else { return }
        do {
            try await withLookupThread { try self.list.remember(news) }
        } catch let error as StoreError {
            // The disk is probably full: the list of offers is not essential.
            guard case .system = error.kind else { throw error }
        }
    }

    /// Name for joining a folder of the peer; nil for a stranger.
    private func source(of role: SyncRole, _ standing: Standing) -> String? {
        if standing.isContact { return role.shownName.text }
        return standing.memberships.first.map { "\($0.teamName)" }
    }
}
