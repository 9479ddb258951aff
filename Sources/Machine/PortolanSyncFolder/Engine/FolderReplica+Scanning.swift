import Glibc
import PortolanFiles
import PortolanSyncPlan

extension FolderReplica {
    /// Most readings of the whole folder in one scan.
    private static let maximumLooks = 3
    private static let tickMicroseconds: UInt32 = 20_000

    enum ScanVerdict {
        /// The disk has not changed.
        case same
        case changed
        /// Another scan must follow at once.
        case again
    }

    /// Scans the folder and records changes by persons.
    ///
    /// - Parameter changes: folders to read; all are read if these do not suffice.
    func scan(_ folder: OpenFolder, _ changes: FolderChanges, _ report: inout SyncReport) throws -> ScanVerdict {
        let ways = ways
        let mustLook = try mustLook(ways)
        try readRules(of: folder)
        let start = now()
        var changes = changes
        changes.add(FolderChanges(paths: unsettled.dueFolders(at: start)))
        // The audience may have changed since, which is seen at no file.
        changes.add(FolderChanges(paths: Set(skipped.filter(\.isMarked).map { Array($0.place.dropLast()) })))
        let result = try read(folder, changes, tellsAll: mustLook || !ways.tells || looksAtAll)
        try storeRules(in: folder)
        unsettled.prune(begun: start, at: now())
        report.nextLook = unsettled.next(at: now()).map { (.seconds($0.seconds), FolderChanges(paths: $0.folders)) }
        // Missing entries that may have been passed over are looked for again.
        if !result.doubtful.isEmpty { report.nextLook = (.seconds(MissingFiles.patience + 1), .whole) }
        report.heldRules = accepted.held
        // A change of the rules by a person counts when it has stayed so.
        if accepted.isSettling { report.nextLook = (.seconds(AcceptedRules.settleSeconds + 1), .whole) }
        skipped = result.allSkipped(after: skipped)
        repositories.take(result)
        report.skipped = skipped
        report.looksAgain = result.isRacy
        // A file system may have been mounted or unmounted during the scan.
        guard try opener.isStill(folder) else { return .again }
        if !result.marks.isEmpty {
            try index.transact { index in for (place, mark) in result.marks { index.set(mark, at: place) } }
        }
        report.untold = untold ?? []
        guard try result.isChanged || mustLook || holdsWhatIsBack(result) else {
            try settle(result)
            return .same
        }
        let confirmed = confirmed
        let observed = try index.transact(isCancellable: true) { index in
            var observation = result.observation
            index.nameSeconds(in: &observation, below: folder.handle)
            let observed = index.observe(
                observation, guard: self.settings.deletionGuard, confirmed: confirmed, ways: ways,
                now: self.now().seconds)
            if result.observation.isComplete {
                index.turn(to: ways)
                // Files that are being written come later.
                if !result.skipped.contains(where: \.reason.isOfFile) { index.forgetSeconds() }
            }
            for (place, file) in result.updates { index.remember(file, at: place) }
            // Entries that are missing but not yet counted as deleted must be found missing again.
            if result.observation.isComplete, observed.held.isEmpty {
                for place in result.gone { index.forget(place) }
                for inode in result.goneFolders { index.forgetFiles(in: inode) }
            }
            self.untold = observed.untold.compactMap { index.path(of: $0)?.map(\.text).joined(separator: "/") }
            return observed
        }
        looksAtAll = !result.observation.isComplete || !observed.held.isEmpty
        report.untold = untold ?? []
        report.heldHere = observed.held
        for leftover in observed.leftovers { try take(leftover, result, folder) }
        guard observed.leftovers.isEmpty else { return .again }
        return result.isChanged ? .changed : .same
    }

    /// - Parameter tellsAll: true if the observation must contain all files.
    private func read(_ folder: OpenFolder, _ changes: FolderChanges, tellsAll: Bool) throws -> ScanResult {
        if let paths = changes.paths, !tellsAll {
            var scan = FolderScan(
                folder.root, folder.control, index, unsettled: unsettled, rules: accepted, confirmed: confirmedRules,
                shows: audience, now: now)
            defer { (unsettled, accepted) = (scan.unsettled, scan.rules) }
            if let result = try scan.run(only: paths) { return result }
        }
        let result = try readAll(folder, tellsAll: tellsAll)
        guard result.isChanged, !result.observation.isComplete, !tellsAll else { return result }
        // A missing file may lie in an unreadable folder, which differences alone do not show.
        return try readAll(folder, tellsAll: true)
    }

    /// Reads the whole folder, and again if it may have missed entries because something moved meanwhile.
    private func readAll(_ folder: OpenFolder, tellsAll: Bool) throws -> ScanResult {
        var doubts = Doubts(gone: missing.gone(at: now()))
        var looks = 0
        while true {
            var scan = FolderScan(
                folder.root, folder.control, index, tellsAll: tellsAll, doubts: doubts, unsettled: unsettled,
                rules: accepted, confirmed: confirmedRules, shows: audience, now: now)
            defer { (unsettled, accepted) = (scan.unsettled, scan.rules) }
            let result = try scan.run()
            looks += 1
            guard !result.doubtful.isEmpty, looks < Self.maximumLooks else {
                missing.note(result.doubtful, at: now())
                return result
            }
            doubts.earlier = result.folderTimes
            // A change in the same tick of the file system's clock as the reading would not show.
            usleep(Self.tickMicroseconds)
        }
    }

    /// True if an entry that counts as missing in a held deletion may have returned.
    private func holdsWhatIsBack(_ result: ScanResult) throws(SyncError) -> Bool {
        guard looksAtAll, result.isWhole else { return false }
        return try index.read(\.hasHeldEntries)
    }

    /// Stores the results of a scan without changes.
    private func settle(_ result: ScanResult) throws(SyncError) {
        if !result.updates.isEmpty {
            try index.transact { index in
                for (place, file) in result.updates { index.remember(file, at: place) }
            }
        }
        guard looksAtAll, result.isWhole, result.observation.isComplete else { return }
        looksAtAll = try index.read { !$0.knowsAllEntries }
    }

    /// True if the folder must be compared with the records although the disk has not changed: the directions have
    /// changed, or an earlier version of the program has made the index, or other members may have made the same
    /// changes as unannounced ones here, or something here takes the place of an entry whose deletion waited.
    private func mustLook(_ ways: SyncWays) throws(SyncError) -> Bool {
        let untold = untold
        return try index.transact { index in
            if index.ways != ways || index.hasUnknownMetadata { return true }
            return ways.tells ? untold?.isEmpty == false : untold == nil || !index.dirty.isEmpty
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
