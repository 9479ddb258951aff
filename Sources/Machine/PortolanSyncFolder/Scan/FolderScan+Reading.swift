import Glibc
import PortolanFiles
import PortolanSyncPlan

extension FolderScan {
    /// Reads a file, unless it is being written.
    mutating func read(
        _ name: SyncName, _ level: Level, _ stamp: FileStatusStamp, _ known: KnownFile?
    ) throws(SystemFailure) -> FileLook.Outcome {
        guard stamp.kind == .file else { return try look.read(name, in: level.descriptor) }
        do throws(SystemFailure) {
            let file = try storage.openFile(name.text, in: level.descriptor)
            guard let stamp = FileStatusStamp(try storage.status(of: file)), stamp.kind == .file else { return .gone }
            let handle = FileHandleID(stamp.inode, generation: storage.generation(of: file))
            let isDatabase = try look.isDatabase(file)
            let isWritten = isDatabase ? nil : storage.isWritten(file)
            let before = known?.handle == handle ? known?.stamp : nil
            if isDatabase, let known, known.handle == handle, known.database != nil,
                !unsettled.mayRead(database: handle, in: level.path, at: look.now())
            {
                return .known(known)
            }
            guard
                isDatabase || GitFolder.isShared(level.path)
                    || unsettled.mayAnnounce(
                        handle, stamp, isWritten: isWritten, known: before, in: level.path, at: look.now())
            else { return .busy }
            if !level.isParked, let mark = try settleMark(of: file, handle, name, level, known) {
                note(PlaceMark(handle: handle, birth: storage.birth(of: file), mark: mark), at: name, level)
                return .marked(mark)
            }
            let outcome =
                try isDatabase
                ? readDatabase(name, level, handle, known) : look.read(file, mayGrow: isWritten != false)
            // A mark may have come meanwhile.
            if !level.isParked, case .known(let read) = outcome, let mark = read.form?.restriction, !isShown(mark) {
                note(PlaceMark(handle: handle, birth: storage.birth(of: file), mark: mark), at: name, level)
                return .marked(mark)
            }
            return outcome
        } catch {
            guard [ENOENT, ELOOP, ENXIO].contains(error.number) else { throw error }
            return .gone
        }
    }
}
