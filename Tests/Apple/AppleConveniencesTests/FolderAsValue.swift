import AppleConveniences
import Foundation

/// A document that is a folder: its text in one file, its pictures in a folder beside it.
func document(_ text: String, pictures: [String: Data]) -> FileWrapper {
    let folder = FileWrapper(
        directoryWithFileWrappers: pictures.mapValues { FileWrapper(regularFileWithContents: $0) })
    return FileWrapper(directoryWithFileWrappers: [
        "text.md": FileWrapper(regularFileWithContents: Data(text.utf8)), "pictures": folder,
    ])
}

/// Stores a document, and returns the names of its stored pictures.
func store(_ document: FileWrapper, at place: URL) throws -> [String] {
    try document.write(to: place, options: .atomic, originalContentsURL: nil)
    let stored = try FileWrapper(url: place)
    return (stored.fileWrappers?["pictures"]?.fileWrappers ?? [:]).keys.sorted()
}
