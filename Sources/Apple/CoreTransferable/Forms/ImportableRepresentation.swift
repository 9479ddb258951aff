/// A form from which an item can be made.
package struct ImportableRepresentation<Item: Sendable>: Sendable {
    package var contentType: UTType

    /// True if the importer takes a file or folder on disk, false if it takes bytes. Content of the other kind is
    /// converted: bytes are written to a temporary file that is removed after the import, a file is read.
    package var isFile: Bool
    package var importing: @Sendable (ImportedPayload) async throws -> Item
}

package enum ImportedPayload: Sendable {
    case data(Data)
    case file(URL, owner: FileOwner = .importer)

    package enum FileOwner: Hashable, Sendable {
        /// The file was made for this import: the importer may change or move it, and the caller removes it afterwards.
        case importer

        /// The file belongs to another owner. The importer gets a copy; it gets the file itself only if that is allowed
        /// and it asks to open files in place.
        case somebodyElse(mayOpenInPlace: Bool)
    }

    /// Payload of an exporter of this process.
    package init(_ exported: ExportedPayload) {
        switch exported {
        case .data(let data): self = .data(data)
        case .file(let sent):
            self = .file(sent.file, owner: .somebodyElse(mayOpenInPlace: sent.allowAccessingOriginalFile))
        }
    }
}

extension Transferable {
    /// All forms from which a value can be made, in declared order, proxies resolved.
    ///
    /// Empty for a type that is, by way of proxies, represented by itself.
    package static func importableRepresentations() -> [ImportableRepresentation<Self>] {
        (try? imports(RepresentationPath())) ?? []
    }
}
