import Foundation
import UniformTypeIdentifiers

/// A form that lies on disk, for what is large or is a file or folder anyway.
public struct FileRepresentation<Item: Transferable>: TransferRepresentation, FormRepresentation {
    public typealias Body = Never

    let form: Form<Item>

    /// A form that leaves and comes back.
    /// - Parameter shouldAttemptToOpenInPlace: whether the importer wants the sender's own file where it can have it;
    ///   otherwise it always gets a copy.
    public init(
        contentType: UTType,
        shouldAttemptToOpenInPlace: Bool = false,
        exporting: @escaping @Sendable (Item) async throws -> SentTransferredFile,
        importing: @escaping @Sendable (ReceivedTransferredFile) async throws -> Item
    ) {
        form = Form(
            contentType: contentType, fileExporter: exporting, fileImporter: importing,
            sharesOriginals: true, opensInPlace: shouldAttemptToOpenInPlace)
    }

    /// A form that only leaves.
    /// - Parameter shouldAllowToOpenInPlace: whether a receiver may work on the exported file itself. The exporter
    ///   decides for each file, with ``SentTransferredFile/allowAccessingOriginalFile``; both have to agree.
    public init(
        exportedContentType: UTType,
        shouldAllowToOpenInPlace: Bool = false,
        exporting: @escaping @Sendable (Item) async throws -> SentTransferredFile
    ) {
        form = Form(
            contentType: exportedContentType, fileExporter: exporting, fileImporter: nil,
            sharesOriginals: shouldAllowToOpenInPlace, opensInPlace: shouldAllowToOpenInPlace)
    }

    /// A form that only comes back.
    /// - Parameter shouldAttemptToOpenInPlace: whether the importer wants the sender's own file where it can have it.
    public init(
        importedContentType: UTType,
        shouldAttemptToOpenInPlace: Bool = false,
        importing: @escaping @Sendable (ReceivedTransferredFile) async throws -> Item
    ) {
        form = Form(
            contentType: importedContentType, fileExporter: nil, fileImporter: importing,
            opensInPlace: shouldAttemptToOpenInPlace)
    }
}
