import Glibc

/// Surplus files of an updated folder: an earlier transfer stored them, and this one did not contain them.
///
/// They stay, and are counted, to show that the two sides differ.
struct SurplusFiles: Sendable {
    let features: KernelFeatures

    /// Counts surplus files in a complete folder, and in its subfolders that were not announced.
    ///
    /// A folder that cannot be opened or listed is skipped, since nothing depends on the number.
    func count(in folder: ItemFolder, _ opened: OpenFolders) -> UInt64 {
        // A folder with more names than are remembered has unknown surplus files.
        guard let stored = folder.stored, !folder.isLeftOut, folder.remembersAllNames,
            let directory = try? opened.descriptor(of: stored)
        else { return 0 }
        return count(in: directory, depth: folder.depth) { listing, index in
            // Most names were received unchanged, and need no examination.
            if listing.withBytes(index, folder.hasCome) { return nil }
            guard let name = try? listing.fileName(index), !folder.hasCome(name) else { return nil }
            return name
        }
    }

    /// Names that are read at a time.
    private static let chunk = 1024

    /// - Parameter surplus: the name at an index of a listing; nil if an entry of that name was received.
    private func count(
        in directory: Descriptor, depth: Int, _ surplus: (DirectoryListing, Int) -> FileName?
    ) -> UInt64 {
        guard depth < TreeEntry.maximumFolders, var reader = try? DirectoryReader(of: directory) else { return 0 }
        let buffer = DirectoryReader.Buffer()
        var sum: UInt64 = 0
        while !reader.isAtEnd, let listing = try? reader.next(Self.chunk, through: buffer) {
            for index in 0..<listing.count {
                guard let name = surplus(listing, index) else { continue }
                switch (try? directory.status(of: name.text))?.kind {
                case .file: sum += wasReceived(name, in: directory) ? 1 : 0
                case .folder:
                    let inner = try? Beneath.open(name.text, in: directory, O_RDONLY | O_DIRECTORY, features: features)
                    if let inner { sum += count(in: inner, depth: depth + 1) { try? $0.fileName($1) } }
                default: break
                }
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
