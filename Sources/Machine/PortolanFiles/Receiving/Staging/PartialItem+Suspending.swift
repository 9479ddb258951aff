import PortolanValues
import Synchronization

extension PartialItem {
    /// Suspends the item, so that another transfer of the same source can resume it: its content so far is synced and
    /// recorded. Waits for running steps. Removes the partial if it cannot be resumed, leaves no space for other items,
    /// or has a stop request (``Inbox/stopPartial(_:)``).
    package func suspend() {
        interrupt()
        guard life.end() else { return }
        guard let workspace = area.workspace.current else { return letGo() }
        let isFull = life.failure?.kind == .noSpace
        guard let about = place.about, !life.isTainted, area.workspace.root != nil || workspace.isResumed,
            !isFull || place.space.leavesRoomForOthers, saveProgress(completely: true)
        else {
            letGo()
            return workspace.remove()
        }
        letGo()
        if isFull { _ = try? place.storage.makeFile(Workspace.fullName, in: workspace.folder, mode: 0o600) }
        place.inbox.index.add(workspace.name, of: about.identity)
        workspace.unlock()
        // A stop request may have come after the last poll. The requester checks the lock after the request, and this
        // code checks the request after the unlock: one of the two removes the partial.
        if isToStop { _ = try? place.inbox.forgetPartial(workspace.id) }
    }

    /// Records the progress, if enough content came since the last record.
    func saveProgressIfDue(afterWriting count: Int) {
        guard place.about != nil, keeper.begins(after: count) else { return }
        keeper.measure { _ = saveProgress(completely: false) }
    }

    /// Records the progress.
    ///
    /// - Parameter completely: true to sync everything, rather than only the content of unfinished files.
    /// - Returns: true if the content so far is synced.
    func saveProgress(completely: Bool) -> Bool {
        guard let workspace = area.workspace.current else { return false }
        let storage = place.storage
        // Read before the unfinished files, of which one may be finished meanwhile, so that no byte is counted twice.
        let bytes = area.ledger.contents.tally.bytes
        // Read before anything is synced, so that no more is claimed. A file that is announced meanwhile may be in both
        // lists.
        let records = files.earlier.records
        let unfinished = files.unfinished
        do throws(SystemFailure) {
            if completely {
                try storage.syncAll(workspace.folder)
            } else if !place.isInMemory {
                for file in unfinished.compactMap(\.descriptor) { try storage.sync(file) }
            }
        } catch {
            // The kernel reports a lost page once, and afterwards shows lost bytes as if they were written.
            life.taint(.storing(DisplayText(place.about?.name ?? ""), error))
            return false
        }
        if !place.isInMemory, !completely { keepAbout(in: workspace) }
        // Without the record less is known, and a resuming transfer reads the files instead.
        let progress = PartialProgress(records, unfinished, bytes, atLeast: workspace.earlierBytes)
        try? progress.save(in: workspace.folder, by: storage, durably: !place.isInMemory)
        if !place.isInMemory { try? storage.sync(workspace.folder) }
        return true
    }

    /// Syncs the item's metadata to the disk: the partial cannot be resumed without it.
    private func keepAbout(in workspace: Workspace) {
        guard let about = place.about, !isAboutKept.load(ordering: .relaxed) else { return }
        let isKept = (try? about.save(in: workspace.folder, by: place.storage, durably: true)) != nil
        if isKept { isAboutKept.store(true, ordering: .relaxed) }
    }
}

extension PartialProgress {
    /// - Parameters:
    ///   - records: files of an earlier transfer that have not been announced again yet.
    ///   - bytes: bytes of complete files.
    ///   - earlierBytes: bytes received by the earlier transfer.
    fileprivate init(
        _ records: [File], _ unfinished: [StagedFiles.Unfinished], _ bytes: UInt64, atLeast earlierBytes: UInt64
    ) {
        let unfinishedBytes = unfinished.reduce(0) { $0 + $1.came }
        let files = unfinished.map { unfinished in
            let (file, modified) = (unfinished.file, unfinished.file.entry.modified)
            return File(
                path: file.path, size: file.size, seconds: modified.seconds, nanoseconds: modified.nanoseconds,
                came: unfinished.isCopy ? unfinished.came : nil)
        }
        self.init(
            version: Self.currentVersion, bytes: max(bytes + unfinishedBytes, earlierBytes), files: records + files)
    }
}
