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

    /// A file made for this import, which its giver removes afterwards; or, if `isOriginal`, somebody's own file, of
    /// which an importer that did not ask to open it in place is given a copy.
    case file(URL, isOriginal: Bool = false)
}

extension Transferable {
    /// Every form a value can be made from, in declared order, proxies looked through.
    ///
    /// Nothing for a type that is, by way of proxies, represented by itself.
    package static func importableRepresentations() -> [ImportableRepresentation<Self>] {
        (try? imports(Trail())) ?? []
    }
}
