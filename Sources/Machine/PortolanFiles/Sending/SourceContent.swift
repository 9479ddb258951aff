import Glibc

/// Content that is sent under a name of its own, and opened when its turn comes.
package struct SourceContent: Sendable {
    package let name: FileName
    /// In bytes.
    package let size: UInt64
    /// Opens the content; blocks. Nil if it is not there any more.
    package let open: @Sendable () -> Descriptor?

    package init(name: FileName, size: UInt64, open: @escaping @Sendable () -> Descriptor?) {
        self.name = name
        self.size = size
        self.open = open
    }

    /// The entry of the content in a folder that has nothing else.
    func entry(_ index: UInt32, of item: SourceItem) -> SourceEntry {
        let entry = TreeEntry(
            index: index, parent: 0, name: name, kind: .file(size: size), permissions: 0o600, modified: .epoch)
        return SourceEntry(
            entry: entry, contentSize: size, file: nil, sample: nil, identity: FileIdentity(device: 0, inode: 0),
            place: .content(item, self))
    }

    func file(at place: SourcePlace) throws(FileError) -> SourceFile {
        return try FileError.whileReading(place.shown) { () throws(SystemFailure) in
            guard let file = open() else { throw SystemFailure(ENOENT) }
            let status = try place.item.storage.status(of: file)
            guard status.kind == .file, status.size == size else { throw SystemFailure(ENOENT) }
            return SourceFile(file, status, size: size, at: place)
        }
    }
}
