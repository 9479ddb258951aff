import PortolanProtocol
import PortolanSync
import PortolanSyncModel

/// The folders of a device, as the peer of one session may know them. Each call judges the peer's right anew.
package protocol SyncHost: Sendable {
    /// Lets the time pass in which a peer that was asked answers something.
    func pauseForAnswer() async throws

    /// The peer synchronizes folders, too.
    func began(_ role: SyncRole) async

    /// The session is over.
    func ended(_ role: SyncRole)

    /// The peer has told its folders. Must not wait.
    func wasTold(by role: SyncRole)

    /// The folders that the peer may know.
    func folders(for role: SyncRole) async throws -> Message.SyncFolders

    /// Changes of a folder.
    ///
    /// - Parameter contents: small contents that are told with the changes.
    /// - Returns: nil for what is not there or not for the peer, and where no answer is possible now.
    func announcement(
        of folder: SyncFolderID, since position: SyncPosition?, with contents: SmallContents?, for role: SyncRole
    ) async throws -> Announcement?

    /// Small contents of a folder, whole and verified, but for those that cannot be had.
    ///
    /// - Returns: nil where the folder is not there or not for the peer.
    func contents(
        _ all: ArraySlice<SmallContents.Content>, of folder: SyncFolderID, for role: SyncRole
    ) async throws -> [[UInt8]]?

    /// The peer has merged this device's changes.
    func heard(_ position: SyncPosition, of folder: SyncFolderID, by role: SyncRole) async throws

    /// Whether the peer may know a folder.
    func isShared(_ folder: SyncFolderID, with role: SyncRole) async throws -> Bool

    /// Content of a folder.
    ///
    /// - Returns: nil for what is not there or not for the peer.
    func content(
        _ digest: ContentDigest, of folder: SyncFolderID, for role: SyncRole
    ) async throws -> (any ContentSource)?
}
