import Glibc
import PortolanFiles
import PortolanSyncPlan

/// Does steps on the disk. Each is one rename between two checks, so that a crash leaves it done or not done, and a
/// concurrent change by a person is restored.
struct StepPublisher {
    let places: EntryPlaces
    let look: FileLook
    let databases: DatabaseWriter

    var control: ControlFolder { places.control }
    var storage: any Storage { control.storage }
    private var index: StoredIndex { places.index }

    /// - Parameter staged: content of the step, if it has any.
    func run(_ step: SyncStep, _ staged: StagedFile?) throws(StepRefusal) -> StepEffect {
        try guardRepositories(step)
        try guardDatabases(step, staged)
        return switch step {
        case .makeFolder(let item, let target): try makeFolder(item, target)
        case .place(let item, let target): try place(item, target, staged)
        case .replace(let seen, let item): try replace(seen, item, staged)
        case .move(let seen, let target, _): try move(seen, to: places.place(target, for: seen.entry))
        case .park(let seen): try park(seen)
        case .set(let seen, let item): try set(seen, item)
        case .remove(let seen): try remove(seen)
        case .bind: StepEffect()
        }
    }

    /// Checks if a step is possible, before its content is requested.
    func prepare(_ step: SyncStep) throws(StepRefusal) {
        switch step {
        case .place(_, let target):
            let place = try places.place(target, for: nil)
            if (try? storage.status(of: place.name, in: place.folder)) != nil { throw .changed }
        case .replace(let seen, _): try check(seen)
        case .makeFolder, .move, .park, .set, .remove, .bind: break
        }
    }

    /// True if the index has the entry in the state that the planner saw.
    func check(_ seen: Expectation) throws(StepRefusal) {
        guard let entry = index.entry(seen.entry), entry.parent == seen.parent, entry.name == seen.name,
            entry.handle == seen.handle, entry.form == seen.form
        else { throw .outdated }
    }

    // MARK: New files

    /// Makes a folder for its owner alone; a later step gives it its permissions.
    private func makeFolder(_ item: TreeItem, _ target: StepTarget) throws(StepRefusal) -> StepEffect {
        let place = try places.place(target, for: nil)
        do throws(SystemFailure) {
            try storage.makeFolder(place.name, in: place.folder, mode: item.metadata == nil ? 0o777 : 0o700)
            let folder = try storage.openFolder(place.name, in: place.folder)
            guard let stamp = FileStatusStamp(try storage.status(of: folder)) else { throw SystemFailure(ENOTDIR) }
            let file = KnownFile(stamp: stamp, generation: storage.generation(of: folder), isRacy: false, form: nil)
            return StepEffect(handle: file.handle, files: [(place.file, file)], touched: [place.folder])
        } catch { throw StepRefusal(error) }
    }

    private func place(_ item: TreeItem, _ target: StepTarget, _ staged: StagedFile?) throws(StepRefusal) -> StepEffect
    {
        guard let staged else { throw .changed }
        try checkLink(staged, item.kind, into: target.parent)
        let place = try places.place(target, for: nil)
        do throws(SystemFailure) {
            try control.moveWithoutReplacing(
                EntryPlaces.EntryPlace(folder: control.staging, inode: 0, name: staged.name), to: place, isFolder: false
            )
            // A name that comes back in the staging folder after a loss of power is removed at the next start.
            return StepEffect(
                handle: staged.handle, files: [(place.file, try published(staged, place))], touched: [place.folder])
        } catch { throw StepRefusal(error) }
    }

    /// Returns the state of a file that was just published; nil if another file has replaced it.
    func published(_ staged: StagedFile, _ place: EntryPlaces.EntryPlace) throws(SystemFailure) -> KnownFile? {
        guard let stamp = FileStatusStamp(try storage.status(of: place.name, in: place.folder)),
            stamp.inode == staged.handle.number
        else { return nil }
        return KnownFile(
            stamp: stamp, generation: staged.handle.generation, isRacy: stamp.isRacy(at: look.now()),
            form: staged.form, shown: staged.shown, database: staged.isDatabase ? state(stamp, place) : nil)
    }

    /// State of a database that was just published.
    private func state(_ stamp: FileStatusStamp, _ place: EntryPlaces.EntryPlace) -> DatabaseState? {
        guard case .time(let time) = stamp.metadata else { return nil }
        let companions = DatabaseCompanions(place.name, in: place.folder, storage, now: look.now())
        return DatabaseState(size: stamp.size, time: time, companions: companions.fingerprint)
    }

    // MARK: Moves

    private func park(_ seen: Expectation) throws(StepRefusal) -> StepEffect {
        let inode: UInt64
        do throws(SystemFailure) {
            inode = try storage.status(of: control.staging).identity.inode
        } catch { throw StepRefusal(error) }
        let name = "parked-\(seen.entry.number)-\(String(UInt64.random(in: 0 ... .max), radix: 16))"
        return try move(seen, to: EntryPlaces.EntryPlace(folder: control.staging, inode: inode, name: name))
    }

    private func move(_ seen: Expectation, to target: EntryPlaces.EntryPlace) throws(StepRefusal) -> StepEffect {
        try check(seen)
        let source = try places.place(of: seen)
        do throws(SystemFailure) {
            let status = try storage.status(of: source.name, in: source.folder)
            // A path to the program's own files leads through the folder.
            guard !control.own.areBelow(status.identity), !control.leavesOut(SyncName(source.name), status.identity)
            else {
                throw SystemFailure(EBUSY)
            }
            let before = FileStatusStamp(status)
            guard let before, before.inode == seen.handle.number else { throw SystemFailure(ENOENT) }
            try control.moveWithoutReplacing(source, to: target, isFolder: before.kind == .folder)
            let after = FileStatusStamp(try storage.status(of: target.name, in: target.folder))
            guard let after, after.inode == before.inode else {
                try? storage.move(target.name, in: target.folder, to: source.name, in: source.folder, .withoutReplacing)
                throw SystemFailure(ENOENT)
            }
            // The moved file is recorded at once, so that ignore rules do not apply to it. The next scan reads it,
            // since it may have changed.
            let known = index.file(at: source.file)
            // A change of the metadata since the last scan is left to the next one.
            var stamp = after
            if let known, after.kind == .folder { stamp.mode = known.stamp.mode }
            if let known, after.kind != .folder { stamp.modified = known.stamp.modified }
            let file = KnownFile(
                stamp: stamp, generation: seen.handle.generation, isRacy: after.kind != .folder, form: seen.form,
                shown: known?.form == seen.form ? known?.shown : nil)
            // Each scan reads parked files, without the attributes that the disk did not store.
            let isRead = target.folder === control.staging && file.shown == nil
            return StepEffect(
                files: [(source.file, nil)] + (isRead ? [] : [(target.file, file)]),
                touched: [target.folder, source.folder])
        } catch { throw StepRefusal(error) }
    }
}
