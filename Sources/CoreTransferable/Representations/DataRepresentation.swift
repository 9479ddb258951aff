import Foundation
import UniformTypeIdentifiers

/// A form made of bytes in memory.
public struct DataRepresentation<Item: Transferable>: TransferRepresentation, FormRepresentation {
    public typealias Body = Never

    let form: Form<Item>

    /// A form that leaves and comes back.
    public init(
        contentType: UTType,
        exporting: @escaping @Sendable (Item) async throws -> Data,
        importing: @escaping @Sendable (Data) async throws -> Item
    ) {
        form = Form(contentType: contentType, dataExporter: exporting, dataImporter: importing)
    }

    /// A form that only leaves.
    public init(exportedContentType: UTType, exporting: @escaping @Sendable (Item) async throws -> Data) {
        form = Form(contentType: exportedContentType, dataExporter: exporting, dataImporter: nil)
    }

    /// A form that only comes back.
    public init(importedContentType: UTType, importing: @escaping @Sendable (Data) async throws -> Item) {
        form = Form(contentType: importedContentType, dataExporter: nil, dataImporter: importing)
    }
}
