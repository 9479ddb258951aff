import Glibc
import PortolanFiles
import PortolanSyncPlan
import PortolanValues

/// Known entry that a scan has not found at its place.
struct MissingEntry: Sendable {
    var name: SyncName
    var folder: FileHandleID
    var file: KnownFile
    /// Names from the root down to it; nil for a file.
    var path: [SyncName]?
}

/// Results of earlier scans, by which a scan decides if an entry that it has not found is gone.
struct Doubts {
    /// Times of the folders' changes at a look just before; nil for the first look.
    var earlier: [FileHandleID: FileTime]?
    /// Entries that several looks have not found: they are gone, whatever moves.
    var gone: Set<FileHandleID> = []
}

/// Entries that are not at their places: moved, gone, or passed over by the scan.
///
/// An entry that was in the folder when the scan began and was not seen has left some folder before that was read, and
/// thereby changed the folder's status. So if no folder changed during the scan, all that was not found is gone.
extension FolderScan {
    /// Records that a known entry is not at its place.
    mutating func vanish(_ name: SyncName, _ level: Level, _ known: KnownFile?) {
        guard let known else { return }
        if let mark = known.form?.restriction, mark != .everyone, level.placeMarks[name] == nil {
            note(PlaceMark(handle: known.handle, mark: mark, emptied: look.now().seconds), at: name, level)
        }
        let path = known.stamp.kind == .folder ? level.path + [name] : nil
        result.missing.append(MissingEntry(name: name, folder: level.handle, file: known, path: path))
    }

    /// Records an item whose name no item may have. If it is known under another name, it is not gone.
    mutating func passOver(_ listing: DirectoryListing, _ position: Int, _ level: Level) {
        let path = level.path + [SyncName(PathText.text(of: listing[position].name))]
        result.skip(path, .name)
        do throws(SystemFailure) {
            let status = try listing.withName(position) { name throws(SystemFailure) in
                try storage.status(of: name, in: level.descriptor)
            }
            result.held.insert(status.identity.inode)
        } catch {
            if error.number != ENOENT { result.observation.isComplete = false }
        }
    }

    /// Records if a folder that was just read has changed during the scan.
    mutating func noteTime(of level: Level) {
        guard let changed = try? storage.status(of: level.descriptor).changed else {
            result.hasMoved = true
            return
        }
        if result.isWhole { result.folderTimes[level.handle] = changed }
        // The clock of the file system may be another one, so a second look compares its times with each other.
        let isMoved = doubts.earlier.map { ($0[level.handle] ?? changed) != changed } ?? (changed >= start)
        if isMoved { result.hasMoved = true }
    }

    /// Decides which missing entries are gone.
    mutating func settleMissing() throws(SyncError) {
        let missing = result.missing
        result.missing = []
        for entry in missing {
            let handle = entry.file.handle
            if result.arrived.contains(handle) {
                result.lose(entry)
            } else if result.held.contains(handle.number) {
                try keep(entry)
            } else if isDoubtful(handle) {
                result.doubtful.insert(handle)
                try keep(entry)
            } else {
                result.lose(entry)
            }
        }
        // The place of such an entry has an item of another kind, so that it cannot count as unchanged.
        for handle in result.lost.subtracting(result.arrived) where result.held.contains(handle.number) {
            result.observation.isComplete = false
        }
        try withdrawMoved()
        if !result.doubtful.isEmpty { result.isRacy = true }
    }

    private func isDoubtful(_ handle: FileHandleID) -> Bool {
        result.isWhole && result.hasMoved && !doubts.gone.contains(handle)
    }

    /// Leaves out files that were found at a new place and unchanged at their old one: they were moved in between, or
    /// have several names.
    private mutating func withdrawMoved() throws(SyncError) {
        guard result.isWhole, result.hasMoved else { return }
        let strangers = try strangers().filter { isDoubtful($0) && !visited.contains($0) }
        result.withdraw(strangers)
        result.doubtful.formUnion(strangers)
    }

    /// Known files that were found at another place and are not missing at their own.
    private func strangers() throws(SyncError) -> Set<FileHandleID> {
        let new = result.arrived.subtracting(result.lost).subtracting(result.replaced)
        return try index.read { index in new.filter { index.entry(with: $0) != nil } }
    }

    /// Lets an entry that was not found count as unchanged, a folder with its contents.
    private mutating func keep(_ entry: MissingEntry) throws(SyncError) {
        var rest = [entry]
        while let next = rest.popLast() {
            let handle = next.file.handle
            guard !result.arrived.contains(handle), !visited.contains(handle) else { continue }
            if tellsAll {
                result.observation.found.append(
                    ScannedFile(
                        handle: handle, parent: next.folder, name: next.name, kind: next.file.stamp.kind,
                        form: next.file.form, size: next.file.size, metadata: next.file.metadata))
            }
            guard next.file.stamp.kind == .folder, result.keptFolders.insert(handle.number).inserted else { continue }
            rest += try index.read { $0.files(in: handle.number) }
                .map { MissingEntry(name: $0.name, folder: handle, file: $0.file) }
        }
    }

    /// True if the folders that were read contain all differences: no entry has moved between them and other folders,
    /// and no ignore rules have changed.
    func isSelfContained() throws(SyncError) -> Bool {
        guard result.observation.isComplete, !result.changesRules, result.observation.parked.isEmpty else {
            return false
        }
        let found = Set(result.observation.found.map(\.handle))
        guard result.lost.isSubset(of: found) else { return false }
        return try strangers().isEmpty
    }
}

extension FileTime {
    /// The time before a tick of the clock that file systems use for changes of files.
    var beforeTick: FileTime {
        let tick: UInt32 = 10_000_000
        let (seconds, part) =
            nanoseconds >= tick ? (seconds, nanoseconds - tick) : (seconds - 1, nanoseconds + 990_000_000)
        return (try? FileTime(seconds: seconds, nanoseconds: part)) ?? self
    }
}
