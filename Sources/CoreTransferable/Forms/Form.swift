import Foundation

/// A single form of an item: one content type, bytes or a file, and the ways there and back that exist.
struct Form<Item: Transferable>: Sendable {
    let contentType: UTType
    let isFile: Bool
    let exporter: (@Sendable (Item) async throws -> ExportedPayload)?
    let importer: (@Sendable (ImportedPayload) async throws -> Item)?
}

extension Form {
    /// A form made of bytes; a file that comes in is read.
    init(
        contentType: UTType,
        dataExporter: (@Sendable (Item) async throws -> Data)?,
        dataImporter: (@Sendable (Data) async throws -> Item)?
    ) {
        self.contentType = contentType
        isFile = false
        exporter = dataExporter.map { exporter in
            { @Sendable item in .data(try await exporter(item)) }
        }
        importer = dataImporter.map { importer in
            { @Sendable payload in
                switch payload {
                case .data(let data): try await importer(data)
                case .file(let file, _): try await importer(contents(of: file))
                }
            }
        }
    }

    /// A form that lies on disk; bytes that come in are written to a file that is gone after the import.
    init(
        contentType: UTType,
        fileExporter: (@Sendable (Item) async throws -> SentTransferredFile)?,
        fileImporter: (@Sendable (ReceivedTransferredFile) async throws -> Item)?,
        opensInPlace: Bool
    ) {
        self.contentType = contentType
        isFile = true
        exporter = fileExporter.map { exporter in
            { @Sendable item in .file(try await exporter(item)) }
        }
        importer = fileImporter.map { importer in
            { @Sendable payload in
                if case .file(let file, let isOriginal) = payload, opensInPlace || !isOriginal {
                    return try await importer(ReceivedTransferredFile(file, isOriginalFile: isOriginal))
                }
                let folder = try TemporaryFolder()
                defer { folder.remove() }
                let copy =
                    switch payload {
                    case .data(let data): try folder.write(data, named: contentType.fileName(for: "item"))
                    case .file(let file, _): try folder.copy(file, named: file.lastPathComponent)
                    }
                return try await importer(ReceivedTransferredFile(copy, isOriginalFile: false))
            }
        }
    }
}

/// A representation that is one form.
protocol FormRepresentation: PrimitiveRepresentation {
    var form: Form<Item> { get }
}

extension FormRepresentation {
    func listedExports(_ trail: Trail) -> [ListedExport] {
        guard form.exporter != nil else { return [] }
        return [ListedExport(contentType: form.contentType, visibility: .all, isFile: form.isFile)]
    }

    func exports(of item: Item, _ trail: Trail) -> [ExportableRepresentation] {
        guard let exporter = form.exporter else { return [] }
        return [
            ExportableRepresentation(
                contentType: form.contentType, visibility: .all, suggestedFileName: nil, isFile: form.isFile
            ) { try await exporter(item) }
        ]
    }

    func imports(_ trail: Trail) -> [ImportableRepresentation<Item>] {
        guard let importer = form.importer else { return [] }
        return [ImportableRepresentation(contentType: form.contentType, isFile: form.isFile, importing: importer)]
    }
}
