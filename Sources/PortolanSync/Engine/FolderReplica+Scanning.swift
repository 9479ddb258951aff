import PortolanFiles
import PortolanSyncModel

extension FolderReplica {
    enum Scanned {
        /// The disk has not changed.
        case same
        case changed
        /// Another scan must follow at once.
        case again
    }

    /// Scans the folder and records changes by persons.
    ///
    /// - Parameter changes: folders to read; all are read if these do not suffice.
    func scan(_ folder: OpenFolder, _ changes: FolderChanges, _ report: inout SyncReport) throws -> Scanned {
        let ways = ways
        let mustLook = try mustLook(ways)
        let result = try read(folder, changes, tellsAll: mustLook || !ways.tells || looksAtAll)
        if result.isWhole { skipped = result.skipped }
        report.skipped = skipped + result.skipped.filter { !skipped.contains($0) }
        report.looksAgain = result.isRacy
        // A file system may have been mounted or unmounted during the scan.
        guard try opener.isStill(folder) else { return .again }
        report.untold = untold ?? []
        guard try result.isChanged || mustLook || holdsWhatIsBack(result) else {
            try settle(result)
            return .same
        }
        let confirmed = confirmed
        let observed = try index.transact { index in
            let observed = index.observe(
                result.observation, guard: self.settings.deletionGuard, confirmed: confirmed, ways: ways)
            if result.observation.isComplete { index.turn(to: ways) }
            for (place, file) in result.updates { index.remember(file, at: place) }
            // Entries that are missing but not yet counted as deleted must be found missing again.
            if result.observation.isComplete, observed.held == nil {
                for place in result.gone { index.forget(place) }
                for inode in result.goneFolders { index.forgetFiles(in: inode) }
            }
            self.untold = observed.untold.compactMap { index.path(of: $0)?.map(\.text).joined(separator: "/") }
            return observed
        }
        looksAtAll = !result.observation.isComplete || observed.held != nil
        report.untold = untold ?? []
        report.heldHere = observed.held
        for leftover in observed.leftovers { try take(leftover, result, folder) }
        guard observed.leftovers.isEmpty else { return .again }
        return result.isChanged ? .changed : .same
    }

    /// - Parameter tellsAll: true if the observation must contain all files.
    private func read(_ folder: OpenFolder, _ changes: FolderChanges, tellsAll: Bool) throws -> ScanResult {
        if let paths = changes.paths, !tellsAll {
            var scan = FolderScan(folder.root, folder.control, index, now: now)
            if let result = try scan.run(only: paths) { return result }
        }
        var scan = FolderScan(folder.root, folder.control, index, tellsAll: tellsAll, now: now)
        let result = try scan.run()
        guard result.isChanged, !result.observation.isComplete, !tellsAll else { return result }
        // A missing file may lie in an unreadable folder, which differences alone do not show.
        var again = FolderScan(folder.root, folder.control, index, tellsAll: true, now: now)
        return try again.run()
    }

    /// True if an entry that counts as missing in a held deletion may have returned.
    private func holdsWhatIsBack(_ result: ScanResult) throws(SyncError) -> Bool {
        guard looksAtAll, result.isWhole, result.observation.isComplete else { return false }
        return try index.look(\.hasHeldEntries)
    }

    /// Stores the results of a scan without changes.
    private func settle(_ result: ScanResult) throws(SyncError) {
        if !result.updates.isEmpty {
            try index.transact { index in
                for (place, file) in result.updates { index.remember(file, at: place) }
            }
        }
        guard looksAtAll, result.isWhole, result.observation.isComplete else { return }
        looksAtAll = try index.look { !$0.knowsAllEntries }
    }

    /// True if the folder must be compared with the records although the disk has not changed: the directions have
    /// changed, an earlier version of the program has made the index, or other members may have made the same changes as unannounced ones here.
    private func mustLook(_ ways: SyncWays) throws(SyncError) -> Bool {
        let isUnknown = untold == nil
        return try index.transact { index in
            index.ways != ways || index.hasUnknownMetadata || !ways.tells && (isUnknown || !index.dirty.isEmpty)
        }
    }

    /// Moves an item from the staging folder to its proper place.
    private func take(_ leftover: ParkedLeftover, _ result: ScanResult, _ folder: OpenFolder) throws(SyncError) {
        do {
            try move(leftover, result, folder)
        } catch { throw SyncError.index(error) }
    }

    private func move(_ leftover: ParkedLeftover, _ result: ScanResult, _ folder: OpenFolder) throws {
        let control = folder.control
        switch leftover {
        case .replaced(let handle):
            guard let name = result.parkedNames[handle],
                let item = result.observation.parked.first(where: { $0.handle == handle })
            else { return }
            let file = try control.keep(name)
            let record = HistoryRecord(
                at: now().seconds, path: "", kind: item.kind, file: file, digest: item.form?.digest, size: item.size,
                reason: .found)
            try index.transact { $0.add(record) }
        case .unseen(let handle):
            guard let name = result.parkedNames[handle] else { return }
            let free = "recovered \(String(UInt64.random(in: 0 ... .max), radix: 16))"
            let isFolder = try storage.status(of: name, in: control.staging).kind == .folder
            try control.moveWithoutReplacing(
                EntryPlaces.EntryPlace(folder: control.staging, inode: 0, name: name),
                to: EntryPlaces.EntryPlace(folder: folder.root, inode: folder.handle.number, name: free),
                isFolder: isFolder)
        }
        try storage.sync(control.staging)
    }
}
