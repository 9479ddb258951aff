extension UTType {
    /// Declares the types of a property list, as in an app's `Info.plist`, for this process.
    ///
    /// The keys `UTExportedTypeDeclarations` and `UTImportedTypeDeclarations` are read. Call it before the types are
    /// used: values made of them before stay valid, but earlier look-ups by their tags may have found other types. A
    /// type of the system's own cannot be declared again. Of two declarations an exported one holds against an imported
    /// one, and among equals the one that was there first.
    /// - Throws: the problems of single declarations. All the others are declared nevertheless.
    public static func register(declarationsIn file: URL) throws(TypeDeclarationError) {
        var reading = DeclarationReader()
        reading.read(file: file.path)
        try register(reading)
    }

    /// Declares the types of a dictionary with the keys of an app's `Info.plist`, such as
    /// `Bundle.main.infoDictionary`, for this process.
    ///
    /// See ``register(declarationsIn:)``.
    public static func register(declarations infoDictionary: [String: Any]) throws(TypeDeclarationError) {
        var reading = DeclarationReader()
        reading.read(infoDictionary, from: .code)
        try register(reading)
    }

    private static func register(_ reading: DeclarationReader) throws(TypeDeclarationError) {
        try TypeRegistry.shared.register(reading)
    }
}

extension TypeRegistry {
    func register(_ reading: DeclarationReader) throws(TypeDeclarationError) {
        let refusals = register(reading.declared)
        let redefinitions = zip(reading.declared, refusals).filter { $1 == .system }.map { declared, _ in
            TypeProblem.redefinition(of: declared)
        }
        let problems = reading.problems + redefinitions
        if !problems.isEmpty { throw TypeDeclarationError(problems: problems) }
    }
}

/// Problems of declarations of types.
public struct TypeDeclarationError: Error, Hashable, Sendable {
    package let problems: [TypeProblem]

    /// Sentences for people, one for each problem, with its file and key.
    public var sentences: [String] { problems.map(\.description) }
}

extension TypeDeclarationError: LocalizedError, CustomStringConvertible {
    public var description: String { sentences.joined(separator: "\n") }
    public var errorDescription: String? { description }
}
