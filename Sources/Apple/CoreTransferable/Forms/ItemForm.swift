/// A single form of an item: one content type, bytes or a file, and its exporter and importer, if any.
struct ItemForm<Item: Transferable>: Sendable {
    let contentType: UTType
    let isFile: Bool
    let exporter: (@Sendable (Item) async throws -> ExportedPayload)?
    let importer: (@Sendable (ImportedPayload) async throws -> Item)?
    /// True if a receiver may be given an exporter's own file, if that exporter allows it.
    var sharesOriginals = false
    /// True if the form was declared as one whose file may be opened in place.
    var opensInPlace = false
}

extension ItemForm {
    /// Makes a form of bytes; an imported file is read.
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
                case .file(let file, _): try await importer(TransferableFile(file).contents())
                }
            }
        }
    }

    /// Makes a form on disk; imported bytes are written to a file that is removed after the import.
    /// - Parameters:
    ///   - sharesOriginals: true if the exporter's own file may be handed out, with its permission.
    ///   - opensInPlace: true if the importer wants the owner's file itself where possible; without an importer, true
    ///     if a receiver may open it.
    init(
        contentType: UTType,
        fileExporter: (@Sendable (Item) async throws -> SentTransferredFile)?,
        fileImporter: (@Sendable (ReceivedTransferredFile) async throws -> Item)?,
        sharesOriginals: Bool = false,
        opensInPlace: Bool = false
    ) {
        self.contentType = contentType
        isFile = true
        self.sharesOriginals = sharesOriginals
        self.opensInPlace = opensInPlace
        exporter = fileExporter.map { exporter in
            { @Sendable item in
                let sent = try await exporter(item)
                // The file is checked here, so that the caller learns of its defects before the first use.
                _ = try TransferableFile(sent.file, as: contentType)
                return .file(
                    SentTransferredFile(
                        sent.file, allowAccessingOriginalFile: sharesOriginals && sent.allowAccessingOriginalFile))
            }
        }
        importer = fileImporter.map { importer in
            { @Sendable payload in
                let folder: TemporaryFolder
                let file: URL
                switch payload {
                case .data(let data):
                    guard contentType.conforms(to: .data) || !contentType.conforms(to: .directory) else {
                        throw TransferError.dataAsFolder(contentType)
                    }
                    folder = try TemporaryFolder()
                    file = try await folder.write(data, named: contentType.fileName(for: "item"))
                case .file(let url, let owner):
                    _ = try TransferableFile(url, as: contentType)
                    switch owner {
                    case .importer:
                        return try await importer(ReceivedTransferredFile(url, isOriginalFile: false))
                    case .somebodyElse(mayOpenInPlace: true) where opensInPlace && !TemporaryFolder.holds(url):
                        return try await importer(ReceivedTransferredFile(url, isOriginalFile: true))
                    case .somebodyElse:
                        folder = try TemporaryFolder(for: url)
                        file = try await folder.copy(url, named: url.lastPathComponent)
                    }
                }
                defer { folder.remove() }
                return try await importer(ReceivedTransferredFile(file, isOriginalFile: false))
            }
        }
    }
}

/// A representation that consists of one form.
protocol FormRepresentation: PrimitiveRepresentation {
    var form: ItemForm<Item> { get }
}

extension FormRepresentation {
    func listedExports(_ trail: RepresentationPath) -> [ListedExport] {
        guard form.exporter != nil else { return [] }
        return [
            ListedExport(
                contentType: form.contentType, visibility: .all, isFile: form.isFile,
                sharesOriginals: form.sharesOriginals, opensInPlace: form.opensInPlace)
        ]
    }

    func exports(of item: Item, _ trail: RepresentationPath) -> [ExportableRepresentation] {
        guard let exporter = form.exporter else { return [] }
        return [
            ExportableRepresentation(
                contentType: form.contentType, visibility: .all, suggestedFileName: nil, isFile: form.isFile,
                sharesOriginals: form.sharesOriginals, opensInPlace: form.opensInPlace
            ) { try await exporter(item) }
        ]
    }

    func imports(_ trail: RepresentationPath) -> [ImportableRepresentation<Item>] {
        guard let importer = form.importer else { return [] }
        return [ImportableRepresentation(contentType: form.contentType, isFile: form.isFile, importing: importer)]
    }
}
