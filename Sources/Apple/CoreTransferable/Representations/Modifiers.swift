extension TransferRepresentation {
    /// Exports this representation only for values that meet `condition`, which is asked when representations are
    /// listed, and again before this one is exported. Imports ignore it.
    public func exportingCondition(
        _ condition: @escaping @Sendable (Item) -> Bool
    ) -> _ConditionalTransferRepresentation<Self> {
        _ConditionalTransferRepresentation(base: self, condition: condition)
    }

    /// Limits this representation to the readers of `visibility`. A narrower level inside it stays.
    public func visibility(_ visibility: TransferRepresentationVisibility) -> some TransferRepresentation<Item> {
        VisibleRepresentation(base: self, visibility: visibility)
    }

    /// The name, with extension, for a file made from this item. Of several in one item the last is the item's name.
    public func suggestedFileName(_ fileName: String) -> some TransferRepresentation<Item> {
        NamedRepresentation(base: self) { _ in fileName }
    }

    /// The name, with extension, for a file made from this value; nil suggests none.
    public func suggestedFileName(
        _ fileName: @escaping @Sendable (Item) -> String?
    ) -> some TransferRepresentation<Item> {
        NamedRepresentation(base: self, fileName: fileName)
    }
}

/// A representation that changes another one.
protocol ModifiedRepresentation: PrimitiveRepresentation where Item == Base.Item {
    associatedtype Base: TransferRepresentation

    var base: Base { get }
}

extension ModifiedRepresentation {
    func listedExports(_ trail: RepresentationPath) throws -> [ListedExport] {
        try base.primitive(trail).listedExports(trail)
    }

    func imports(_ trail: RepresentationPath) throws -> [ImportableRepresentation<Item>] {
        try base.primitive(trail).imports(trail)
    }
}

/// A representation with a condition on the value.
public struct _ConditionalTransferRepresentation<Base: TransferRepresentation>: TransferRepresentation {
    public typealias Item = Base.Item
    public typealias Body = Never

    let base: Base
    let condition: @Sendable (Item) -> Bool
}

extension _ConditionalTransferRepresentation: ModifiedRepresentation {
    func exports(of item: Item, _ trail: RepresentationPath) throws -> [ExportableRepresentation] {
        guard condition(item) else { return [] }
        // A form may be exported long after it was listed, when the condition does not hold any more.
        return try base.primitive(trail).exports(of: item, trail).map { [condition] form in
            var form = form
            form.export = { [export = form.export, type = form.contentType] in
                guard condition(item) else { throw TransferError.notOffered(type, by: Item.self, offering: []) }
                return try await export()
            }
            return form
        }
    }
}

struct VisibleRepresentation<Base: TransferRepresentation>: ModifiedRepresentation {
    let base: Base
    let visibility: TransferRepresentationVisibility

    func listedExports(_ trail: RepresentationPath) throws -> [ListedExport] {
        try base.primitive(trail).listedExports(trail).map { form in
            var form = form
            form.visibility = form.visibility.narrowed(to: visibility)
            return form
        }
    }

    func exports(of item: Item, _ trail: RepresentationPath) throws -> [ExportableRepresentation] {
        try base.primitive(trail).exports(of: item, trail).map { form in
            var form = form
            form.visibility = form.visibility.narrowed(to: visibility)
            return form
        }
    }
}

struct NamedRepresentation<Base: TransferRepresentation>: ModifiedRepresentation {
    let base: Base
    let fileName: @Sendable (Item) -> String?

    func exports(of item: Item, _ trail: RepresentationPath) throws -> [ExportableRepresentation] {
        let name = fileName(item)
        return try base.primitive(trail).exports(of: item, trail).map { form in
            var form = form
            form.suggestedFileName = name ?? form.suggestedFileName
            return form
        }
    }
}
