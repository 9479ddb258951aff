import Foundation

/// What becomes of the content that a handler gives, before the handler goes on: from then on its file may be gone.
struct Intake<Value: Sendable>: Sendable {
    let data: @Sendable (Data) throws -> Value

    /// Takes a file or folder; `isOpen` if it may be used itself.
    let file: @Sendable (_ file: TransferableFile, _ isOpen: Bool, DiskWork.Stop) throws -> Value
}

extension Intake<Data> {
    /// Bytes; a folder as a zip archive.
    static let bytes = Intake(data: \.self) { file, _, _ in try file.bytes }
}

extension Intake<LoadedFile> {
    /// A file: bytes are written to one, and of a file a copy is made unless it may be used itself and that is wanted.
    ///
    /// Copies are made where those of the current task are made, and counted where they are counted.
    static func file(inPlace: Bool, named name: @escaping @Sendable (URL?) -> String) -> Intake {
        let (base, tally) = (TemporaryFolder.base, CopyTally.current)
        return Intake { data in
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
                stop: stop
            ).make()
            return LoadedFile(url: copy, folder: folder)
        }
    }
}

/// What an item is that was not registered as an object.
enum LoadedItem: Sendable {
    case data(Data)
    case file(URL)
}

extension Intake<LoadedItem> {
    /// The URL of a file that may be used itself, and the bytes of everything else.
    static let item = Intake(data: LoadedItem.data) { file, isOpen, _ in
        isOpen ? .file(file.url) : .data(try file.bytes)
    }
}

/// A file that was loaded: the original, or a copy that goes with its folder.
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
