/// All forms of another type, at this place in the order: a bookmark is exported as its URL is.
///
/// The proxy is a value to hand over, not work to do: making it must be quick, because its forms are not known before
/// it is made. A proxied file URL hands over the URL, never the file's contents; a `FileRepresentation` hands over
/// contents.
public struct ProxyRepresentation<Item: Transferable, ProxyRepresentation: Transferable>: TransferRepresentation {
    public typealias Body = Never

    enum Exporter: Sendable {
        case immediate(@Sendable (Item) throws -> ProxyRepresentation)
        case deferred(@Sendable (Item) async throws -> ProxyRepresentation)
    }

    let exporter: Exporter?
    let importer: (@Sendable (ProxyRepresentation) async throws -> Item)?
}

extension ProxyRepresentation {
    public init(importing: @escaping @Sendable (ProxyRepresentation) throws -> Item) {
        self.init(exporter: nil, importer: importing)
    }

    public init(importing: @escaping @Sendable (ProxyRepresentation) async throws -> Item) {
        self.init(exporter: nil, importer: importing)
    }

    public init(exporting: @escaping @Sendable (Item) throws -> ProxyRepresentation) {
        self.init(exporter: .immediate(exporting), importer: nil)
    }

    @available(*, deprecated, message: "A synchronous exporter should be used instead.")
    public init(exporting: @escaping @Sendable (Item) async throws -> ProxyRepresentation) {
        self.init(exporter: .deferred(exporting), importer: nil)
    }

    public init(
        exporting: @escaping @Sendable (Item) throws -> ProxyRepresentation,
        importing: @escaping @Sendable (ProxyRepresentation) throws -> Item
    ) {
        self.init(exporter: .immediate(exporting), importer: importing)
    }

    @available(*, deprecated, message: "A synchronous exporter should be used instead.")
    public init(
        exporting: @escaping @Sendable (Item) async throws -> ProxyRepresentation,
        importing: @escaping @Sendable (ProxyRepresentation) async throws -> Item
    ) {
        self.init(exporter: .deferred(exporting), importer: importing)
    }

    public init(
        exporting: @escaping @Sendable (Item) throws -> ProxyRepresentation,
        importing: @escaping @Sendable (ProxyRepresentation) async throws -> Item
    ) {
        self.init(exporter: .immediate(exporting), importer: importing)
    }

    /// Short form for key paths: `ProxyRepresentation(\.title)`.
    public init(_ keyPath: any KeyPath<Item, ProxyRepresentation> & Sendable) {
        self.init(exporter: .immediate { $0[keyPath: keyPath] }, importer: nil)
    }
}

extension ProxyRepresentation: PrimitiveRepresentation {
    func listedExports(_ trail: RepresentationPath) throws -> [ListedExport] {
        exporter == nil ? [] : try ProxyRepresentation.listedExports(trail)
    }

    func exports(of item: Item, _ trail: RepresentationPath) throws -> [ExportableRepresentation] {
        switch exporter {
        case nil:
            return []
        case .immediate(let exporter):
            // A proxy that throws keeps its place in the order, and throws again when it is exported.
            guard let proxy = try? exporter(item) else { return try deferredExports(of: item, by: exporter, trail) }
            return try proxy.exports(trail)
        case .deferred(let exporter):
            return try deferredExports(of: item, by: exporter, trail)
        }
    }

    func imports(_ trail: RepresentationPath) throws -> [ImportableRepresentation<Item>] {
        guard let importer else { return [] }
        return try ProxyRepresentation.imports(trail).map { form in
            ImportableRepresentation(contentType: form.contentType, isFile: form.isFile) { payload in
                try await importer(form.importing(payload))
            }
        }
    }

    /// Lists the forms of the proxy's type; each makes the proxy when it is exported.
    private func deferredExports(
        of item: Item, by exporter: @escaping @Sendable (Item) async throws -> ProxyRepresentation,
        _ trail: RepresentationPath
    ) throws -> [ExportableRepresentation] {
        try ProxyRepresentation.listedExports(trail).map { listed in
            ExportableRepresentation(
                contentType: listed.contentType, visibility: listed.visibility, suggestedFileName: nil,
                isFile: listed.isFile, sharesOriginals: listed.sharesOriginals, opensInPlace: listed.opensInPlace
            ) {
                let forms = try await exporter(item).exports(trail)
                guard
                    let form = forms.first(where: { $0.contentType == listed.contentType && $0.isFile == listed.isFile }
                    )
                else { throw TransferError.notOffered(listed.contentType, by: Item.self, offering: forms) }
                return try await form.export()
            }
        }
    }
}
