import PortolanFiles
import PortolanSyncPlan
import PortolanValues

/// Contents of others for databases that are here: each is written into the file that is there, in one transaction, so
/// that a program that has it open sees the earlier state or the new one.
extension FolderReplica {
    /// Seconds between two versions of one database that the history keeps.
    private static let historyPause: Int64 = 600

    /// A database to be written to, and its new content.
    private struct DatabaseChange {
        var seen: Expectation
        var item: TreeItem
        var staged: StagedFile
        var place: EntryPlaces.EntryPlace
        var known: KnownFile
        /// Path in the shared folder; nil if the present version is not kept.
        var kept: String?
    }

    /// Writes the staged contents of databases, outside of the index's transactions: others may have them locked.
    func writeDatabases(
        _ steps: [SyncStep], _ prepared: [Int: Prepared], _ folder: OpenFolder
    ) throws -> [Int: Prepared] {
        guard steps.contains(where: { if case .replace = $0 { true } else { false } }) else { return prepared }
        var prepared = prepared
        let changes = try index.read { index -> [(Int, DatabaseChange)] in
            let publisher = publisher(folder, in: index)
            return steps.enumerated().compactMap { position, step in
                guard case .replace(let seen, let item) = step, case .staged(let staged) = prepared[position],
                    let change = change(seen, item, staged, publisher, index)
                else { return nil }
                return (position, change)
            }
        }
        try openClosedFolders(changes.map { .replace($0.1.seen, $0.1.item) }, folder)
        for (position, change) in changes {
            try Task.checkCancellation()
            do {
                prepared[position] = .written(try write(change, folder))
            } catch let refusal as StepRefusal {
                prepared[position] = .refused(refusal)
            } catch let failure as SystemFailure {
                prepared[position] = .refused(StepRefusal(failure))
            }
        }
        return prepared
    }

    /// - Returns: nil unless both versions are databases.
    private func change(
        _ seen: Expectation, _ item: TreeItem, _ staged: StagedFile, _ publisher: StepPublisher, _ index: StoredIndex
    ) -> DatabaseChange? {
        // SQLite does not write into a file that its owner may not write to.
        guard item.kind == .file, (seen.form?.attributes ?? 0) & 0o200 != 0, seen.parent != .parking,
            (try? publisher.check(seen)) != nil, let place = try? publisher.places.place(of: seen),
            let known = index.file(at: place.file),
            known.database != nil, known.handle == seen.handle, staged.isDatabase,
            staged.form.extended == seen.form?.extended
        else { return nil }
        let path = (index.path(of: seen.parent) ?? []) + [seen.name]
        let text = path.map(\.text).joined(separator: "/")
        let last = index.history(of: text).first { $0.reason == .replaced }
        let isKept = last.map { $0.at > now().seconds - Self.historyPause } ?? false
        return DatabaseChange(
            seen: seen, item: item, staged: staged, place: place, known: known, kept: isKept ? nil : text)
    }

    private func write(_ change: DatabaseChange, _ folder: OpenFolder) throws -> StepEffect {
        let (name, parent, control) = (change.place.name, change.place.folder, folder.control)
        let look = FileLook(storage: storage, now: now)
        let target = try storage.openFile(name, in: parent)
        let identity = try storage.status(of: target).identity
        guard identity.inode == change.seen.handle.number, !control.own.contains(identity) else {
            throw StepRefusal.changed
        }
        let mode = UInt16(change.staged.form.attributes & 0o777) | 0o400
        let isOtherMode = change.seen.form?.attributes != change.staged.form.attributes
        let snapshot = try storage.openFile(change.staged.name, in: control.staging)
        try databases.write(snapshot, to: name, in: parent, identity) {
            let read = { (sink: FileLook.SnapshotSink) throws(SystemFailure) in
                try look.readDatabase(name, in: parent, isHeld: true, into: sink)
            }
            // The version that goes is kept, at intervals: a database may change each second.
            let outcome = try change.kept == nil ? read(FileLook.SnapshotSink()) : control.keepingSnapshot(read)
            guard case .known(let found) = outcome else { return false }
            guard found.handle == change.seen.handle, found.form?.digest == change.seen.form?.digest else {
                return false
            }
            // The permissions count before the new content is there.
            if isOtherMode { try storage.setPermissions(mode | 0o200, of: target) }
            return true
        }
        if isOtherMode, mode & 0o200 == 0 { try storage.setPermissions(mode, of: target) }
        var effect = StepEffect(handle: change.seen.handle)
        if let path = change.kept, let digest = change.seen.form?.digest {
            effect.history = try keep(digest, path, change.known.size, control)
        }
        try control.keepSnapshot(change.staged.form.digest, staged: change.staged.name)
        effect.files = [(change.place.file, try written(change, target))]
        return effect
    }

    /// Returns the state after the writing. The next scan reads the database again: others may have written since.
    private func written(_ change: DatabaseChange, _ target: Descriptor) throws(SystemFailure) -> KnownFile? {
        guard let stamp = FileStatusStamp(try storage.status(of: target)), let content = change.item.content else {
            return nil
        }
        return KnownFile(
            stamp: stamp, generation: change.known.generation, isRacy: true, form: change.staged.form,
            database: DatabaseState(
                size: content.size, time: change.item.metadata?.time ?? content.time,
                companions: DatabaseCompanions(change.place.name, in: change.place.folder, storage, now: now())
                    .fingerprint))
    }

    /// Moves the snapshot of the earlier version to the history.
    private func keep(
        _ digest: ContentDigest, _ path: String, _ size: UInt64, _ control: ControlFolder
    ) throws(SystemFailure) -> HistoryRecord {
        HistoryRecord(
            at: now().seconds, path: path, kind: .file, file: try control.keepSnapshotInHistory(digest),
            digest: digest, size: size, reason: .replaced)
    }
}

extension StepPublisher {
    /// Lets no step change a file that belongs to a database, and none move or remove a database that others have open:
    /// what they write then would be lost.
    func guardDatabases(_ step: SyncStep, _ staged: StagedFile?) throws(StepRefusal) {
        switch step {
        case .makeFolder(_, let target), .place(_, let target):
            guard staged?.isDatabase == true || DatabaseFiles.owner(of: target.name.text) != nil else { return }
            let place = try places.place(target, for: nil)
            guard !isOfDatabase(place) else { throw .name }
            if staged?.isDatabase == true { try refuseCompanions(of: place) }
        case .move(let seen, let target, _):
            guard seen.form != nil else { return }
            let place = try places.place(target, for: seen.entry)
            guard !isOfDatabase(place) else { throw .name }
            if try close(seen) { try refuseCompanions(of: place) }
        case .replace(let seen, _):
            guard try !close(seen), staged?.isDatabase == true else { return }
            // A program may be about to make a database of an empty file.
            let place = try places.place(of: seen)
            try refuseCompanions(of: place)
            if (try? storage.openFile(place.name, in: place.folder))?.isOpenElsewhere == true { throw .databaseInUse }
        case .park(let seen): _ = try close(seen)
        case .remove(let seen): if try !isOfDatabase(places.place(of: seen)) { _ = try close(seen) }
        case .set, .bind: break
        }
    }

    /// True for a file that belongs to a database, and is not changed for others.
    func isOfDatabase(_ place: EntryPlaces.EntryPlace) -> Bool {
        look.isOfDatabase(place.name, in: place.folder, without: control.own)
    }

    /// Throws if files are at a place that would count for a database of its name.
    private func refuseCompanions(of place: EntryPlaces.EntryPlace) throws(StepRefusal) {
        if look.hasCompanions(place.name, in: place.folder) { throw .changed }
    }

    /// Brings a database into its file alone, and finds out if others have it open.
    ///
    /// - Returns: false for another file.
    private func close(_ seen: Expectation) throws(StepRefusal) -> Bool {
        guard seen.form != nil, seen.parent != .parking else { return false }
        let place = try places.place(of: seen)
        guard places.index.file(at: place.file)?.database != nil else {
            guard !isOfDatabase(place) else { throw .name }
            return false
        }
        do {
            try databases.close(place.name, in: place.folder, look)
            return true
        } catch let failure as SystemFailure {
            throw StepRefusal(failure)
        } catch let refusal as StepRefusal {
            throw refusal
        } catch { throw StepRefusal.databaseInUse }
    }
}
