import PortolanProtocol
import PortolanSync
import PortolanSyncModel

/// Folders of a device for the peer of one session. Each call checks the peer's rights again.
package protocol SyncHost: Sendable {
    /// Waits for the time in which a peer must answer.
    func pauseForAnswer() async throws

    /// Reports that the peer synchronizes folders, too.
    func began(_ role: SyncRole) async

    /// Reports the end of the session.
    func ended(_ role: SyncRole)

    /// Reports an announcement of the peer's folders. Must not wait.
    func wasTold(by role: SyncRole)

    /// Returns the folders that the peer may know.
    func folders(for role: SyncRole) async throws -> Message.SyncFolders

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
