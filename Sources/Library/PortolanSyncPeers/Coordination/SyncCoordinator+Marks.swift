import Portolan
import PortolanCrypto
import PortolanSyncFolder
import PortolanSyncPlan
import PortolanTrust
import PortolanValues

/// Marks of files: for whom they are, beside their folder. ``Standing/maySee(_:)`` decides, as for what is sent.
extension SyncCoordinator {
    /// Lets files of a folder wait that are not for all who may have it. Before its maker has said who they are, all
    /// marked ones wait.
    func setAudience(of folder: SyncedFolder, _ entry: SyncFolderEntry) {
        let own = PinnedKey(node.identity.publicKey)
        folder.replica.setAudience(
            own: { [node] in node.standing(ofKey: own)?.maySee($0) ?? false },
            sees: { [node] device, mark in
                PinnedKey(bytes: device.bytes).flatMap { node.standing(ofKey: $0) }?.maySee(mark) ?? true
            }
        ) { [node] restriction in
            entry.audience?.isWithin(restriction) { node.standing(ofKey: $0) } ?? false
        }
    }

    /// Returns the mark of a file in a folder that a device may not see; it learns nothing of the folder then.
    func mark(in folder: SyncedFolder, hiddenFrom device: DevicePublicKey) async throws -> Restriction? {
        let marks = try await folder.replica.marks()
        guard !marks.isEmpty else { return nil }
        let standing = try await node.standing(of: device)
        return marks.first { !standing.maySee($0) }
    }

    /// True if a device may see all that the index of a folder knows.
    func isOpen(_ folder: SyncedFolder, to device: DevicePublicKey) async throws -> Bool {
        do {
            return try await mark(in: folder, hiddenFrom: device) == nil
        } catch is SyncError {
            // The folder's own task finds and reports the problem.
            return false
        }
    }

    /// True if a device learns nothing of a folder. The marks of a folder that was not read yet are unknown.
    func isShutOut(of folder: SyncedFolder, _ device: DevicePublicKey) async throws -> Bool {
        do { return try await mark(in: folder, hiddenFrom: device) != nil } catch is SyncError { return false }
    }

    /// True if a device may see all records of an answer.
    func maySee(_ news: Announcement, _ device: DevicePublicKey) async throws -> Bool {
        let forms = news.records.flatMap { $0.contents.map(\.value.form) }.filter { $0.extended.mark != nil }
        guard !forms.isEmpty else { return true }
        let standing = try await node.standing(of: device)
        return forms.allSatisfy { standing.maySee($0.restriction) }
    }

    /// Sentences about connected devices that may have a folder and learn nothing of it.
    ///
    /// - Parameter own: standing of this device, with the names of teams.
    func shutOut(of folder: SyncedFolder, _ own: Standing) async throws -> [SyncLack] {
        var lacks: [SyncLack] = []
        for role in roles where try await isShared(folder.entry, with: role.peer) {
            guard try await mark(in: folder, hiddenFrom: role.peer) != nil else { continue }
            // The mark may be that of a file that was deleted.
            try await folder.replica.forgetDeletions()
            guard let mark = try await mark(in: folder, hiddenFrom: role.peer) else { continue }
            let reason =
                "“\(role.shownName)” is told nothing of the folder, since a file in it is for \(own.name(mark)) alone."
            lacks.append(SyncLack(path: nil, reason: reason, needsPerson: true))
        }
        return lacks.sorted { $0.reason < $1.reason }
    }
}

extension Standing {
    /// Text for a mark, with the names of this device's teams.
    ///
    /// - Returns: text that is safe to print.
    func name(_ mark: Restriction) -> String { mark.description { membership(in: $0)?.teamName } }
}
