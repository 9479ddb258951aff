import Foundation

/// What is declared about one type: an entry of `UTExportedTypeDeclarations` or `UTImportedTypeDeclarations`.
package struct TypeDeclaration: Hashable, Sendable {
    package var identifier: String
    /// Identifiers of the types this one conforms to directly.
    package var parents: [String]
    /// By class, preferred first.
    package var tags: [UTTagClass: [String]]
    package var description: String?
    package var version: Int?
    package var referenceURL: URL?

    package init(
        identifier: String, parents: [String] = [], tags: [UTTagClass: [String]] = [:], description: String? = nil,
        version: Int? = nil, referenceURL: URL? = nil
    ) {
        self.identifier = identifier
        self.parents = parents
        self.tags = tags
        self.description = description
        self.version = version
        self.referenceURL = referenceURL
    }
}

/// In what capacity a type is declared: by its owner, or by somebody who can handle it.
package enum TypeOwnership: String, Hashable, Sendable {
    case imported, exported
}

/// Who declared a type.
package enum TypeOrigin: Hashable, Sendable {
    /// The table that comes with this module.
    case builtIn
    /// A property list, by its path.
    case file(String)
    /// A call of this program.
    case code
}

/// A declaration with its standing among others.
package struct DeclaredType: Hashable, Sendable {
    package var declaration: TypeDeclaration
    package var ownership: TypeOwnership
    package var origin: TypeOrigin
    /// Where in its file, such as `UTExportedTypeDeclarations[3]`.
    package var keyPath: String?

    /// What stands for a declaration where ``UTType/init(exportedAs:conformingTo:)`` finds none.
    enum Completeness: Hashable, Sendable {
        /// The identifier alone; conforms to `public.data`.
        case bare
        /// The identifier and what it conforms to.
        case parented
        /// Declared as it should be.
        case full
    }

    var completeness = Completeness.full

    package init(
        _ declaration: TypeDeclaration, _ ownership: TypeOwnership, from origin: TypeOrigin, keyPath: String? = nil
    ) {
        self.declaration = declaration
        self.ownership = ownership
        self.origin = origin
        self.keyPath = keyPath
    }

    /// A declaration replaces another of the same identifier if it is the stronger one.
    var strength: Int { Self.strength(ownership, completeness) }

    static func strength(_ ownership: TypeOwnership, _ completeness: Completeness) -> Int {
        let owned = ownership == .exported ? 2 : 0
        return switch completeness {
        case .bare: owned
        case .parented: owned + 1
        case .full: owned + 4
        }
    }
}
