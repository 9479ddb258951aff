import Glibc
import PortolanFiles
import PortolanSyncPlan

/// Replacing and removing: the former file goes to the history, if it is still in the state that the planner saw.
extension StepPublisher {
    /// State of a file just before a step.
    private struct FileState {
        var stamp: FileStatusStamp
        /// True if the times do not show a later change.
        var isRacy: Bool
        var form: ContentForm
        /// Extended attributes on the disk.
        var extended: [ExtendedAttribute]
    }

    /// Reads the state just before a step: handle, size, times, and the content if these are not conclusive.
    private func sight(_ place: EntryPlaces.EntryPlace, _ seen: Expectation) throws(StepRefusal) -> FileState {
        let known = places.index.file(at: place.file)
        do throws(SystemFailure) {
            guard let stamp = FileStatusStamp(try storage.status(of: place.name, in: place.folder)),
                stamp.inode == seen.handle.number, let form = seen.form
            else { throw SystemFailure(ENOENT) }
            if let known, known.stamp == stamp, known.handle == seen.handle, known.form == form, !known.isRacy,
                known.database == nil
            {
                return FileState(stamp: stamp, isRacy: stamp.isRacy(at: look.now()), form: form, extended: known.onDisk)
            }
            // On a file system that alters permissions, the known file's permissions differ from those of its form.
            let isKept = known?.form == form && known?.stamp.mode == stamp.mode
            guard case .known(let found) = try look.read(SyncName(place.name), in: place.folder) else {
                throw SystemFailure(ENOENT)
            }
            var read = found.settled(by: known)
            if isKept { read.form?.attributes = form.attributes }
            guard read.handle == seen.handle, read.form == form else { throw SystemFailure(ENOENT) }
            return FileState(stamp: read.stamp, isRacy: read.isRacy, form: form, extended: read.onDisk)
        } catch { throw StepRefusal(error) }
    }

    /// True if the removed file is the one that was read.
    private func isSame(_ name: String, in folder: Descriptor, as sight: FileState) -> Bool {
        do throws(SystemFailure) {
            guard let stamp = FileStatusStamp(try storage.status(of: name, in: folder)),
                stamp.isSameContent(as: sight.stamp),
                try look.extended(of: name, in: folder, stamp.kind) == sight.extended
            else { return false }
            guard sight.isRacy else { return true }
            guard case .known(let read) = try look.read(SyncName(name), in: folder) else { return false }
            return read.form?.digest == sight.form.digest
        } catch { return false }
    }

    // MARK: Steps

    func replace(_ seen: Expectation, _ item: TreeItem, _ staged: StagedFile?) throws(StepRefusal) -> StepEffect {
        guard let staged else { throw .changed }
        try checkLink(staged, item.kind, into: seen.parent)
        try check(seen)
        let place = try places.place(of: seen)
        let sight = try sight(place, seen)
        do throws(SystemFailure) {
            try exchange(staged, place, sight)
            var effect = StepEffect(
                handle: staged.handle, files: [(place.file, try published(staged, place))],
                touched: [place.folder, control.staging, control.history])
            if seen.parent == .parking, staged.shown == nil { effect.files = [(place.file, nil)] }
            do throws(SystemFailure) {
                effect.history = try keep(staged.name, seen, sight, .replaced)
            } catch {
                // Without a place in the history the former file stays in its own.
                try? storage.move(staged.name, in: control.staging, to: place.name, in: place.folder, .exchanging)
                throw error
            }
            return effect
        } catch { throw StepRefusal(error) }
    }

    /// Puts a staged file in the place of another one, which gets its name in the staging folder.
    private func exchange(
        _ staged: StagedFile, _ place: EntryPlaces.EntryPlace, _ sight: FileState
    ) throws(SystemFailure) {
        do throws(SystemFailure) {
            try storage.move(staged.name, in: control.staging, to: place.name, in: place.folder, .exchanging)
        } catch {
            guard error.number == EINVAL else { throw error }
            try exchangeInTwoCalls(staged, place, sight)
            return
        }
        if isSame(staged.name, in: control.staging, as: sight) { return }
        try storage.move(staged.name, in: control.staging, to: place.name, in: place.folder, .exchanging)
        guard case .known(let read) = try look.read(SyncName(staged.name), in: control.staging),
            read.form?.digest == staged.form.digest
        else {
            // The new file was written to while it was in place: the next scan restores it.
            let name = "found-\(String(UInt64.random(in: 0 ... .max), radix: 16))"
            try storage.move(staged.name, in: control.staging, to: name, in: control.staging, .withoutReplacing)
            throw SystemFailure(EEXIST)
        }
        throw SystemFailure(EEXIST)
    }

    private func exchangeInTwoCalls(
        _ staged: StagedFile, _ place: EntryPlaces.EntryPlace, _ sight: FileState
    ) throws(SystemFailure) {
        let old = EntryPlaces.EntryPlace(folder: control.staging, inode: 0, name: "old-\(staged.handle.number)")
        let new = EntryPlaces.EntryPlace(folder: control.staging, inode: 0, name: staged.name)
        try control.moveWithoutReplacing(place, to: old, isFolder: false)
        do throws(SystemFailure) {
            guard isSame(old.name, in: old.folder, as: sight) else { throw SystemFailure(EEXIST) }
            try control.moveWithoutReplacing(new, to: place, isFolder: false)
        } catch {
            // If the name was taken meanwhile, the old file stays parked, and the next scan restores it.
            try? control.moveWithoutReplacing(old, to: place, isFolder: false)
            throw error
        }
        try storage.move(old.name, in: old.folder, to: staged.name, in: control.staging, .withoutReplacing)
    }

    func remove(_ seen: Expectation) throws(StepRefusal) -> StepEffect {
        try check(seen)
        let place = try places.place(of: seen)
        guard seen.form != nil else { return try removeFolder(place, seen) }
        // The deletion counts, and the file goes with its database.
        if isOfDatabase(place) { return StepEffect(files: [(place.file, nil)]) }
        let sight = try sight(place, seen)
        do throws(SystemFailure) {
            var name = place.name
            if seen.parent != .parking {
                name = "old-\(seen.entry.number)-\(String(UInt64.random(in: 0 ... .max), radix: 16))"
                let old = EntryPlaces.EntryPlace(folder: control.staging, inode: 0, name: name)
                try control.moveWithoutReplacing(place, to: old, isFolder: false)
                guard isSame(name, in: control.staging, as: sight) else {
                    try? control.moveWithoutReplacing(old, to: place, isFolder: false)
                    throw SystemFailure(EEXIST)
                }
            }
            let record: HistoryRecord?
            do throws(SystemFailure) {
                record = try keep(name, seen, sight, .deleted)
            } catch {
                let old = EntryPlaces.EntryPlace(folder: control.staging, inode: 0, name: name)
                if seen.parent != .parking { try? control.moveWithoutReplacing(old, to: place, isFolder: false) }
                throw error
            }
            return StepEffect(
                files: [(place.file, nil)], history: record,
                touched: [place.folder, control.staging, control.history])
        } catch { throw StepRefusal(error) }
    }

    private func removeFolder(_ place: EntryPlaces.EntryPlace, _ seen: Expectation) throws(StepRefusal) -> StepEffect {
        do throws(SystemFailure) {
            guard try storage.status(of: place.name, in: place.folder).identity.inode == seen.handle.number else {
                throw SystemFailure(ENOENT)
            }
            try storage.remove(place.name, in: place.folder, isFolder: true)
        } catch {
            if error.number == ENOTEMPTY || error.number == EEXIST { throw .inUse }
            throw StepRefusal(error)
        }
        return StepEffect(files: [(place.file, nil)], touched: [place.folder])
    }

    // MARK: History

    /// Moves a file from the staging folder to the history, or removes it if the history keeps none of its kind.
    private func keep(
        _ name: String, _ seen: Expectation, _ sight: FileState, _ reason: HistoryRecord.Reason
    ) throws(SystemFailure) -> HistoryRecord? {
        let path = (places.index.path(of: seen.parent) ?? []) + [seen.name]
        if GitFolder.isShared(path) {
            try storage.remove(name, in: control.staging)
            return nil
        }
        var record = HistoryRecord(
            at: look.now().seconds, path: path.map(\.text).joined(separator: "/"), kind: sight.stamp.kind, file: "",
            digest: sight.form.digest, size: sight.stamp.size, reason: reason)
        record.file = try control.keep(name)
        return record
    }
}

extension ControlFolder {
    /// Moves a file from the staging folder to the history.
    ///
    /// - Returns: its name there.
    func keep(_ name: String) throws(SystemFailure) -> String {
        let file = String(UInt64.random(in: 0 ... .max), radix: 16)
        do throws(SystemFailure) {
            try storage.move(name, in: staging, to: file, in: history, .withoutReplacing)
        } catch {
            guard error.number == EINVAL else { throw error }
            try storage.move(name, in: staging, to: file, in: history, .replacing)
        }
        return file
    }
}
