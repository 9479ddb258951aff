/// A type whose values can leave the program and come back: copied, sent, dropped.
///
/// A conforming type lists its representations once, richest first. A receiver takes the first one it can use.
/// ```swift
/// struct Note: Codable, Transferable {
///     var text: String
///     static var transferRepresentation: some TransferRepresentation {
///         CodableRepresentation(contentType: .note)
///         ProxyRepresentation(exporting: \.text)
///     }
/// }
/// ```
@preconcurrency
public protocol Transferable: Sendable {
    associatedtype Representation: TransferRepresentation

    /// The forms a value takes, in order of preference.
    @TransferRepresentationBuilder<Self> static var transferRepresentation: Representation { get }
}

extension Never: Transferable {
    public static var transferRepresentation: Never {
        return fatalError("There is no value of type Never to transfer.")
    }
}
