import Foundation
import UniformTypeIdentifiers

extension Transferable {
    /// The content types that values of this type can be made from, in declared order.
    public static func importedContentTypes() -> [UTType] {
        importableRepresentations().map(\.contentType)
    }

    /// The content types that values of this type can be made from, in declared order.
    public func importedContentTypes() -> [UTType] {
        Self.importedContentTypes()
    }

    /// Makes a value from bytes.
    ///
    /// Only representations that declare exactly `contentType` are tried; with nil all are, in declared order, until
    /// one accepts.
    /// - Throws: what the first importer tried threw, or an error naming what is accepted where none was.
    public init(importing data: Data, contentType: UTType?) async throws {
        let forms = try Self.imports(Trail())
        let candidates = contentType.map { type in forms.filter { $0.contentType == type } } ?? forms
        self =
            try await Self.first(of: candidates, taking: .data(data))
            ?? { throw TransferError.notImportable(contentType, as: Self.self, accepting: forms.map(\.contentType)) }()
    }

    /// Makes a value from a file or folder.
    ///
    /// Only representations that declare exactly `contentType` are tried. With nil the file's extension says what it
    /// is: representations of that type come first, then those it conforms to, then the others. Unless the
    /// representation asks to open files in place it is given a copy.
    /// - Throws: what the first importer tried threw, or an error naming what is accepted where none was.
    public init(importing file: URL, contentType: UTType?) async throws {
        guard file.isFileURL else { throw TransferError.notAFile(file) }
        let forms = try Self.imports(Trail())
        let candidates: [ImportableRepresentation<Self>]
        if let contentType {
            candidates = forms.filter { $0.contentType == contentType }
        } else if let guessed = contentTypeByName(of: file) {
            let exact = forms.filter { $0.contentType == guessed }
            let broader = forms.filter { guessed.isSubtype(of: $0.contentType) }
            candidates = exact + broader + forms.filter { !guessed.conforms(to: $0.contentType) }
        } else {
            candidates = forms
        }
        self =
            try await Self.first(of: candidates, taking: .file(file, isOriginal: true))
            ?? { throw TransferError.notImportable(contentType, as: Self.self, accepting: forms.map(\.contentType)) }()
    }

    /// The value that the first willing candidate makes; nil if there are no candidates.
    private static func first(
        of candidates: [ImportableRepresentation<Self>], taking payload: ImportedPayload
    ) async throws -> Self? {
        var firstError: (any Error)?
        for candidate in candidates {
            do {
                return try await candidate.importing(payload)
            } catch {
                firstError = firstError ?? error
            }
        }
        if let firstError { throw firstError }
        return nil
    }
}

/// What a file is by its extension, or because it is a folder; nil where neither says.
private func contentTypeByName(of file: URL) -> UTType? {
    var isFolder: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder)
    let byExtension = UTType(
        filenameExtension: file.pathExtension, conformingTo: isFolder.boolValue ? .directory : .data)
    if let byExtension, byExtension.isDeclared { return byExtension }
    return isFolder.boolValue ? .folder : nil
}
