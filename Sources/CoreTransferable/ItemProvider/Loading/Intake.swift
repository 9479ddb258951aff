import Foundation

/// What becomes of the content that a handler gives, before the handler goes on: from then on its file may be gone.
struct Intake<Value: Sendable>: Sendable {
    let data: @Sendable (Data) throws -> Value

    /// Takes a file or folder; `isOpen` if it may be used itself.
    let file: @Sendable (_ file: TransferableFile, _ isOpen: Bool) throws -> Value
}

extension Intake<Data> {
    /// Bytes; a folder as a zip archive.
    static let bytes = Intake(data: \.self) { file, _ in try file.bytes }
}

extension Intake<LoadedFile> {
    /// A file: bytes are written to one, and of a file a copy is made unless it may be used itself and that is wanted.
    static func file(inPlace: Bool, named name: @escaping @Sendable (URL?) -> String) -> Intake {
        Intake { data in
            let folder = try TemporaryFolder()
            let holder = LoadedFile.Holder(folder)
            return LoadedFile(url: try folder.write(data, named: name(nil)), isOriginal: false, holder: holder)
        } file: { file, isOpen in
            if inPlace, isOpen { return LoadedFile(url: file.url, isOriginal: true, holder: nil) }
            let folder = try TemporaryFolder()
            let holder = LoadedFile.Holder(folder)
            let copy = try folder.copy(file.url.resolvingSymlinksInPath(), named: name(file.url))
            return LoadedFile(url: copy, isOriginal: false, holder: holder)
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
    static let item = Intake(data: LoadedItem.data) { file, isOpen in
        isOpen ? .file(file.url) : .data(try file.bytes)
    }
}

/// A file that was loaded. A copy goes with the last reference to this, or before.
struct LoadedFile: Sendable {
    let url: URL
    let isOriginal: Bool
    fileprivate let holder: Holder?

    /// Removes the file if it is a copy.
    func discard() {
        holder?.folder.remove()
    }

    fileprivate final class Holder: Sendable {
        let folder: TemporaryFolder

        init(_ folder: TemporaryFolder) {
            self.folder = folder
        }

        deinit {
            folder.remove()
        }
    }
}

extension TransferableFile {
    /// The bytes of a file; of a folder, those of a zip archive of it.
    fileprivate var bytes: Data {
        get throws { isFolder ? try zippedContents(ofFolder: url) : try contents() }
    }
}
