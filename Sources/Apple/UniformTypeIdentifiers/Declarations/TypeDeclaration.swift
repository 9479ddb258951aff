/// Declaration of one type: an entry of `UTExportedTypeDeclarations` or `UTImportedTypeDeclarations`.
package struct TypeDeclaration: Hashable, Sendable {
    package var identifier: String
    /// Identifiers of the types this one conforms to directly.
    package var parents: [String] = []
    /// Tags by class, preferred first.
    package var tags: [UTTagClass: [String]] = [:]
    package var description: String?
    package var version: Int?
    package var referenceURL: URL?
}

/// Capacity in which a type is declared: by its owner, or by a program that can handle it.
package enum TypeOwnership: String, Hashable, Sendable {
    case imported, exported
}

/// Origin of a declaration.
package enum TypeOrigin: Hashable, Sendable {
    /// The table that comes with this module.
    case builtIn
    /// A property list, by its path.
    case file(String)
    /// A call of this program.
    case code
}

/// A declaration, with its origin and ownership.
package struct DeclaredType: Hashable, Sendable {
    package var declaration: TypeDeclaration
    package var ownership: TypeOwnership
    package var origin: TypeOrigin
    /// Position in its file, such as `UTExportedTypeDeclarations[3]`.
    package var keyPath: String?

    /// Amount of information in a declaration; ``UTType/init(exportedAs:conformingTo:)`` makes incomplete ones for
    /// undeclared types.
    enum Completeness: Hashable, Sendable {
        /// The identifier alone; conforms to `public.data`.
        case bare
        /// The identifier and its supertypes.
        case parented
        /// A complete declaration.
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

    /// Rank among declarations of one identifier: the stronger one replaces the weaker.
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
