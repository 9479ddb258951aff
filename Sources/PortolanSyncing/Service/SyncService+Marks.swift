import Portolan
import PortolanCrypto
import PortolanSync
import PortolanSyncModel
import PortolanValues

/// Marks of files: for whom they are, beside their folder. ``Standing/maySee(_:)`` decides, as for what is sent.
extension SyncService {
    /// Lets files of a folder wait that are not for all of its members. Without members all marked ones wait.
    func setAudience(of folder: SyncedFolder, _ members: Set<DeviceID>) {
        let keys = members.compactMap { try? DevicePublicKey(bytes: $0.bytes) }
        let own = node.identity.publicKey
        folder.replica.setAudience(own: { [node] in node.maySee($0, all: [own]) }) { [node] restriction in
            !keys.isEmpty && node.maySee(restriction, all: keys)
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

    /// True if a device may see all records of an answer.
    func maySee(_ news: Announcement, _ device: DevicePublicKey) async throws -> Bool {
        let forms = news.records.flatMap { $0.contents.map(\.value.form) }.filter { $0.extended.mark != nil }
        guard !forms.isEmpty else { return true }
        let standing = try await node.standing(of: device)
        return forms.allSatisfy { standing.maySee($0.restriction) }
    }

    /// Sentences about connected members that learn nothing of a folder.
    func shutOut(of folder: SyncedFolder, _ sharing: [SyncRole]) async throws -> [SyncLack] {
        var lacks: [SyncLack] = []
        for role in sharing {
            guard let mark = try await mark(in: folder, hiddenFrom: role.peer) else { continue }
            let reason = "“\(role.shownName)” is told nothing of the folder, since a file in it is for \(mark) alone."
            lacks.append(SyncLack(path: nil, reason: reason, needsPerson: true))
        }
        return lacks
    }
}
