/// A form on disk, for large content and for files and folders.
public struct FileRepresentation<Item: Transferable>: TransferRepresentation, FormRepresentation {
    public typealias Body = Never

    let form: ItemForm<Item>

    /// Form that is exported and imported.
    /// - Parameter shouldAttemptToOpenInPlace: true if the importer wants the sender's own file where possible;
    ///   otherwise it always gets a copy.
    public init(
        contentType: UTType,
        shouldAttemptToOpenInPlace: Bool = false,
        exporting: @escaping @Sendable (Item) async throws -> SentTransferredFile,
        importing: @escaping @Sendable (ReceivedTransferredFile) async throws -> Item
    ) {
        form = ItemForm(
            contentType: contentType, fileExporter: exporting, fileImporter: importing,
            sharesOriginals: true, opensInPlace: shouldAttemptToOpenInPlace)
    }

    /// Form that is only exported.
    /// - Parameter shouldAllowToOpenInPlace: true if a receiver may work on the exported file itself. The exporter
    ///   decides for each file, with ``SentTransferredFile/allowAccessingOriginalFile``; both have to agree.
    public init(
        exportedContentType: UTType,
        shouldAllowToOpenInPlace: Bool = false,
        exporting: @escaping @Sendable (Item) async throws -> SentTransferredFile
    ) {
        form = ItemForm(
            contentType: exportedContentType, fileExporter: exporting, fileImporter: nil,
            sharesOriginals: shouldAllowToOpenInPlace, opensInPlace: shouldAllowToOpenInPlace)
    }

    /// Form that is only imported.
    /// - Parameter shouldAttemptToOpenInPlace: true if the importer wants the sender's own file where possible.
    public init(
        importedContentType: UTType,
        shouldAttemptToOpenInPlace: Bool = false,
        importing: @escaping @Sendable (ReceivedTransferredFile) async throws -> Item
    ) {
        form = ItemForm(
            contentType: importedContentType, fileExporter: nil, fileImporter: importing,
            opensInPlace: shouldAttemptToOpenInPlace)
    }
}
