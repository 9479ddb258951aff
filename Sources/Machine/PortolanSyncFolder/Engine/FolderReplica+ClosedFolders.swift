import Glibc
import PortolanFiles
import PortolanSyncPlan

/// Folders that their owner may not write to, such as one of mode 0555, while steps change what is in them.
extension FolderReplica {
    /// Permission of the owner to write.
    private static let writing: UInt16 = 0o200

    /// Lets the owner write to the folders that steps change. A later step of the planner, which sees the difference
    /// from the records, closes them again.
    ///
    /// The index gets the permissions first: if the process ends between the two, a scan finds either these, or those
    /// of the records, and takes neither for a change by a person.
    func openClosedFolders(_ steps: [SyncStep], _ folder: OpenFolder) throws {
        let closed = try index.read { index in
            let publisher = self.publisher(folder, in: index)
            var closed: Set<EntryID> = []
            for step in steps {
                let folders = step.changedFolders(in: index).filter { index.isClosed($0) }
                // Opening for a step that is refused would be an event, upon which the step is tried again.
                guard !folders.isEmpty, self.isPossible(step, publisher) else { continue }
                closed.formUnion(folders)
            }
            return closed.sorted()
        }
        guard !closed.isEmpty else { return }
        try index.transact { index in
            for id in closed {
                guard var entry = index.entry(id), let bits = entry.onDisk?.permissions else { continue }
                entry.metadata = .permissions(bits | Self.writing)
                entry.shown = nil
                index.set(entry)
                index.mark(entry.seen.map(\.node))
            }
        }
        try index.read { index in
            let places = self.publisher(folder, in: index).places
            for id in closed {
                // A step in a folder that stays closed says why it was not done.
                guard let descriptor = try? places.open(id), let mode = try? storage.status(of: descriptor).mode else {
                    continue
                }
                try? storage.setFolderPermissions(mode | Self.writing, of: descriptor, mode)
            }
        }
    }

    /// True if only the permissions of folders of this user may be in the way of a step.
    private func isPossible(_ step: SyncStep, _ publisher: StepPublisher) -> Bool {
        let (places, user) = (publisher.places, geteuid())
        func isOwn(_ folder: Descriptor) -> Bool {
            guard let owner = try? storage.status(of: folder).owner else { return false }
            return user == 0 || owner == user
        }
        func isFree(_ target: StepTarget, _ entry: EntryID?) -> Bool {
            guard let place = try? places.place(target, for: entry) else { return false }
            return isOwn(place.folder) && (try? storage.status(of: place.name, in: place.folder)) == nil
        }
        func isThere(_ seen: Expectation) -> Bool {
            guard let place = try? places.place(of: seen), isOwn(place.folder) else { return false }
            return (try? storage.status(of: place.name, in: place.folder).identity.inode) == seen.handle.number
        }
        switch step {
        case .makeFolder(_, let target), .place(_, let target): return isFree(target, nil)
        case .replace(let seen, _), .park(let seen): return isThere(seen)
        case .move(let seen, let target, _): return isThere(seen) && isFree(target, seen.entry)
        case .remove(let seen):
            guard isThere(seen) else { return false }
            guard seen.form == nil else { return true }
            guard let removed = try? places.open(seen.entry) else { return false }
            return (try? opener.isEmpty(removed)) ?? false
        case .set, .bind: return true
        }
    }
}

extension StoredIndex {
    /// True for a folder that the owner may not write to, and whose permissions the records have.
    fileprivate func isClosed(_ id: EntryID) -> Bool {
        guard id != .root, let entry = entry(id), let bits = entry.onDisk?.permissions, bits & 0o200 == 0 else {
            return false
        }
        return entry.seen.contains { record($0.node)?.permissions != nil }
    }
}

extension SyncStep {
    /// Folders with names that the step adds or removes. A folder that moves to another one changes, too.
    fileprivate func changedFolders(in index: StoredIndex) -> [EntryID] {
        switch self {
        case .makeFolder(_, let target), .place(_, let target): return [target.parent]
        case .replace(let seen, _), .remove(let seen): return [seen.parent]
        case .move(let seen, let target, _): return [seen.parent, target.parent] + moved(seen)
        case .park(let seen): return [seen.parent] + moved(seen)
        case .set, .bind: return []
        }
    }

    private func moved(_ seen: Expectation) -> [EntryID] { seen.form == nil ? [seen.entry] : [] }
}
