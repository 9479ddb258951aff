import PortolanConverters
import PortolanFiles
import PortolanProtocol

/// Derives forms of representations by the converters of this machine.
struct FormMaker: Sendable {
    private let catalog: ConverterCatalog
    private let conversions: Conversions

    init(_ conversions: Conversions, _ converters: [Converter]) {
        catalog = ConverterCatalog(converters)
        self.conversions = conversions
    }

    /// Lists the forms that converters can make of the representations that one peer sees, each with the restriction of
    /// its source. A form is made only after the peer has taken it.
    ///
    /// - Parameters:
    ///   - first: index of the first form in the item.
    ///   - title: file name of a form whose source has none.
    func forms(
        of visible: [ResolvedRepresentation], numberedFrom first: Int, called title: String?
    ) -> [ResolvedRepresentation] {
        let room = min(Limits.representations - visible.count, ConverterCatalog.usualFormLimit)
        guard room > 0 else { return [] }
        var forms: [ResolvedRepresentation] = []
        for form in catalog.forms(for: visible.map(\.representation.contentType), limit: room) {
            let source = visible[form.sourceIndex]
            guard let made = source.converted(by: form.converter, conversions, title) else { continue }
            forms.append(
                ResolvedRepresentation(made, at: first + forms.count, madeOf: source, by: form.converter))
        }
        return forms
    }
}

extension ConverterDeclarations {
    /// Declarations of this machine's users, then those that come with Portolan.
    static var onThisMachine: [Converter] {
        TypeDeclarationFiles.all().flatMap { parse($0.contents, from: $0.path).converters } + shipped
    }
}

extension ResolvedRepresentation {
    /// Form that `converter` makes of this representation; nil for content that cannot be given to a program.
    fileprivate func converted(
        by converter: Converter, _ conversions: Conversions, _ title: String?
    ) -> ItemRepresentation? {
        let source = representation
        switch source.content {
        case .stream: return nil
        case .file where source.isFolder: return nil
        case .file where source.apparentSize ?? source.size ?? 0 >= converter.memoryLimit: return nil
        case .bytes, .file: break
        }
        let named = converter.to.forFileNames
        let base =
            source.suggestedName.map { NSString(string: $0).deletingPathExtension }
            ?? title.map { FileName.sanitised(fromLocal: Array($0.utf8)).text }
        let name = base.map { named.fileName(for: $0) }
        return ItemRepresentation(
            contentType: converter.to, requested: .exactly(restriction), suggestedName: name,
            content: .file { [restriction] in
                // Content in memory is written to a file for the program, and removed when it has ended.
                let folder = try TemporaryFolder()
                defer { folder.remove() }
                let held: HeldSource
                if let known = source.held {
                    held = known
                } else {
                    switch try await source.payload() {
                    case .file(let file, _): held = try HeldSource(path: source.sourcePath ?? file.path)
                    case .data(let data):
                        let file = folder.url.appendingPathComponent("source")
                        try data.write(to: file)
                        held = try HeldSource(path: file.path)
                    }
                }
                // The cache stores no restriction with a result, so the restriction of the source is compared here.
                let made = try await held.withOpened(shownTo: restriction) {
                    try await conversions.convert($0, of: source.contentType, by: converter)
                }
                return SentTransferredFile(URL(fileURLWithPath: made.path))
            })
    }
}
