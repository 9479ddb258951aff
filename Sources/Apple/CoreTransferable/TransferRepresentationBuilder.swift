/// Lists representations in order of preference: one to ten, without conditions or loops. More fit into a
/// representation of your own; a representation that exists for some values only takes `exportingCondition(_:)`.
@resultBuilder
public struct TransferRepresentationBuilder<Item: Transferable> {
    /// Infers the item of `CodableRepresentation(contentType:)` from its context.
    public static func buildExpression<Encoder, Decoder>(
        _ content: CodableRepresentation<Item, Encoder, Decoder>
    ) -> CodableRepresentation<Item, Encoder, Decoder> {
        content
    }

    public static func buildExpression<Content: TransferRepresentation>(
        _ content: Content
    ) -> Content where Content.Item == Item {
        content
    }

    public static func buildBlock<Content: TransferRepresentation>(
        _ content: Content
    ) -> Content where Content.Item == Item {
        content
    }
}

/// Several representations of one item, in order.
public struct TupleTransferRepresentation<Item: Transferable, Value: Sendable>: TransferRepresentation {
    private let members: [any TransferRepresentation<Item>]

    init(_ members: [any TransferRepresentation<Item>]) {
        self.members = members
    }

    public var body: some TransferRepresentation<Item> {
        return RepresentationList(members: members)
    }
}
