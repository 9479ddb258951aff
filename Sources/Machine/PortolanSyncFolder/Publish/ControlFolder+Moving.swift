import Glibc
import PortolanFiles

extension ControlFolder {
    /// Renames a file if the new name is free, also on file systems that cannot guarantee that in one call.
    func moveWithoutReplacing(
        _ source: EntryPlaces.EntryPlace, to target: EntryPlaces.EntryPlace, isFolder: Bool
    ) throws(SystemFailure) {
        do throws(SystemFailure) {
            try storage.move(source.name, in: source.folder, to: target.name, in: target.folder, .withoutReplacing)
        } catch {
            guard error.number == EINVAL else { throw error }
            if isFolder {
                // rename(2) replaces only an empty folder, and no file by a folder.
                try storage.move(source.name, in: source.folder, to: target.name, in: target.folder, .replacing)
            } else {
                try storage.link(source.name, in: source.folder, as: target.name, in: target.folder)
                try storage.remove(source.name, in: source.folder)
            }
        }
    }
}
