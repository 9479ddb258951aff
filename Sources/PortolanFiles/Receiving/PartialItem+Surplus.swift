import Glibc
import PortolanTrust

/// Files of a folder that is brought up to date that came from its source earlier and are not in the source any more.
///
/// They stay. They are counted, so that "up to date" does not hide that the two differ.
extension PartialItem {
    /// Counts them in a folder to which all entries have come, folders in it that the source does not have any more included.
    func countSurplus(in folder: ItemFolder, _ state: inout State) throws(FileError) {
        guard let stored = folder.stored, !folder.isLeftOut else { return }
        let directory = try state.folders.descriptor(of: stored)
        state.tally.surplus += surplus(in: directory, depth: folder.depth) { !folder.hasCome($0) }
    }

    /// - Parameter isSurplus: whether the source lacks a name.
    private func surplus(in directory: Descriptor, depth: Int, where isSurplus: (FileName) -> Bool) -> UInt64 {
        // A folder that cannot be listed is no reason to fail: nothing depends on the number.
        guard depth < TreeEntry.maximumFolders, let listing = try? DirectoryListing(of: directory) else { return 0 }
        var count: UInt64 = 0
        for entry in listing {
            guard let name = try? FileName(entry.name), isSurplus(name) else { continue }
            switch (try? directory.status(of: name.text))?.kind {
            case .file: count += wasReceived(name, in: directory) ? 1 : 0
            case .folder:
                let inner = try? Beneath.open(name.text, in: directory, O_RDONLY | O_DIRECTORY, features: features)
                if let inner { count += surplus(in: inner, depth: depth + 1) { _ in true } }
            default: break
            }
        }
        return count
    }

    private func wasReceived(_ name: FileName, in directory: Descriptor) -> Bool {
        guard let file = try? Beneath.openToRead(name.text, in: directory, features: features),
            let status = try? file.status()
        else { return false }
        return ReceivedMark.matches(status.size, status.modified, on: file) != nil
    }
}
