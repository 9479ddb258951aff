import PortolanFiles
import PortolanSyncModel

extension FolderReplica {
    enum Scanned {
        /// Nothing has changed on the disk.
        case same
        case changed
        /// Another scan has to follow at once.
        case again
    }

    /// Scans the folder and writes changes by persons down.
    ///
    /// - Parameter changes: what has to be read; more is if that does not suffice.
    func scan(_ folder: OpenFolder, _ changes: FolderChanges, _ report: inout SyncReport) throws -> Scanned {
        let ways = ways
        let mustLook = try mustLook(ways)
        let result = try read(folder, changes, tellsAll: mustLook || !ways.tells || looksAtAll)
        if result.isWhole { skipped = result.skipped }
        report.skipped = skipped + result.skipped.filter { !skipped.contains($0) }
        report.looksAgain = result.isRacy
        // What was read may be what is under a mount point.
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
            // What is missing and counts for nothing yet is found missing again.
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

    /// - Parameter tellsAll: the model needs to be told of everything.
    private func read(_ folder: OpenFolder, _ changes: FolderChanges, tellsAll: Bool) throws -> ScanResult {
        if let paths = changes.paths, !tellsAll {
            var scan = FolderScan(folder.root, folder.control, index, now: now)
            if let result = try scan.run(only: paths) { return result }
        }
        var scan = FolderScan(folder.root, folder.control, index, tellsAll: tellsAll, now: now)
        let result = try scan.run()
        guard result.isChanged, !result.observation.isComplete, !tellsAll else { return result }
        // What is not found may be where nobody can look: differences alone do not say so.
        var again = FolderScan(folder.root, folder.control, index, tellsAll: true, now: now)
        return try again.run()
    }

    /// Whether something that is missing by a large deletion is there again.
    private func holdsWhatIsBack(_ result: ScanResult) throws(SyncError) -> Bool {
        guard looksAtAll, result.isWhole, result.observation.isComplete else { return false }
        return try index.look(\.hasHeldEntries)
    }

    /// Remembers what a scan has seen that found no change.
    private func settle(_ result: ScanResult) throws(SyncError) {
        if !result.updates.isEmpty {
            try index.transact { index in
                for (place, file) in result.updates { index.remember(file, at: place) }
            }
        }
        guard looksAtAll, result.isWhole, result.observation.isComplete else { return }
        looksAtAll = try index.look { !$0.knowsAllEntries }
    }

    /// Whether the folder has to be compared with the records although nothing has changed on the disk: the ways are others than before,
    /// or others may have made what a person had made here and nobody was told of.
    private func mustLook(_ ways: SyncWays) throws(SyncError) -> Bool {
        let isUnknown = untold == nil
        return try index.transact { index in
            index.ways != ways || !ways.tells && (isUnknown || !index.dirty.isEmpty)
        }
    }

    /// Puts something from the staging folder to where it belongs.
    private func take(_ leftover: Leftover, _ result: ScanResult, _ folder: OpenFolder) throws(SyncError) {
        do {
            try move(leftover, result, folder)
        } catch { throw SyncError.index(error) }
    }

    private func move(_ leftover: Leftover, _ result: ScanResult, _ folder: OpenFolder) throws {
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
                EntryPlaces.Place(folder: control.staging, inode: 0, name: name),
                to: EntryPlaces.Place(folder: folder.root, inode: folder.handle.number, name: free),
                isFolder: isFolder)
        }
        try storage.sync(control.staging)
    }
}
