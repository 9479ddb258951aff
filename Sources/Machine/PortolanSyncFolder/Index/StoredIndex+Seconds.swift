import Foundation
import GRDB
import PortolanSyncPlan

/// Second versions of files, which stay such over a new epoch as long as nobody changes them.
extension StoredIndex {
    /// Keeps them before an epoch begins, with those of which no scan of the present epoch knows.
    func keepSeconds() {
        for id in displacedEntries(limit: -1) {
            guard let entry = entry(id), let form = entry.form, let path = path(of: id),
                let name = entry.seen.first.flatMap({ record($0.node)?.place?.name })
            else { continue }
            transaction.attempt(()) {
                try transaction.execute(
                    "INSERT OR REPLACE INTO second VALUES (?, ?, ?)",
                    [key(path), Data(name.text.utf8), Data(form.digest.bytes)])
            }
        }
    }

    func forgetSeconds() { transaction.attempt(()) { try transaction.execute("DELETE FROM second", []) } }

    /// Gives found files that were second versions the names of their files.
    ///
    /// - Parameter root: the shared folder.
    func nameSeconds(in observation: inout Observation, below root: FileHandleID) {
        let kept: [Data: (name: SyncName, digest: ContentDigest?)] = transaction.attempt([:]) {
            let rows = try transaction.all("SELECT path, name, digest FROM second") { row in
                (Data(try row.bytes(0)), (name: try row.name(1), digest: try row.digest(2)))
            }
            return Dictionary(uniqueKeysWithValues: rows)
        }
        guard !kept.isEmpty else { return }
        var folders: [FileHandleID: [SyncName]] = [root: []]
        for position in observation.found.indices {
            let item = observation.found[position]
            guard let folder = folders[item.parent] ?? self.entry(with: item.parent).flatMap({ self.path(of: $0) })
            else {
                continue
            }
            let path = folder + [item.name]
            if item.kind == .folder { folders[item.handle] = path }
            guard let second = kept[key(path)], second.digest == item.form?.digest else { continue }
            observation.found[position].original = second.name
        }
    }

    private func key(_ path: [SyncName]) -> Data { Data(path.map(\.text).joined(separator: "/").utf8) }
}
