/// Types that were declared beside the built-in ones, and declarations that replace built-in ones.
///
/// Types are known by rows: below ``BuiltInTypes/count`` those of the table, above it the ones here. A row belongs to
/// its identifier for good, so that values which carry it stay right after later declarations. Types that a declaration
/// merely mentions have rows as well.
struct DeclaredTypes {
    /// Largest number of supertypes that are followed. Real types have about twenty.
    static let maximumLineage = 256

    private struct Entry {
        var identifier: String
        var declared: DeclaredType?
    }

    private var entries: [Entry] = []
    private var rowsByKey: [String: Int32] = [:]
    /// Declarations that replace those of the table.
    private var replacements: [Int32: DeclaredType] = [:]
    /// Parents of the types that are declared here.
    private var parentRows: [Int32: [Int32]] = [:]
    /// Computed lineages; cleared by a declaration that could change them.
    private var lineages: [Int32: [Int32]] = [:]
    private var claims: [UTTagClass: [String: [Claim]]]?

    private struct Claim {
        var row: Int32
        var ownership: TypeOwnership
    }

    /// Reason why a declaration is rejected.
    enum Refusal: Hashable {
        /// The type belongs to the system.
        case system
        /// The built-in declaration is as strong; only the type's owner may replace it.
        case builtIn
        /// Another declaration is as strong and came first.
        case duplicate(of: TypeOrigin)
    }

    var replacesBuiltIn: Bool { !replacements.isEmpty }
    var claimsTags: Bool { entries.contains { $0.declared?.declaration.tags.isEmpty == false } || replacesBuiltIn }
    var count: Int { entries.count }
}

// MARK: - Declaring

extension DeclaredTypes {
    /// Adds a declaration, unless one that is as strong exists.
    mutating func admit(_ new: DeclaredType) -> Refusal? {
        let row = intern(new.declaration.identifier)
        if BuiltInTypes.contains(row), BuiltInTypes.isDeclared(row) {
            if BuiltInTypes.isOwned(row) { return .system }
            guard new.ownership == .exported, new.completeness == .full else { return .builtIn }
        }
        if let existing = replacements[row] ?? entry(row)?.declared, existing.strength >= new.strength {
            return .duplicate(of: existing.origin)
        }
        var new = new
        new.declaration.identifier = identifier(of: row)
        if BuiltInTypes.contains(row) {
            replacements[row] = new
        } else {
            entries[Int(row - BuiltInTypes.count)].declared = new
        }
        parentRows[row] = new.declaration.parents.map { intern($0) }
        lineages = [:]
        claims = nil
        return nil
    }

    private mutating func intern(_ identifier: String) -> Int32 {
        if let row = row(of: identifier) { return row }
        let row = BuiltInTypes.count + Int32(entries.count)
        entries.append(Entry(identifier: identifier))
        rowsByKey[identifier.lowercased()] = row
        return row
    }
}

// MARK: - Finding

extension DeclaredTypes {
    /// Returns the row of a type that is declared or mentioned, written in any case.
    func row(of identifier: String) -> Int32? {
        BuiltInTypes.row(of: identifier) ?? rowsByKey[identifier.lowercased()]
    }

    /// Returns the entry of a row; nil for a row of the built-in table.
    private func entry(_ row: Int32) -> Entry? {
        BuiltInTypes.contains(row) ? nil : entries[Int(row - BuiltInTypes.count)]
    }

    func identifier(of row: Int32) -> String {
        entry(row)?.identifier ?? BuiltInTypes.identifier(of: row)
    }

    /// Returns the declaration that holds for a type; nil for one that is only mentioned.
    func declared(_ row: Int32) -> DeclaredType? {
        if let entry = entry(row) { return entry.declared }
        if let replacement = replacements[row] { return replacement }
        guard let declaration = BuiltInTypes.declaration(of: row) else { return nil }
        return DeclaredType(declaration, BuiltInTypes.isOwned(row) ? .exported : .imported, from: .builtIn)
    }

    /// Returns the strength of the run-time declaration of a type; nil if it has none.
    func strength(of row: Int32) -> Int? {
        (entry(row)?.declared ?? replacements[row])?.strength
    }

    func isDeclared(_ row: Int32) -> Bool {
        if let entry = entry(row) { return entry.declared != nil }
        return BuiltInTypes.isDeclared(row) || replacements[row] != nil
    }

    /// All declared types: the built-in ones in the order of their identifiers, then the others in the order of their
    /// declarations.
    var rows: [Int32] {
        (0..<BuiltInTypes.count + Int32(entries.count)).filter(isDeclared)
    }
}

// MARK: - Conformance

extension DeclaredTypes {
    mutating func parents(of row: Int32) -> [Int32] {
        if let known = parentRows[row] { return known }
        if BuiltInTypes.contains(row) { return BuiltInTypes.parents(of: row).map(Int32.init) }
        // A type may have been declared in code to conform to a dynamic one, whose name describes it.
        return DynamicIdentifier(identifier(of: row))?.supertypes.map { intern($0) } ?? []
    }

    /// Supertypes of a type, nearest first. A loop ends at the first type that repeats.
    mutating func lineage(of row: Int32) -> [Int32] {
        if let known = lineages[row] { return known }
        if BuiltInTypes.contains(row), !replacesBuiltIn || BuiltInTypes.isSettled(row) {
            return BuiltInTypes.lineage(of: row).map(Int32.init)
        }
        var found = [row]
        var met: Set<Int32> = [row]
        var next = 0
        while next < found.count {
            for parent in parents(of: found[next])
            where found.count <= Self.maximumLineage && met.insert(parent).inserted {
                found.append(parent)
            }
            next += 1
        }
        found.removeFirst()
        lineages[row] = found
        return found
    }

    mutating func isSubtype(_ row: Int32, of ancestor: Int32) -> Bool {
        if let known = lineages[row] { return known.contains(ancestor) }
        return lineage(of: row).contains(ancestor)
    }
}

// MARK: - Tags

extension DeclaredTypes {
    /// Returns the types that claim a tag, likeliest first: those that the system owns, those that their owners
    /// declared, those that the system knows, and those that other programs declared.
    mutating func claimants(of tag: String, in tagClass: UTTagClass) -> [Int32] {
        let builtIn = BuiltInTypes.claimants(of: tag, in: tagClass).map(Int32.init).filter { replacements[$0] == nil }
        let declared = (claims ?? index())[tagClass]?[tagClass.normalized(tag)] ?? []
        return builtIn.filter(BuiltInTypes.isOwned) + declared.filter { $0.ownership == .exported }.map(\.row)
            + builtIn.filter { !BuiltInTypes.isOwned($0) } + declared.filter { $0.ownership == .imported }.map(\.row)
    }

    private mutating func index() -> [UTTagClass: [String: [Claim]]] {
        var index: [UTTagClass: [String: [Claim]]] = [:]
        let others = entries.indices.map { BuiltInTypes.count + Int32($0) }
        for row in replacements.keys.sorted() + others {
            guard let declared = declared(row) else { continue }
            for (tagClass, tags) in declared.declaration.tags {
                for tag in Set(tags.map(tagClass.normalized)) {
                    index[tagClass, default: [:]][tag, default: []].append(
                        Claim(row: row, ownership: declared.ownership))
                }
            }
        }
        claims = index
        return index
    }
}
