/// A form that is the item's own encoding: JSON, or the format of the given coder.
public struct CodableRepresentation<
    Item: Transferable & Codable, Encoder: TopLevelEncoder & Sendable, Decoder: TopLevelDecoder & Sendable
>: TransferRepresentation, FormRepresentation where Encoder.Output == Data, Decoder.Input == Data {
    public typealias Body = Never

    let form: ItemForm<Item>

    /// JSON of this content type.
    public init(for itemType: Item.Type = Item.self, contentType: UTType)
    where Encoder == JSONEncoder, Decoder == JSONDecoder {
        self.init(for: itemType, contentType: contentType, encoder: JSONEncoder(), decoder: JSONDecoder())
    }

    /// Form with the output of `encoder`, read by `decoder`, under this content type.
    public init(for itemType: Item.Type = Item.self, contentType: UTType, encoder: Encoder, decoder: Decoder) {
        form = ItemForm(
            contentType: contentType,
            dataExporter: { try encoder.encode($0) },
            dataImporter: { try decoder.decode(itemType, from: $0) })
    }
}
