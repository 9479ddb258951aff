/// Type of a payload: a uniform type such as `public.png`.
///
/// A type is named by its identifier and described by a declaration: its supertypes, and the tags (filename extensions,
/// MIME types) that stand for it. Three kinds exist:
/// - *declared* types, from the table that comes with this module, from property lists or from
///   ``register(declarations:)``;
/// - *dynamic* types, made up for a tag that no declared type claims; their identifier (`dyn.…`) spells out the tag,
///   so it means the same on every machine;
/// - *undeclared* types, kept by name only, which conform to nothing but themselves.
///
/// Two types are equal when their identifiers are. Identifiers are found without regard to case.
public struct UTType: Sendable {
    /// The identifier, as its declaration spells it.
    public let identifier: String

    /// Index of the type among the declared ones, negative for an undeclared type. A row stays its type's for good; a
    /// type without one may get one later.
    let row: Int32

    init(_ identifier: String, row: Int32) {
        self.identifier = identifier
        self.row = row
    }

    /// The type with this identifier, or nil where it is neither declared nor a well-formed dynamic identifier.
    public init?(_ identifier: String) {
        self.init(identifier: identifier, allowUndeclared: false)
    }

    /// The type with this identifier.
    ///
    /// With `allowUndeclared`, an undeclared identifier is kept, provided that it is well formed: at most 255 bytes of
    /// ASCII letters and digits, `.`, `-`, `_` and visible characters beyond ASCII. Such a type conforms to nothing but
    /// itself.
    public init?(identifier: String, allowUndeclared: Bool) {
        guard let type = TypeRegistry.shared.type(identifier, allowUndeclared: allowUndeclared) else { return nil }
        self = type
    }

    /// A type that this program owns.
    ///
    /// It should be declared, in a property list or by ``register(declarations:)`` before this is called. An undeclared
    /// type works inside this process only: ``init(_:)`` finds the identifier, and the type conforms to `parentType`,
    /// or to ``data`` without one. A line on standard error reports it, once. A parent stated later completes one that
    /// was not stated; otherwise the first statement stays.
    /// - Precondition: the identifier is well formed.
    public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.init(identifier, .exported, conformingTo: parentType)
    }

    /// A type that another program owns and this program can handle.
    ///
    /// As ``init(exportedAs:conformingTo:)``, but the owner's declaration is preferred wherever there is one. The
    /// result always has the identifier given, also where another type is preferred for files of its extension.
    /// - Precondition: the identifier is well formed.
    public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.init(identifier, .imported, conformingTo: parentType)
    }

    private init(_ identifier: String, _ ownership: TypeOwnership, conformingTo parent: UTType?) {
        precondition(
            TypeIdentifier.isWellFormed(identifier) && !DynamicIdentifier.isClaimed(by: identifier),
            "a type that a program declares needs an identifier of letters, digits, '.', '-' and '_', such as com.example.note"
        )
        self = TypeRegistry.shared.type(identifier, ownership, conformingTo: parent)
    }
}

extension UTType: Hashable {
    public static func == (left: UTType, right: UTType) -> Bool {
        // Rows and identifiers belong together; but a type may have got its row after a value was made of it.
        left.row >= 0 && right.row >= 0 ? left.row == right.row : left.identifier == right.identifier
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(identifier)
    }
}

// MARK: - Properties

extension UTType {
    /// True if the identifier was made up for a tag that no declared type claims.
    public var isDynamic: Bool {
        // An identifier that begins as a dynamic one and is not well formed makes no type.
        DynamicIdentifier.isClaimed(by: identifier)
    }

    /// True if a declaration of this type is known.
    public var isDeclared: Bool { TypeRegistry.shared.isDeclared(self) }

    /// True if the type belongs to the public domain (`public.…`).
    public var isPublic: Bool { identifier.lowercased().hasPrefix("public.") }

    /// A short English name, such as "PNG image". Every built-in type has one; dynamic types have none, nor have types
    /// whose declaration gives none.
    public var localizedDescription: String? { TypeRegistry.shared.description(of: self) }

    /// The version of the declaration, where it states one.
    public var version: Int? { TypeRegistry.shared.declared(self)?.declaration.version }

    /// Address of the type's documentation; nil if the declaration has none.
    public var referenceURL: URL? { TypeRegistry.shared.declared(self)?.declaration.referenceURL }
}

extension UTType: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { identifier }

    public var debugDescription: String {
        let kind = isDynamic ? "dynamic" : isDeclared ? "declared" : "undeclared"
        return "UTType(\(identifier), \(kind))"
    }
}

/// A type is archived as its identifier. Reading one back keeps an identifier that is not declared here.
extension UTType: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let identifier = try container.decode(String.self)
        guard let type = UTType(identifier: identifier, allowUndeclared: true) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(identifier)\" is not a well-formed type identifier.")
        }
        self = type
    }

    public func encode(to encoder: any Encoder) throws {
        try identifier.encode(to: encoder)
    }
}
