import Glibc
import PortolanFiles
import PortolanSyncPlan

extension FolderOpener {
    /// Compares the folder at the path with that of the index.
    ///
    /// - Parameter known: the folder of the index; nil if it has none.
    func compare(
        _ now: RootIdentity, with known: RootIdentity?, _ root: Descriptor, isMarked: Bool
    ) -> ReplicaStart.Root {
        guard let known else { return .same }
        let hasNumbers = storage.keepsNumbers(root)
        // The marker of another user would be a copy of it. File systems without numbers may have owners of their own.
        let owner = hasNumbers ? geteuid() : now.owner ?? geteuid()
        let isOurs = isMarked && ControlFolder.isOwn(by: owner, in: root, storage)
        if known.isSame(as: now, hasNumbers: hasNumbers), hasNumbers || isOurs { return .same }
        guard isOurs else { return .other }
        // An earlier version of the program knew the folder by its marker alone.
        return known.owner == nil ? .same : .restored
    }
}

extension ControlFolder {
    /// True if the marker and its folder belong to a user.
    fileprivate static func isOwn(by owner: uid_t, in root: Descriptor, _ storage: any Storage) -> Bool {
        do throws(SystemFailure) {
            let folder = try storage.openFolder(name, in: root)
            let all = [try storage.status(of: folder), try storage.status(of: markerName, in: folder)]
            return all.allSatisfy { $0.owner == owner }
        } catch { return false }
    }
}
