import Foundation
import UniformTypeIdentifiers

/// One form that an item can be made from.
package struct ImportableRepresentation<Item: Sendable>: Sendable {
    package var contentType: UTType

    /// Whether the importer wants a file or folder on disk and not bytes in memory. It is given what it wants either
    /// way: bytes are written to a temporary file that is gone after the import, a file is read.
    package var isFile: Bool
    package var importing: @Sendable (ImportedPayload) async throws -> Item

    package init(
        contentType: UTType, isFile: Bool, importing: @escaping @Sendable (ImportedPayload) async throws -> Item
    ) {
        self.contentType = contentType
        self.isFile = isFile
        self.importing = importing
    }
}

package enum ImportedPayload: Sendable {
    case data(Data)
    case file(URL, owner: FileOwner = .importer)

    package enum FileOwner: Hashable, Sendable {
        /// The file was made for this import: the importer may do with it as it likes, and its giver removes what is
        /// left of it afterwards.
        case importer

        /// The importer is given a copy; or, if that is allowed and it asks to open files in place, the file itself.
        case somebodyElse(mayOpenInPlace: Bool)
    }

    /// What an exporter of this process made.
    package init(_ exported: ExportedPayload) {
        switch exported {
        case .data(let data): self = .data(data)
        case .file(let sent):
            self = .file(sent.file, owner: .somebodyElse(mayOpenInPlace: sent.allowAccessingOriginalFile))
        }
    }
}

extension Transferable {
    /// Every form a value can be made from, in declared order, proxies looked through.
    ///
    /// Nothing for a type that is, by way of proxies, represented by itself.
    package static func importableRepresentations() -> [ImportableRepresentation<Self>] {
        (try? imports(Trail())) ?? []
    }
}
