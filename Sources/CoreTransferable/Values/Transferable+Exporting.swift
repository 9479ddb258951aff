import Foundation
import UniformTypeIdentifiers

extension Transferable {
    /// The content types that values of this type may be exported as, in declared order; conditions count as met.
    ///
    /// Types whose representation is shown to fewer than `visibility` are left out.
    public static func exportedContentTypes(visibility: TransferRepresentationVisibility = .all) -> [UTType] {
        let forms = (try? listedExports(Trail())) ?? []
        return forms.filter { $0.visibility.level <= visibility.level }.map(\.contentType)
    }

    /// The content types that this value can be exported as, in declared order.
    public func exportedContentTypes(_ visibility: TransferRepresentationVisibility = .all) -> [UTType] {
        let forms = (try? exportableRepresentations()) ?? []
        return forms.filter { $0.visibility.level <= visibility.level }.map(\.contentType)
    }

    /// The file name, with extension, that this value suggests: the last one in its representation.
    public var suggestedFilename: String? {
        (try? exports(Trail()))?.last { $0.suggestedFileName != nil }?.suggestedFileName
    }

    /// The bytes of the first representation whose content type conforms to `contentType`; of the first one if it is
    /// nil.
    ///
    /// A representation that is a file is read into memory whole.
    /// - Throws: what the exporter throws, or an error naming what is offered where nothing conforms.
    public func exported(as contentType: UTType?) async throws -> Data {
        switch try await export(conformingTo: contentType).payload {
        case .data(let data): data
        case .file(let sent): try contents(of: sent.file)
        }
    }

    /// Writes the first representation that conforms to `contentType` into a folder and says where. The file is the
    /// caller's. It has the suggested name, with a number added where that is taken.
    public func export(to destinationDirectory: URL, contentType: UTType?) async throws -> URL {
        let export = try await export(conformingTo: contentType)
        return try export.write(into: destinationDirectory)
    }

    /// Calls `fileHandler` with the first representation that conforms to `contentType` as a file, which is gone
    /// afterwards. It is the exporter's own file only where the exporter allows that.
    ///
    /// The handler runs where the caller does; the file is made elsewhere.
    nonisolated(nonsending) public func withExportedFile<Result>(
        contentType: UTType?, fileHandler: (URL) async throws -> Result
    ) async throws -> Result {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        return try await fileHandler(exportedFile(conformingTo: contentType, in: folder))
    }

    private func exportedFile(conformingTo contentType: UTType?, in folder: TemporaryFolder) async throws -> URL {
        let export = try await export(conformingTo: contentType)
        if case .file(let sent) = export.payload, sent.allowAccessingOriginalFile { return sent.file }
        return try export.write(into: folder.url)
    }

    private func export(conformingTo contentType: UTType?) async throws -> Export {
        let forms = try exportableRepresentations()
        guard let form = forms.first(where: { form in contentType.map(form.contentType.conforms(to:)) ?? true }) else {
            throw TransferError.notOffered(contentType, by: Self.self, offering: forms)
        }
        return Export(form: form, payload: try await form.export())
    }
}

/// What an exporter made, and the form it was made for.
private struct Export {
    let form: ExportableRepresentation
    let payload: ExportedPayload

    func write(into folder: URL) throws -> URL {
        switch payload {
        case .data(let data):
            let file = try freeURL(in: folder, isDirectory: false)
            try data.write(to: file, options: .withoutOverwriting)
            return file
        case .file(let sent):
            guard sent.file.isFileURL else { throw TransferError.notAFile(sent.file) }
            let copy = try freeURL(in: folder, isDirectory: sent.file.hasDirectoryPath)
            try FileManager.default.copyItem(at: sent.file, to: copy)
            return copy
        }
    }

    /// A place in the folder under the export's name, with a number added where that is taken.
    private func freeURL(in folder: URL, isDirectory: Bool) throws -> URL {
        guard folder.isFileURL else { throw TransferError.notAFile(folder) }
        let wanted = NSString(string: name)
        let ending = wanted.pathExtension.isEmpty ? "" : ".\(wanted.pathExtension)"
        var candidate = name
        var number = 2
        while FileManager.default.fileExists(atPath: folder.appendingPathComponent(candidate).path) {
            candidate = "\(wanted.deletingPathExtension) (\(number))\(ending)"
            number += 1
        }
        return folder.appendingPathComponent(candidate, isDirectory: isDirectory)
    }

    private var name: String {
        var names = [form.suggestedFileName]
        if case .file(let sent) = payload { names.append(sent.file.lastPathComponent) }
        return names.compactMap(\.self).first(where: isFileName) ?? form.contentType.fileName(for: "item")
    }

    /// Whether a suggestion names a file in the folder and not a place elsewhere.
    private func isFileName(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && !name.unicodeScalars.contains { $0 == "/" || $0 == "\0" }
    }
}
