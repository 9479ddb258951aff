/// Class whose objects can be made from a provider's item.
///
/// Not a protocol of classes alone, as it is on Apple's systems: the compiler would take `object as? String` for a cast
/// that always fails.
public protocol NSItemProviderReading: SendableMetatype {
    /// Types from which an object can be made, best first, with all types that conform to them.
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

    /// Types in which this object can be written, best first; by default those of the class.
    var writableTypeIdentifiersForItemProvider: [String] { get }

    /// Visibility of objects in this form; by default everybody.
    static func itemProviderVisibilityForRepresentation(
        withTypeIdentifier typeIdentifier: String
    ) -> NSItemProviderRepresentationVisibility

    /// Visibility of this object in this form; by default that of the class.
    func itemProviderVisibilityForRepresentation(
        withTypeIdentifier typeIdentifier: String
    ) -> NSItemProviderRepresentationVisibility

    /// Writes the object and calls `completionHandler` with the bytes or an error. Called in the background.
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

/// An object that moves from one thread to another.
///
// Sendable because a caller that gives an object or an item to a provider gives it away: from then on only the code to
// which the provider passes it uses it. The compiler cannot check this for the classes of the protocols above, which
// are not Sendable.
struct TransferredObject<Object>: @unchecked Sendable {
    let object: Object

    init(_ object: Object) {
        self.object = object
    }
}
