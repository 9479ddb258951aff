import Synchronization

/// Where declarations are found: the built-in table first, then what the program declared at run time.
enum TypeCatalog {
    enum Ownership {
        case imported, exported
    }

    private struct RuntimeDeclaration {
        var declaration: TypeDeclaration
        var ownership: Ownership
        var hasParent: Bool
    }

    private static let runtimeDeclarations = Mutex<[String: RuntimeDeclaration]>([:])

    static func declaration(of identifier: String) -> TypeDeclaration? {
        let key = identifier.lowercased()
        return builtInDeclaration(key) ?? runtimeDeclarations.withLock { $0[key]?.declaration }
    }

    /// Adds a declaration, unless a better one is there, and returns the one that holds.
    static func declare(
        _ identifier: String, conformingTo parent: UTType?, as ownership: Ownership
    ) -> TypeDeclaration {
        let key = identifier.lowercased()
        if let builtIn = builtInDeclaration(key) { return builtIn }
        return runtimeDeclarations.withLock { declarations in
            if let existing = declarations[key] {
                let isOwned = ownership == .exported && existing.ownership == .imported
                let isFuller = ownership == existing.ownership && parent != nil && !existing.hasParent
                guard isOwned || isFuller else { return existing.declaration }
            }
            let declaration = TypeDeclaration(
                key, spelled: identifier, parent?.identifier ?? UTType.data.identifier)
            declarations[key] = RuntimeDeclaration(
                declaration: declaration, ownership: ownership, hasParent: parent != nil)
            return declaration
        }
    }

    /// The declared types with this tag, likeliest first.
    static func identifiers(tagged tag: String, in tagClass: UTTagClass) -> [String] {
        switch tagClass {
        case .filenameExtension: entry(tag.lowercased(), in: TypeTable.typesByExtension)
        case .mimeType: entry(tag.lowercased(), in: TypeTable.typesByMIMEType)
        default:
            // The classes of the classic Mac are asked too rarely to deserve an index.
            TypeTable.declarations.filter { $0.tags[tagClass]?.contains(tag) ?? false }.map(\.identifier)
        }
    }

    private static func builtInDeclaration(_ key: String) -> TypeDeclaration? {
        let declarations = TypeTable.declarations
        guard let row = position(of: key, count: declarations.count, key: { declarations[$0].key }) else { return nil }
        return declarations[row]
    }

    private static func entry(_ tag: String, in index: [(tag: String, identifiers: String)]) -> [String] {
        guard let row = position(of: tag, count: index.count, key: { index[$0].tag }) else { return [] }
        return index[row].identifiers.split(separator: ",").map(String.init)
    }

    /// Binary search in rows sorted by a key.
    private static func position(of wanted: String, count: Int, key: (Int) -> String) -> Int? {
        var rows = 0..<count
        while !rows.isEmpty {
            let middle = rows.lowerBound + rows.count / 2
            rows = key(middle) < wanted ? middle + 1..<rows.upperBound : rows.lowerBound..<middle
        }
        return rows.lowerBound < count && key(rows.lowerBound) == wanted ? rows.lowerBound : nil
    }
}
