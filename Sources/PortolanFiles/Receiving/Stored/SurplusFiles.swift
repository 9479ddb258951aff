import Glibc

/// Surplus files of a folder that is brought up to date: they came from its source earlier and did not come this time.
///
/// They stay, and are counted, so that "up to date" does not hide that the two sides differ.
struct SurplusFiles: Sendable {
    let features: KernelFeatures

    /// Counts surplus files in a folder to which all entries have come, and in folders in it that did not come.
    ///
    /// A folder that cannot be opened or listed is no reason to fail: nothing depends on the number.
    func count(in folder: ItemFolder, _ opened: OpenFolders) -> UInt64 {
        guard let stored = folder.stored, !folder.isLeftOut, let directory = try? opened.descriptor(of: stored) else {
            return 0
        }
        return count(in: directory, depth: folder.depth) { !folder.hasCome($0) }
    }

    /// - Parameter isSurplus: whether no entry of a name came.
    private func count(in directory: Descriptor, depth: Int, where isSurplus: (FileName) -> Bool) -> UInt64 {
        guard depth < TreeEntry.maximumFolders, let listing = try? DirectoryListing(of: directory) else { return 0 }
        var sum: UInt64 = 0
        for entry in listing {
            guard let name = try? FileName(entry.name), isSurplus(name) else { continue }
            switch (try? directory.status(of: name.text))?.kind {
            case .file: sum += wasReceived(name, in: directory) ? 1 : 0
            case .folder:
                let inner = try? Beneath.open(name.text, in: directory, O_RDONLY | O_DIRECTORY, features: features)
                if let inner { sum += count(in: inner, depth: depth + 1) { _ in true } }
            default: break
            }
        }
        return sum
    }

    private func wasReceived(_ name: FileName, in directory: Descriptor) -> Bool {
        guard let file = try? Beneath.openToRead(name.text, in: directory, features: features),
            let status = try? file.status()
        else { return false }
        return ReceivedMark.matches(status.size, status.modified, on: file) != nil
    }
}
