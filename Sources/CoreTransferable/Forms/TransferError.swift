import Foundation
import UniformTypeIdentifiers

/// Why a value could not be exported or imported. What an exporter or importer throws itself comes through as it is.
package struct TransferError: Error, CustomStringConvertible, LocalizedError {
    package enum Kind: Sendable {
        case notOffered, notImportable, endless, notAFile, folderAsData, malformedContent
    }

    package let kind: Kind
    package let description: String

    package var errorDescription: String? { description }

    static func notOffered(
        _ contentType: UTType?, by item: any Any.Type, offering forms: [ExportableRepresentation]
    ) -> TransferError {
        let wanted = contentType.map { "as \($0.identifier)" } ?? "at all"
        return TransferError(
            kind: .notOffered,
            description: "This \(item) cannot be exported \(wanted); it offers \(list(forms.map(\.contentType))).")
    }

    static func notImportable(
        _ contentType: UTType?, as item: any Any.Type, accepting accepted: [UTType]
    ) -> TransferError {
        let given = contentType?.identifier ?? "content of unknown type"
        return TransferError(
            kind: .notImportable,
            description: "\(item) cannot be imported from \(given); it accepts \(list(accepted)).")
    }

    static func endless(_ types: [any Any.Type]) -> TransferError {
        let path = types.suffix(4).map { "\($0)" }.joined(separator: " → ")
        return TransferError(
            kind: .endless,
            description:
                "Following the representations of a type leads back to itself (\(path)). Remove one of the proxies.")
    }

    static func notAFile(_ url: URL) -> TransferError {
        TransferError(kind: .notAFile, description: "\(url.absoluteString) is not the URL of a file on this machine.")
    }

    static func folderAsData(_ url: URL) -> TransferError {
        TransferError(
            kind: .folderAsData,
            description: "\(url.path) is a folder, which has no bytes of its own. Export it as a file.")
    }

    static func malformed(_ contentType: UTType, _ problem: String) -> TransferError {
        TransferError(kind: .malformedContent, description: "The \(contentType.identifier) received is \(problem).")
    }

    private static func list(_ types: [UTType]) -> String {
        types.isEmpty ? "nothing" : types.map(\.identifier).joined(separator: ", ")
    }
}
