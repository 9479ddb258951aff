import Foundation

/// What a payload is: a uniform type such as `public.png`.
///
/// A type is named by its identifier and described by a declaration: what it conforms to, and the tags (filename
/// extensions, MIME types) that stand for it. Three kinds exist:
/// - *declared* types, from the table that comes with this module or from ``init(exportedAs:conformingTo:)`` and
///   ``init(importedAs:conformingTo:)``;
/// - *dynamic* types, made up for a tag that no declared type claims; their identifier (`dyn.…`) spells out the tag,
///   so it means the same on every machine;
/// - *undeclared* types, kept by name only, which conform to nothing but themselves.
///
/// Two types are equal when their identifiers are. Identifiers are found without regard to case.
public struct UTType: Sendable, Hashable {
    /// The identifier, as its declaration spells it.
    public let identifier: String

    /// A type whose identifier is known to be spelled as its declaration spells it.
    init(known identifier: String) {
        self.identifier = identifier
    }

    /// A type that somebody else named, perhaps in other letters; it may be undeclared.
    init(referred identifier: String) {
        self.identifier = TypeCatalog.declaration(of: identifier)?.identifier ?? identifier
    }

    /// The type with this identifier, or nil where it is neither declared nor a well-formed dynamic identifier.
    public init?(_ identifier: String) {
        self.init(identifier: identifier, allowUndeclared: false)
    }

    /// The type with this identifier.
    ///
    /// With `allowUndeclared`, an identifier nobody declared is kept, provided that it is well formed: ASCII letters
    /// and digits, `.`, `-` and `_`, and anything beyond ASCII. Such a type conforms to nothing but itself.
    public init?(identifier: String, allowUndeclared: Bool) {
        if let declaration = TypeCatalog.declaration(of: identifier) {
            self.identifier = declaration.identifier
        } else if DynamicIdentifier.isClaimed(by: identifier) {
            guard DynamicIdentifier(identifier) != nil else { return nil }
            self.identifier = identifier.lowercased()
        } else if allowUndeclared, Self.isWellFormed(identifier) {
            self.identifier = identifier
        } else {
            return nil
        }
    }

    /// A type that this program owns.
    ///
    /// There is no property list to declare it in, so this call declares it: from then on, anywhere in the process,
    /// ``init(_:)`` finds the identifier and the type conforms to `parentType`, or to ``data`` without one. The first
    /// declaration stays, except that an exported one replaces an imported one and one with a parent replaces one
    /// without. An identifier of the built-in table keeps its built-in declaration.
    public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.identifier = TypeCatalog.declare(identifier, conformingTo: parentType, as: .exported).identifier
    }

    /// A type that belongs to somebody else and that this program can handle.
    ///
    /// As ``init(exportedAs:conformingTo:)``, but the owner's declaration is preferred wherever there is one.
    public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self.identifier = TypeCatalog.declare(identifier, conformingTo: parentType, as: .imported).identifier
    }

    private static func isWellFormed(_ identifier: String) -> Bool {
        !identifier.isEmpty
            && identifier.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", ".", "-", "_": true
                default: !scalar.isASCII
                }
            }
    }
}

// MARK: - What a type says about itself

extension UTType {
    /// Whether the identifier was made up for a tag that no declared type claims.
    public var isDynamic: Bool { dynamicIdentifier != nil }

    /// Whether a declaration of this type is known.
    public var isDeclared: Bool { declaration != nil }

    /// Whether the type belongs to the public domain (`public.…`).
    public var isPublic: Bool { identifier.lowercased().hasPrefix("public.") }

    /// A short English name, such as "PNG image"; nil for most undescribed, and for all dynamic types.
    public var localizedDescription: String? { declaration?.description }

    /// The version of the declaration, where it states one. No declaration known so far does.
    public var version: Int? { nil }

    /// Where the type is documented, where the declaration states it. No declaration known so far does.
    public var referenceURL: URL? { nil }

    var declaration: TypeDeclaration? { TypeCatalog.declaration(of: identifier) }
    var dynamicIdentifier: DynamicIdentifier? { DynamicIdentifier(identifier) }
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
        var container = encoder.singleValueContainer()
        try container.encode(identifier)
    }
}
