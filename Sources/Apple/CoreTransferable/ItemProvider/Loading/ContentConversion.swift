/// Conversion of a handler's content before the handler continues, since its file may be removed afterwards.
struct ContentConversion<Value: Sendable>: Sendable {
    let data: @Sendable (Data) throws -> Value

    /// Converts a file or folder; `isOpen` is true if the original may be used.
    let file: @Sendable (_ file: TransferableFile, _ isOpen: Bool, DiskWork.Stop) throws -> Value
}

extension ContentConversion<Data> {
    /// Takes bytes; a folder as a zip archive.
    static let bytes = ContentConversion(data: \.self) { file, _, _ in try file.bytes }
}

extension ContentConversion<LoadedFile> {
    /// Takes a file: bytes are written to a file; a file is copied unless the original may be used and is wanted.
    ///
    /// Copies go to the base folder of the current task, and count in its tally.
    ///
    /// - Parameter progress: shows how much of a file is copied.
    static func file(
        inPlace: Bool, named name: @escaping @Sendable (URL?) -> String, showing progress: LoadProgress? = nil
    ) -> ContentConversion {
        let (base, tally) = (TemporaryFolder.base, CopyTally.current)
        return ContentConversion { data in
            let folder = try TemporaryFolder.$base.withValue(base) { try TemporaryFolder() }
            let file = folder.url.appendingPathComponent(name(nil), isDirectory: false)
            try data.write(to: file, options: .withoutOverwriting)
            return LoadedFile(url: file, folder: folder)
        } file: { file, isOpen, stop in
            if inPlace, isOpen { return LoadedFile(url: file.url, folder: nil) }
            let folder = try TemporaryFolder.$base.withValue(base) { try TemporaryFolder(for: file.url) }
            let copy = folder.url.appendingPathComponent(name(file.url), isDirectory: file.isFolder)
            try FileCopy(
                source: file.path, destination: copy.path, mayLink: TemporaryFolder.holds(file.url), tally: tally,
                onCopy: file.isFolder ? nil : progress?.copied, stop: stop
            ).make()
            return LoadedFile(url: copy, folder: folder)
        }
    }
}

/// Item that was not registered as an object.
enum LoadedItem: Sendable {
    case data(Data)
    case file(URL)
}

extension ContentConversion<LoadedItem> {
    /// Takes the URL of a file if the original may be used, and the bytes of all other content.
    static let item = ContentConversion(data: LoadedItem.data) { file, isOpen, _ in
        isOpen ? .file(file.url) : .data(try file.bytes)
    }
}

/// A loaded file: the original, or a copy that is removed with its folder.
struct LoadedFile: Sendable {
    let url: URL
    fileprivate(set) var folder: TemporaryFolder?

    var isOriginal: Bool { folder == nil }

    /// Removes the file if it is a copy.
    func discard() {
        folder?.remove()
    }
}

extension TransferableFile {
    /// The bytes of a file; of a folder, those of a zip archive of it.
    fileprivate var bytes: Data {
        get throws { isFolder ? try zippedContents(ofFolder: url) : try Data(contentsOf: url) }
    }
}
