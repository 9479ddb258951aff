import CoreTransferable
import Foundation
import PortolanConverters
import PortolanProtocol
import UniformTypeIdentifiers

extension Node {
    /// The items with the forms behind their own that converters of this machine can make of these.
    ///
    /// Items that have such forms already stay as they are. A form is made when a peer has taken it, and not before. Who may see
    /// what it is made of may see it too, and nobody else.
    public func withConvertedForms(_ items: [Item]) -> [Item] {
        guard configuration.converters else { return items }
        let catalog = ConverterCatalog(ConverterDeclarations.onThisMachine)
        return items.map { $0.adding(catalog, by: conversions) }
    }
}

extension ConverterDeclarations {
    /// Those of the people who use this machine, then those that come with Portolan.
    fileprivate static var onThisMachine: [Converter] {
        TypeDeclarationFiles.all().flatMap { parse($0.contents, from: $0.path).converters } + shipped
    }
}

extension Item {
    fileprivate func adding(_ catalog: ConverterCatalog, by conversions: Conversions) -> Item {
        let room = min(Limits.representations - representations.count, ConverterCatalog.usualFormLimit)
        // Nothing is made of what was made, and what has its forms already gets no more.
        guard room > 0, !representations.contains(where: { $0.converter != nil }) else { return self }
        var item = self
        item.representations += catalog.forms(for: representations.map(\.contentType), limit: room).compactMap { form in
            representations[form.sourceIndex].converted(by: form.converter, conversions)
        }
        return item
    }
}

extension ItemRepresentation {
    /// What a converter makes of this; nil for what no program can be given.
    fileprivate func converted(by converter: Converter, _ conversions: Conversions) -> ItemRepresentation? {
        switch content {
        case .stream: return nil
        case .file where isFolder: return nil
        case .bytes, .file: break
        }
        // UTF-8 text has no extension of its own.
        let named =
            converter.to.preferredFilenameExtension == nil && converter.to.conforms(to: .plainText)
            ? UTType.plainText : converter.to
        let name = suggestedName.map { named.fileName(for: NSString(string: $0).deletingPathExtension) }
        var form = ItemRepresentation(
            contentType: converter.to, visibility: visibility, suggestedName: name,
            content: .file {
                // What is in memory is written down for the program, and removed when it has ended.
                let folder = try TemporaryFolder()
                defer { folder.remove() }
                let source: URL
                switch try await payload() {
                case .file(let file, _): source = file
                case .data(let data):
                    source = folder.url.appendingPathComponent("source")
                    try data.write(to: source)
                }
                let made = try await conversions.convert(source.path, of: contentType, by: converter)
                return SentTransferredFile(URL(fileURLWithPath: made.path))
            })
        form.converter = converter.tool
        return form
    }
}
