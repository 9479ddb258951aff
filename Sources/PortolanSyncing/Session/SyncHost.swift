import PortolanProtocol
import PortolanSync
import PortolanSyncModel
import PortolanTransport
import PortolanTrust

/// Wait, or piece of work, with a time limit in a session.
package enum SyncWait: Sendable {
    /// An answer of the peer to anything.
    case answer
    /// The reading of content that the peer wants a description of.
    case description
    /// The comparison of a changed file with the earlier version here.
    case comparison
    /// Other changes of what a peer lacks, before they are reported.
    case lacks

    /// Time that a device gives it (SYNC.md 7, 7.2.1 and 7.5).
    package var time: Duration {
        switch self {
        case .answer: .seconds(30)
        case .description: .seconds(10)
        case .comparison: .seconds(60)
        case .lacks: .seconds(2)
        }
    }
}

/// Folders of a device for the peer of one session. Each call checks the peer's rights again.
package protocol SyncHost: Sendable {
    /// Waits for the time that something may take.
    ///
    /// - Throws: `CancellationError`.
    func pause(for wait: SyncWait) async throws

    /// Reports that the peer synchronizes folders, too. Must not wait.
    func began(_ role: SyncRole)

    /// Reports a session without synchronization, whose peer keeps folders alike by other versions of the protocol, or
    /// by none.
    func differs(_ role: SyncRole, _ versions: [Int]) async

    /// Scans the folders that the peer may know, before they are announced to it for the first time.
    func scanFolders(for role: SyncRole) async

    /// Reports the end of the session.
    func ended(_ role: SyncRole)

    /// Reports an announcement of the peer's folders. Must not wait.
    func wasTold(by role: SyncRole)

    /// Reports that the peer has told other lacks of folders.
    func lacksChanged(in folders: Set<SyncFolderID>, by role: SyncRole) async

    /// Reports that the peer begins to fetch contents of a folder. Must not wait.
    func sends(_ folder: SyncFolderID, to role: SyncRole)

    /// Returns the folders that the peer may know, and for whom they are.
    func folders(for role: SyncRole) async throws -> (Message.SyncFolders, [SignedFolderStatement])

    /// Returns changes of a folder.
    ///
    /// - Parameter contents: selection of small contents to send with the changes.
    /// - Returns: nil for a folder that is missing or not for the peer, and if no answer is possible now.
    func announcement(
        of folder: SyncFolderID, since position: SyncPosition?, with contents: SmallContents?, for role: SyncRole
    ) async throws -> Announcement?

    /// Returns small contents of a folder, verified, without missing ones.
    ///
    /// - Returns: nil if the folder is missing or not for the peer.
    func contents(
        _ all: ArraySlice<SmallContents.Content>, of folder: SyncFolderID, for role: SyncRole
    ) async throws -> [[UInt8]]?

    /// Reports that the peer has merged this device's changes.
    func heard(_ position: SyncPosition, of folder: SyncFolderID, by role: SyncRole) async throws

    /// True if the peer may know a folder.
    func isShared(_ folder: SyncFolderID, with role: SyncRole) async throws -> Bool

    /// Returns content of a folder.
    ///
    /// - Returns: nil for content that is missing or not for the peer.
    func content(
        _ digest: ContentDigest, of folder: SyncFolderID, for role: SyncRole
    ) async throws -> (any ContentSource)?
}

extension SyncRole {
    /// Makes the role for each session in which folders of `host` are synchronized.
    package static func maker(for host: any SyncHost) -> RoleMaker {
        RoleMaker(saying: .syncs) { SyncRole($0, host) }
    }

    /// Keeps the session open until the peer falls silent: there is work in it, to which the peer is entitled.
    func keepOpen() { session.offerMade() }
}

extension SyncHost {
    /// Runs `body` for a certain time at most, after which its task is cancelled.
    ///
    /// - Returns: nil if the time was too short.
    func run<Result: Sendable>(
        within wait: SyncWait, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result? {
        try await withThrowingTaskGroup(of: Result?.self) { tasks in
            tasks.addTask { try await body() }
            tasks.addTask {
                try await self.pause(for: wait)
                return nil
            }
            defer { tasks.cancelAll() }
            return try await tasks.next() ?? nil
        }
    }
}
