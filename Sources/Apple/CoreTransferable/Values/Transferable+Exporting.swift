extension Transferable {
    /// The content types that values of this type may be exported as, in declared order; conditions count as met.
    ///
    /// Types whose representation is shown to fewer than `visibility` are left out.
    public static func exportedContentTypes(visibility: TransferRepresentationVisibility = .all) -> [UTType] {
        let forms = (try? listedExports(RepresentationPath())) ?? []
        return forms.filter { $0.visibility.level <= visibility.level }.map(\.contentType)
    }

    /// The content types that this value can be exported as, in declared order.
    public func exportedContentTypes(_ visibility: TransferRepresentationVisibility = .all) -> [UTType] {
        let forms = (try? exportableRepresentations()) ?? []
        return forms.filter { $0.visibility.level <= visibility.level }.map(\.contentType)
    }

    /// The file name, with extension, that this value suggests: the last one in its representation.
    public var suggestedFilename: String? {
        (try? exports(RepresentationPath()))?.last { $0.suggestedFileName != nil }?.suggestedFileName
    }

    /// The bytes of the first representation whose content type conforms to `contentType`; of the first one if it is
    /// nil.
    ///
    /// A representation that is a file is read into memory whole; a folder has no bytes.
    /// - Throws: the error of the exporter, unchanged; ``TransferError`` with the offered types if none conforms, or
    ///   with the defect of the exporter's file.
    public func exported(as contentType: UTType?) async throws -> Data {
        switch try await export(conformingTo: contentType).payload {
        case .data(let data): data
        case .file(let sent): try await TransferableFile(sent.file).contents()
        }
    }

    /// Writes the first representation that conforms to `contentType` into a folder and returns its URL. The file
    /// belongs to the caller. It has the suggested name, with a number added where that is taken.
    /// - Throws: as ``exported(as:)`` does, and ``TransferError`` where the folder does not take the file.
    public func export(to destinationDirectory: URL, contentType: UTType?) async throws -> URL {
        let export = try await export(conformingTo: contentType)
        return try await export.write(into: destinationDirectory)
    }

    /// Calls `fileHandler` with the first representation that conforms to `contentType` as a file, which is removed
    /// afterwards. It is the exporter's own file only where the exporter allows that.
    ///
    /// The handler runs where the caller does; the file is made elsewhere.
    /// - Throws: as ``exported(as:)`` does, and the error of the handler.
    nonisolated(nonsending) public func withExportedFile<Result>(
        contentType: UTType?, fileHandler: (URL) async throws -> Result
    ) async throws -> Result {
        let export = try await export(conformingTo: contentType)
        if case .file(let sent) = export.payload, sent.allowAccessingOriginalFile {
            return try await fileHandler(sent.file)
        }
        let folder = try export.temporaryFolder()
        defer { folder.remove() }
        return try await fileHandler(export.write(into: folder.url))
    }

    private func export(conformingTo contentType: UTType?) async throws -> Export {
        let forms = try exportableRepresentations()
        guard let form = forms.first(where: { form in contentType.map(form.contentType.conforms(to:)) ?? true }) else {
            throw TransferError.notOffered(contentType, by: Self.self, offering: forms)
        }
        return Export(form: form, payload: try await waiting { try await form.export() })
    }
}

/// Payload of an exporter, and its form.
private struct Export: Sendable {
    let form: ExportableRepresentation
    let payload: ExportedPayload

    func temporaryFolder() throws -> TemporaryFolder {
        switch payload {
        case .data: try TemporaryFolder()
        case .file(let sent): try TemporaryFolder(for: sent.file)
        }
    }

    func write(into folder: URL) async throws -> URL {
        guard try TransferableFile(folder).isFolder else {
            throw TransferError.fileSystem(folder.path, "used as a folder", ENOTDIR)
        }
        switch payload {
        case .data(let data):
            let file = freeURL(in: folder, isDirectory: false)
            return try await DiskWork.run { _ in try data.written(to: file) }
        case .file(let sent):
            let source = try TransferableFile(sent.file, as: form.contentType)
            let copy = freeURL(in: folder, isDirectory: source.isFolder)
            try await source.copy(to: copy)
            return copy
        }
    }

    /// Returns a free path in the folder for the export's name, with a number if the name is taken.
    private func freeURL(in folder: URL, isDirectory: Bool) -> URL {
        var name = FittedName(name)
        while isTaken(folder.appendingPathComponent(name.text).path) { name.number += 1 }
        return folder.appendingPathComponent(name.text, isDirectory: isDirectory)
    }

    /// True if the name exists; a link without a target counts.
    private func isTaken(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    private var name: String {
        var names = [form.suggestedFileName]
        if case .file(let sent) = payload { names.append(sent.file.lastPathComponent) }
        return names.compactMap(\.self).first(where: FittedName.isName) ?? form.contentType.fileName(for: "item")
    }
}
