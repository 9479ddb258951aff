import Foundation
import UniformTypeIdentifiers

/// One form that a value can leave in. Nothing is produced before ``export`` is called.
package struct ExportableRepresentation: Sendable {
    package var contentType: UTType
    package var visibility: TransferRepresentationVisibility

    /// A name with extension for what is exported.
    package var suggestedFileName: String?

    /// Whether the export is a file or folder on disk and not bytes in memory.
    package var isFile: Bool
    package var export: @Sendable () async throws -> ExportedPayload

    package init(
        contentType: UTType, visibility: TransferRepresentationVisibility = .all, suggestedFileName: String?,
        isFile: Bool, export: @escaping @Sendable () async throws -> ExportedPayload
    ) {
        self.contentType = contentType
        self.visibility = visibility
        self.suggestedFileName = suggestedFileName
        self.isFile = isFile
        self.export = export
    }
}

package enum ExportedPayload: Sendable {
    case data(Data)
    case file(SentTransferredFile)
}

extension Transferable {
    /// Every form this value can leave in, in declared order: proxies looked through, conditions evaluated, all
    /// visibilities.
    ///
    /// A form that suggests no file name of its own has the item's name, with the extension of its own content type.
    /// - Throws: ``TransferError`` for a type that is, by way of proxies, represented by itself.
    package func exportableRepresentations() throws -> [ExportableRepresentation] {
        let forms = try exports(Trail())
        guard let name = forms.last(where: { $0.suggestedFileName != nil })?.suggestedFileName else { return forms }
        return forms.map { form in
            var form = form
            form.suggestedFileName = form.suggestedFileName ?? Self.fileName(name, refittedTo: form.contentType)
            return form
        }
    }

    private static func fileName(_ name: String, refittedTo contentType: UTType) -> String {
        contentType.fitsExtension(of: name)
            ? name : contentType.fileName(for: NSString(string: name).deletingPathExtension)
    }
}
