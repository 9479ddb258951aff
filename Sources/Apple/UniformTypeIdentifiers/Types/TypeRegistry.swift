import Synchronization

/// Registry of the types that a process knows: the built-in table, declarations beside it, and additions of
/// shared-mime-info.
///
/// ``UTType`` asks ``shared``. Declarations are read from their files at the first question that the table alone cannot
/// answer rightly; a program that uses only the system's own types never reads one.
package final class TypeRegistry: Sendable {
    /// Registry of this process, with the files of this machine.
    package static let shared = TypeRegistry(places: { .ofThisProcess }, report: writeToStandardError)

    private struct State {
        var types = DeclaredTypes()
        var isLoaded = false
    }

    /// State of the declarations: tells which questions the built-in table can answer alone.
    private struct Progress: OptionSet {
        let rawValue: UInt8
        static let loaded = Progress(rawValue: 1)
        /// A built-in type is declared otherwise.
        static let replacesBuiltIn = Progress(rawValue: 2)
        /// A declared type claims tags.
        static let claimsTags = Progress(rawValue: 4)
    }

    private let state = Mutex(State())
    private let progress = Atomic<UInt8>(0)
    private let information = Mutex<SharedMIMEInfo?>(nil)
    let answers = TagAnswers()
    private let places: @Sendable () -> TypePlaces
    private let report: @Sendable (String) -> Void

    /// - Parameters:
    ///   - places: called once, when declarations are first needed.
    ///   - report: receives notices for the user of the program, one line each.
    package init(places: @escaping @Sendable () -> TypePlaces, report: @escaping @Sendable (String) -> Void) {
        self.places = places
        self.report = report
    }

    /// Contents of shared-mime-info on this machine.
    var sharedMIMEInfo: SharedMIMEInfo {
        information.withLock { information in
            if let information { return information }
            let loaded = SharedMIMEInfo(folders: places().mimeFolders)
            information = loaded
            return loaded
        }
    }

    /// Runs `body` with the declared types, after reading their files.
    func withTypes<Result>(_ body: (inout DeclaredTypes) throws -> Result) rethrows -> Result {
        var complaints: [String] = []
        // The closure neither asks this registry again nor runs foreign code, so that the lock cannot be taken twice.
        let result = try state.withLock { state in
            if !state.isLoaded {
                complaints = Self.load(&state.types, from: places())
                state.isLoaded = true
                note(state.types)
            }
            return try body(&state.types)
        }
        complaints.forEach(report)
        return result
    }

    /// Adds declarations to those in the files.
    private func declare<Result>(_ body: (inout DeclaredTypes) -> Result) -> Result {
        defer { answers.forget() }
        return withTypes { types in
            defer { note(types) }
            return body(&types)
        }
    }

    private func note(_ types: DeclaredTypes) {
        var now: Progress = .loaded
        if types.replacesBuiltIn { now.insert(.replacesBuiltIn) }
        if types.claimsTags { now.insert(.claimsTags) }
        progress.store(now.rawValue, ordering: .releasing)
    }

    private static func load(_ types: inout DeclaredTypes, from places: TypePlaces) -> [String] {
        var reading = DeclarationReader()
        for path in places.declarationFiles { reading.read(file: path) }
        for declared in reading.declared { _ = types.admit(declared) }
        return reading.complaints
    }

    private var known: Progress {
        let known = Progress(rawValue: progress.load(ordering: .acquiring))
        if known.contains(.loaded) { return known }
        withTypes { _ in }
        return Progress(rawValue: progress.load(ordering: .acquiring))
    }

    /// Returns true if the table's entry of a type is in force.
    private func holds(_ row: Int32) -> Bool {
        BuiltInTypes.contains(row) && (BuiltInTypes.isSettled(row) || !known.contains(.replacesBuiltIn))
    }

    /// True if no declaration changes the claimants of a tag, so that the table alone answers.
    var tableClaimsHold: Bool { known.isDisjoint(with: [.replacesBuiltIn, .claimsTags]) }
}

// MARK: - Types by identifier

extension TypeRegistry {
    package func type(_ identifier: String, allowUndeclared: Bool = false) -> UTType? {
        if let row = BuiltInTypes.row(of: identifier), BuiltInTypes.isDeclared(row) {
            return UTType(BuiltInTypes.identifier(of: row), row: row)
        }
        if DynamicIdentifier.isClaimed(by: identifier) {
            return DynamicIdentifier(identifier) == nil ? nil : UTType(identifier.lowercased(), row: -1)
        }
        guard TypeIdentifier.isWellFormed(identifier) else { return nil }
        return withTypes { types in
            guard let row = types.row(of: identifier) else {
                return allowUndeclared ? UTType(identifier, row: -1) : nil
            }
            guard allowUndeclared || types.isDeclared(row) else { return nil }
            return UTType(types.identifier(of: row), row: row)
        }
    }

    /// Makes the type that a program owns or can handle; declares it, as far as its identifier and parent allow, if it
    /// is not declared.
    func type(_ identifier: String, _ ownership: TypeOwnership, conformingTo parent: UTType?) -> UTType {
        if let row = BuiltInTypes.row(of: identifier), BuiltInTypes.isDeclared(row) {
            return UTType(BuiltInTypes.identifier(of: row), row: row)
        }
        let completeness = parent == nil ? DeclaredType.Completeness.bare : .parented
        // Programs ask for the same type often, so the declared one is looked up first.
        let known: UTType? = withTypes { types in
            guard let row = types.row(of: identifier), let known = types.strength(of: row),
                known >= DeclaredType.strength(ownership, completeness)
            else { return nil }
            return UTType(types.identifier(of: row), row: row)
        }
        if let known { return known }
        var stopgap = DeclaredType(
            TypeDeclaration(identifier: identifier, parents: [parent?.identifier ?? "public.data"]), ownership,
            from: .code)
        stopgap.completeness = completeness
        let (type, isNew) = declare { types in
            let isNew = types.row(of: identifier).flatMap { types.strength(of: $0) } == nil
            _ = types.admit(stopgap)
            let row = types.row(of: identifier) ?? -1
            return (UTType(row < 0 ? identifier : types.identifier(of: row), row: row), isNew)
        }
        if isNew { report(undeclaredNotice(type.identifier, parent: parent)) }
        return type
    }

    /// Returns the notice for the user about a type that works in this process alone.
    private func undeclaredNotice(_ identifier: String, parent: UTType?) -> String {
        let form = parent.map { "\($0.identifier), without a file extension" } ?? "plain data"
        let folder = places().userFolder ?? TypePlaces.folderName
        return "\(identifier) is not declared: peers will see it as \(form). Declare it in "
            + TypePlaces.path(folder, "\(identifier).plist")
    }

    /// Adds declarations made in code.
    func register(_ declared: [DeclaredType]) -> [DeclaredTypes.Refusal?] {
        declare { types in declared.map { types.admit($0) } }
    }
}

// MARK: - Facts of a type

extension TypeRegistry {
    func isDeclared(_ type: UTType) -> Bool {
        if BuiltInTypes.contains(type.row), BuiltInTypes.isDeclared(type.row) { return true }
        return withTypes { types in Self.row(of: type, in: types).map(types.isDeclared) ?? false }
    }

    package func declared(_ type: UTType) -> DeclaredType? {
        if BuiltInTypes.contains(type.row), BuiltInTypes.isOwned(type.row) {
            return DeclaredTypes().declared(type.row)
        }
        return withTypes { types in Self.row(of: type, in: types).flatMap { types.declared($0) } }
    }

    func description(of type: UTType) -> String? {
        if holds(type.row) { return BuiltInTypes.description(of: type.row) }
        return declared(type)?.declaration.description
    }

    func tags(of type: UTType) -> [UTTagClass: [String]] {
        if holds(type.row) { return BuiltInTypes.declaration(of: type.row)?.tags ?? [:] }
        return declared(type)?.declaration.tags ?? DynamicIdentifier(type.identifier)?.tags ?? [:]
    }

    func preferredTag(of type: UTType, in tagClass: UTTagClass) -> String? {
        holds(type.row) ? BuiltInTypes.preferredTag(in: tagClass, of: type.row) : tags(of: type)[tagClass]?.first
    }

    /// Every declared type: the built-in ones in the order of their identifiers, then the others as they were declared.
    package var allTypes: [UTType] {
        withTypes { types in types.rows.map { UTType(types.identifier(of: $0), row: $0) } }
    }

    /// Returns the row of a type; a value made before its type was declared or mentioned carries none.
    private static func row(of type: UTType, in types: DeclaredTypes) -> Int32? {
        type.row >= 0 ? type.row : types.row(of: type.identifier)
    }
}

// MARK: - Conformance

extension TypeRegistry {
    package func conforms(_ type: UTType, to other: UTType) -> Bool {
        type == other || isSubtype(type, of: other)
    }

    func isSubtype(_ type: UTType, of other: UTType) -> Bool {
        if holds(type.row) { return BuiltInTypes.isSubtype(type.row, of: other.row) }
        guard type.row >= 0, other.row >= 0 else { return supertypes(of: type).contains(other) && type != other }
        return withTypes { types in type.row != other.row && types.isSubtype(type.row, of: other.row) }
    }

    /// Returns all supertypes of a type, nearest first.
    package func supertypes(of type: UTType) -> [UTType] {
        if holds(type.row) {
            return BuiltInTypes.lineage(of: type.row).map {
                UTType(BuiltInTypes.identifier(of: Int32($0)), row: Int32($0))
            }
        }
        let lineage: [UTType]? = withTypes { types in
            guard let row = Self.row(of: type, in: types) else { return nil }
            return types.lineage(of: row).map { UTType(types.identifier(of: $0), row: $0) }
        }
        return lineage ?? dynamicSupertypes(of: type)
    }

    /// Supertypes that a dynamic type's name states. Each dynamic type named in it has a shorter name, so that the
    /// recursion ends.
    private func dynamicSupertypes(of type: UTType) -> [UTType] {
        let parents = (DynamicIdentifier(type.identifier)?.supertypes ?? [])
            .compactMap { self.type($0, allowUndeclared: true) }
        var found: [UTType] = []
        var met: Set<UTType> = [type]
        for ancestor in parents + parents.flatMap(supertypes(of:)) where met.insert(ancestor).inserted {
            found.append(ancestor)
        }
        return found
    }
}

private func writeToStandardError(_ line: String) {
    FileHandle.standardError.write(Data("\(line)\n".utf8))
}
