import PortolanFiles
import PortolanProtocol
import PortolanSyncFolder
import PortolanSyncPlan
import PortolanTransport
import PortolanTrust
import PortolanValues

/// Wait, or piece of work, with a time limit in a session.
package enum SyncWait: Sendable {
    /// An answer of the peer to anything.
    case answer
    /// Other changes of what a peer lacks, before they are reported.
    case lacks

    /// Time that a device gives it (SYNC.md 7 and 7.2.1).
    package var time: Duration {
        switch self {
        case .answer: .seconds(30)
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

    /// Returns the wanted contents that are here and for the peer.
    ///
    /// - Returns: nil if the folder is missing or not for the peer.
    func contents(_ want: Message.SyncWant, for role: SyncRole) async throws -> [SourceContent]?

    /// True if the peer may have a folder, and see all of it, now. Blocks.
    func mayHave(_ folder: SyncFolderID, _ role: SyncRole) -> Bool

    /// True if the peer may see a file with a mark now. Blocks.
    func maySee(_ mark: Restriction, _ role: SyncRole) -> Bool
}

extension SyncRole {
    /// Makes the role for each session in which folders of `host` are synchronized.
    package static func maker(for host: any SyncHost) -> RoleMaker {
        RoleMaker(saying: .syncs) { SyncRole($0, host) }
    }

    /// Keeps the session open until the peer falls silent: there is work in it, to which the peer is entitled.
    func keepOpen() { session.offerMade() }
}
