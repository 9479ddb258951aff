/// ``UTType`` as an object, for code that was written for Objective-C's `UTType`.
///
/// The two are bridged in that ``UTType`` is a `ReferenceConvertible`. The cast `type as UTTypeReference` is absent on
/// Linux, because only the Objective-C runtime performs it; use the initialiser and ``type`` instead.
public final class UTTypeReference: NSObject, NSCopying, NSSecureCoding, Sendable {
    /// The type this stands for.
    public let type: UTType

    public init(_ type: UTType) {
        self.type = type
    }

    /// See ``UTType/init(_:)``.
    public convenience init?(_ identifier: String) {
        guard let type = UTType(identifier) else { return nil }
        self.init(type)
    }

    /// See ``UTType/init(identifier:allowUndeclared:)``.
    public convenience init?(identifier: String, allowUndeclared: Bool) {
        guard let type = UTType(identifier: identifier, allowUndeclared: allowUndeclared) else { return nil }
        self.init(type)
    }

    /// See ``UTType/init(filenameExtension:conformingTo:)``.
    public convenience init?(
        filenameExtension: String, conformingTo supertype: UTTypeReference = UTTypeReference(.data)
    ) {
        guard let type = UTType(filenameExtension: filenameExtension, conformingTo: supertype.type) else { return nil }
        self.init(type)
    }

    /// See ``UTType/init(mimeType:conformingTo:)``.
    public convenience init?(mimeType: String, conformingTo supertype: UTTypeReference = UTTypeReference(.data)) {
        guard let type = UTType(mimeType: mimeType, conformingTo: supertype.type) else { return nil }
        self.init(type)
    }

    /// See ``UTType/init(tag:tagClass:conformingTo:)``.
    public convenience init?(tag: String, tagClass: UTTagClass, conformingTo supertype: UTTypeReference?) {
        guard let type = UTType(tag: tag, tagClass: tagClass, conformingTo: supertype?.type) else { return nil }
        self.init(type)
    }

    /// See ``UTType/init(exportedAs:conformingTo:)``.
    public convenience init(exportedAs identifier: String, conformingTo parentType: UTTypeReference? = nil) {
        self.init(UTType(exportedAs: identifier, conformingTo: parentType?.type))
    }

    /// See ``UTType/init(importedAs:conformingTo:)``.
    public convenience init(importedAs identifier: String, conformingTo parentType: UTTypeReference? = nil) {
        self.init(UTType(importedAs: identifier, conformingTo: parentType?.type))
    }

    /// Returns the types of a tag: see ``UTType/types(tag:tagClass:conformingTo:)``.
    public static func types(
        tag: String, tagClass: UTTagClass, conformingTo supertype: UTTypeReference?
    ) -> [UTTypeReference] {
        UTType.types(tag: tag, tagClass: tagClass, conformingTo: supertype?.type).map(UTTypeReference.init(_:))
    }

    public var identifier: String { type.identifier }
    public var preferredFilenameExtension: String? { type.preferredFilenameExtension }
    public var preferredMIMEType: String? { type.preferredMIMEType }
    public var localizedDescription: String? { type.localizedDescription }
    public var version: Int? { type.version }
    public var referenceURL: URL? { type.referenceURL }
    public var isDynamic: Bool { type.isDynamic }
    public var isDeclared: Bool { type.isDeclared }
    public var isPublic: Bool { type.isPublic }
    public var tags: [UTTagClass: [String]] { type.tags }
    public var supertypes: Set<UTTypeReference> { Set(type.supertypes.map(UTTypeReference.init(_:))) }

    public func conforms(to other: UTTypeReference) -> Bool { type.conforms(to: other.type) }
    public func isSupertype(of other: UTTypeReference) -> Bool { type.isSupertype(of: other.type) }
    public func isSubtype(of other: UTTypeReference) -> Bool { type.isSubtype(of: other.type) }

    public override func isEqual(_ object: Any?) -> Bool { (object as? UTTypeReference)?.type == type }
    public override var hash: Int { type.hashValue }
    public override var description: String { type.description }
    public override var debugDescription: String { type.debugDescription }

    /// Returns the object itself, which never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: - Archiving

    private static let identifierKey = "identifier"

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        coder.encode(NSString(string: identifier), forKey: Self.identifierKey)
    }

    /// Nil if the archive does not hold an identifier that can be a type's.
    public convenience init?(coder: NSCoder) {
        guard let identifier = coder.decodeObject(of: NSString.self, forKey: Self.identifierKey),
            let type = UTType(identifier: String(describing: identifier), allowUndeclared: true)
        else { return nil }
        self.init(type)
    }
}

extension UTType: ReferenceConvertible {
    public typealias ReferenceType = UTTypeReference

    public func _bridgeToObjectiveC() -> UTTypeReference { UTTypeReference(self) }

    public static func _forceBridgeFromObjectiveC(_ source: UTTypeReference, result: inout UTType?) {
        result = source.type
    }

    public static func _conditionallyBridgeFromObjectiveC(_ source: UTTypeReference, result: inout UTType?) -> Bool {
        result = source.type
        return true
    }

    public static func _unconditionallyBridgeFromObjectiveC(_ source: UTTypeReference?) -> UTType {
        source?.type ?? .item
    }
}
