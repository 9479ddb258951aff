/// A form made of bytes in memory.
public struct DataRepresentation<Item: Transferable>: TransferRepresentation, FormRepresentation {
    public typealias Body = Never

    let form: ItemForm<Item>

    /// Form that is exported and imported.
    public init(
        contentType: UTType,
        exporting: @escaping @Sendable (Item) async throws -> Data,
        importing: @escaping @Sendable (Data) async throws -> Item
    ) {
        form = ItemForm(contentType: contentType, dataExporter: exporting, dataImporter: importing)
    }

    /// Form that is only exported.
    public init(exportedContentType: UTType, exporting: @escaping @Sendable (Item) async throws -> Data) {
        form = ItemForm(contentType: exportedContentType, dataExporter: exporting, dataImporter: nil)
    }

    /// Form that is only imported.
    public init(importedContentType: UTType, importing: @escaping @Sendable (Data) async throws -> Item) {
        form = ItemForm(contentType: importedContentType, dataExporter: nil, dataImporter: importing)
    }
}
