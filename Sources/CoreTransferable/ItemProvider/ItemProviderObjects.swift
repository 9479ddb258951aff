import Foundation

/// A class whose objects a provider's item can be made into.
///
/// Not a protocol of classes alone, as it is on Apple's systems: the compiler would take `object as? String` for a cast that
/// always fails.
public protocol NSItemProviderReading: SendableMetatype {
    /// The types that an object can be made from, best first. Anything that conforms to one of them will do.
    static var readableTypeIdentifiersForItemProvider: [String] { get }

    /// Makes an object.
    /// - Parameter typeIdentifier: the type under which the item's provider has the data: one of those above, or one
    ///   that conforms to one of them.
    static func object(withItemProviderData data: Data, typeIdentifier: String) throws -> Self
}

/// A class whose objects can be a provider's item.
public protocol NSItemProviderWriting: NSObjectProtocol, SendableMetatype {
    /// The types that objects can be written as, best first.
    static var writableTypeIdentifiersForItemProvider: [String] { get }

    /// The types that this object can be written as, best first; those of the class unless said otherwise.
    var writableTypeIdentifiersForItemProvider: [String] { get }

    /// Who may be given objects in this form; everybody unless said otherwise.
    static func itemProviderVisibilityForRepresentation(
        withTypeIdentifier typeIdentifier: String
    ) -> NSItemProviderRepresentationVisibility

    /// Who may be given this object in this form; what the class says unless said otherwise.
    func itemProviderVisibilityForRepresentation(
        withTypeIdentifier typeIdentifier: String
    ) -> NSItemProviderRepresentationVisibility

    /// Writes the object and calls `completionHandler` with the bytes or an error. It is called in the background.
    func loadData(
        withTypeIdentifier typeIdentifier: String,
        forItemProviderCompletionHandler completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress?
}

extension NSItemProviderWriting {
    public var writableTypeIdentifiersForItemProvider: [String] { Self.writableTypeIdentifiersForItemProvider }

    public static func itemProviderVisibilityForRepresentation(
        withTypeIdentifier typeIdentifier: String
    ) -> NSItemProviderRepresentationVisibility { .all }

    public func itemProviderVisibilityForRepresentation(
        withTypeIdentifier typeIdentifier: String
    ) -> NSItemProviderRepresentationVisibility {
        Self.itemProviderVisibilityForRepresentation(withTypeIdentifier: typeIdentifier)
    }
}

/// An object on its way from one thread to another.
///
// Sendable because whoever gives an object or an item to a provider gives it away: from then on it is used only by what
// the provider hands it to. The language cannot say so of classes that make no promise themselves, as those do not that
// conform to the protocols above.
struct Handover<Object>: @unchecked Sendable {
    let object: Object

    init(_ object: Object) {
        self.object = object
    }
}
