import PortolanProtocol
import PortolanSyncPlan

/// Folders that a peer has announced, with those in which a round of work is of use.
struct PeerAnnouncement: Sendable {
    /// Folders of the last announcement; nil before the first.
    private(set) var folders: [SyncFolderID: Message.SyncFolders.Folder]?
    private var news: Set<SyncFolderID> = []
    /// Folders of which the last announcement has other lacks than the one before, and nothing else that is news.
    private(set) var lacking: Set<SyncFolderID> = []

    /// Replaces the announcement by a later one.
    ///
    /// A folder is news if it is new, gone or changed at the peer. The peer's word that it has processed changes of
    /// this device is none, unless this device has not told these changes.
    /// - Parameter said: last announcement to the peer.
    /// - Returns: true if the announcement differs from the last one, lacks excepted.
    mutating func replace(by later: Message.SyncFolders, said: Message.SyncFolders?) -> Bool {
        let own = Dictionary((said?.folders ?? []).map { ($0.id, $0.latest) }, uniquingKeysWith: { one, _ in one })
        let told = Dictionary(later.folders.map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one })
        let before = folders ?? [:]
        lacking = []
        for (id, folder) in told {
            let isProcessed = folder.taken?.isCovered(by: own[id] ?? nil) ?? true
            guard let last = before[id], last.latest == folder.latest, last.taken == folder.taken || isProcessed,
                last.stop == folder.stop, last.heardStop == folder.heardStop
            else {
                news.insert(id)
                continue
            }
            if last.lacks != folder.lacks { lacking.insert(id) }
        }
        news.formUnion(before.keys.filter { told[$0] == nil })
        let isFirst = folders == nil
        folders = told
        return isFirst || before.count != told.count
            || told.contains { id, folder in before[id].map { !$0.isEqual(to: folder) } ?? true }
    }

    /// Makes all folders news, because the peer answers again.
    mutating func renew() { news.formUnion((folders ?? [:]).keys) }

    mutating func takeNews() -> Set<SyncFolderID> {
        exchange(&news, with: [])
    }
}

extension Message.SyncFolders.Folder {
    /// True if two announcements of a folder differ in their lacks at most.
    fileprivate func isEqual(to other: Self) -> Bool {
        name == other.name && latest == other.latest && taken == other.taken && stop == other.stop
            && heardStop == other.heardStop
    }
}
