/// Forms of an item, with their exporters and importers.
///
/// Compose your own from the ones of this module in ``body``:
/// ```swift
/// struct PictureRepresentation: TransferRepresentation {
///     typealias Item = Picture
///     var body: some TransferRepresentation {
///         DataRepresentation(contentType: .png, exporting: { try $0.png() }, importing: Picture.init(png:))
///         ProxyRepresentation(exporting: \.title)
///     }
/// }
/// ```
public protocol TransferRepresentation<Item>: Sendable {
    associatedtype Item: Transferable
    associatedtype Body: TransferRepresentation

    @TransferRepresentationBuilder<Item> var body: Body { get }
}

extension TransferRepresentation where Body == Never {
    /// Never called: a representation of this module describes itself without a body.
    public var body: Never {
        // The explicit `return` keeps the builder that the requirement carries off this getter.
        return fatalError("\(Self.self) has no body.")
    }
}

extension Never: TransferRepresentation {
    public typealias Item = Never
    public typealias Body = Never

    public var body: Never {
        return fatalError("Never has no body.")
    }
}
