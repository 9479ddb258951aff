import Glibc
import PortolanFiles
import PortolanSyncPlan

extension StepPublisher {
    /// Sets the time of a file or link, or the permissions of a folder, if the disk has the metadata that the planner
    /// saw. What the disk cannot hold counts as held.
    func set(_ seen: Expectation, _ item: TreeItem) throws(StepRefusal) -> StepEffect {
        try check(seen)
        let place = try places.place(of: seen)
        do throws(SystemFailure) {
            let known = places.index.file(at: place.file)
            if let known, known.database != nil {
                // The time of a database is kept in the index: others change the file.
                guard known.handle == seen.handle, known.metadata == seen.metadata, case .time(let time) = item.metadata
                else { throw SystemFailure(ENOENT) }
                var file = known
                file.database?.time = time
                return StepEffect(handle: seen.handle, files: [(place.file, file)])
            }
            guard let known, let before = FileStatusStamp(try storage.status(of: place.name, in: place.folder)),
                before.inode == seen.handle.number, before.metadata == seen.metadata, let wanted = item.metadata,
                before.kind == .folder || before == known.stamp
            else { throw SystemFailure(ENOENT) }
            let changed = try change(place, before, to: wanted)
            guard var stamp = FileStatusStamp(try storage.status(of: place.name, in: place.folder)),
                stamp.inode == before.inode
            else { throw SystemFailure(ENOENT) }
            let isRacy = stamp.kind != .folder
            if stamp.kind == .folder {
                let mode = stamp.mode
                stamp = known.stamp
                stamp.mode = mode
            }
            var file = known
            file.stamp = stamp
            // The new time may hide a change of the content.
            file.isRacy = isRacy
            return StepEffect(handle: seen.handle, files: [(place.file, file)], touched: [changed])
        } catch { throw StepRefusal(error) }
    }

    /// - Returns: what has to be flushed.
    private func change(
        _ place: EntryPlaces.EntryPlace, _ before: FileStatusStamp, to wanted: ItemMetadata
    ) throws(SystemFailure) -> Descriptor {
        let item: Descriptor
        switch before.kind {
        case .folder: item = try storage.openFolder(place.name, in: place.folder)
        case .file: item = try storage.openFile(place.name, in: place.folder)
        case .link: item = place.folder
        }
        if before.kind != .link {
            let status = try storage.status(of: item)
            guard status.identity.inode == before.inode else { throw SystemFailure(ENOENT) }
        }
        do throws(SystemFailure) {
            switch wanted {
            case .permissions(let bits): try storage.setFolderPermissions(bits | 0o500, of: item, before.mode)
            case .time(let time):
                guard let time = FileTime(time) else { return item }
                if before.kind == .link {
                    try storage.setModified(time, ofLink: place.name, in: place.folder)
                } else {
                    try storage.setModified(time, of: item)
                }
            }
        } catch {
            if error.isTrouble { throw error }
        }
        return item
    }
}

extension Storage {
    /// Sets the nine permission bits of a folder. The others are the machine's own, and stay.
    ///
    /// - Parameter mode: present mode.
    func setFolderPermissions(_ bits: UInt16, of folder: Descriptor, _ mode: UInt16) throws(SystemFailure) {
        try setPermissions(mode & 0o7000 | bits & 0o777, of: folder)
    }
}

extension FileTime {
    /// - Returns: nil for a time with more nanoseconds than a second has.
    init?(_ time: ModificationTime) {
        guard let time = try? FileTime(seconds: time.seconds, nanoseconds: time.nanoseconds) else { return nil }
        self = time
    }
}
