/// A representation that lists its forms itself; any other one is resolved by its body.
///
/// Programs conform to `TransferRepresentation` with a `body` alone, so these methods cannot be its requirements.
protocol PrimitiveRepresentation<Item>: TransferRepresentation where Body == Never {
    /// Lists the exports of some value of the type, without a value: conditions count as met.
    func listedExports(_ trail: RepresentationPath) throws -> [ListedExport]

    /// Lists the exports of a value.
    func exports(of item: Item, _ trail: RepresentationPath) throws -> [ExportableRepresentation]

    func imports(_ trail: RepresentationPath) throws -> [ImportableRepresentation<Item>]
}

struct ListedExport: Sendable {
    var contentType: UTType
    var visibility: TransferRepresentationVisibility
    var isFile: Bool
    var sharesOriginals: Bool
    var opensInPlace: Bool
}

/// Types that are being resolved, for detecting a type that contains itself.
struct RepresentationPath: Sendable {
    /// Largest depth, more than any real chain of proxies; ends generic types that grow at each step and so never
    /// repeat.
    private static let limit = 64

    private var types: [any Any.Type] = []

    func entering(_ type: any Any.Type) throws -> RepresentationPath {
        guard types.count < Self.limit, !types.contains(where: { $0 == type }) else {
            throw TransferError.endless(types + [type])
        }
        var trail = self
        trail.types.append(type)
        return trail
    }
}

extension TransferRepresentation {
    /// This representation, or the one to which its bodies resolve.
    func primitive(_ trail: RepresentationPath) throws -> any PrimitiveRepresentation<Item> {
        if let primitive = self as? any PrimitiveRepresentation<Item> { return primitive }
        let trail = try trail.entering(Self.self)
        guard let body = body as? any TransferRepresentation<Item> else {
            preconditionFailure("The body of \(Self.self) represents \(Body.Item.self), not \(Item.self).")
        }
        return try body.primitive(trail)
    }
}

extension Transferable {
    static func listedExports(_ trail: RepresentationPath) throws -> [ListedExport] {
        guard Representation.self != Never.self else { return [] }
        let trail = try trail.entering(Self.self)
        return try transferRepresentation.primitive(trail).listedExports(trail)
    }

    func exports(_ trail: RepresentationPath) throws -> [ExportableRepresentation] {
        // A subclass shares its superclass's representation, whose item is then a supertype of Self.
        guard let item = self as? Representation.Item else {
            preconditionFailure("\(Self.self) is represented as \(Representation.Item.self), which it is not.")
        }
        let trail = try trail.entering(Self.self)
        return try Self.transferRepresentation.primitive(trail).exports(of: item, trail)
    }

    static func imports(_ trail: RepresentationPath) throws -> [ImportableRepresentation<Self>] {
        guard Representation.self != Never.self else { return [] }
        let trail = try trail.entering(Self.self)
        return try transferRepresentation.primitive(trail).imports(trail).map { form in
            ImportableRepresentation(contentType: form.contentType, isFile: form.isFile) { payload in
                guard let item = try await form.importing(payload) as? Self else {
                    throw TransferError.notImportable(form.contentType, as: Self.self, accepting: [])
                }
                return item
            }
        }
    }
}

/// The members of a builder block, one after the other.
struct RepresentationList<Item: Transferable>: PrimitiveRepresentation {
    typealias Body = Never

    let members: [any TransferRepresentation<Item>]

    func listedExports(_ trail: RepresentationPath) throws -> [ListedExport] {
        try members.flatMap { try $0.primitive(trail).listedExports(trail) }
    }

    func exports(of item: Item, _ trail: RepresentationPath) throws -> [ExportableRepresentation] {
        try members.flatMap { try $0.primitive(trail).exports(of: item, trail) }
    }

    func imports(_ trail: RepresentationPath) throws -> [ImportableRepresentation<Item>] {
        try members.flatMap { try $0.primitive(trail).imports(trail) }
    }
}
