/// Defect of a declaration of a type.
package struct TypeProblem: Hashable, Sendable {
    package enum Severity: String, Hashable, Sendable, Comparable {
        /// The declaration works, but hardly as its author means it.
        case warning
        /// The declaration, or the part of it that the key path names, is not used.
        case error

        package static func < (left: Severity, right: Severity) -> Bool { left == .warning && right == .error }
    }

    package var severity: Severity
    /// The path of the file; nil for declarations made in code.
    package var file: String?
    /// Line in a source file.
    package var line: Int?
    /// Key path in a property list, such as `UTExportedTypeDeclarations[3].UTTypeConformsTo`.
    package var keyPath: String?
    /// The type in question.
    package var identifier: String?
    /// Description of the problem, as a sentence.
    package var sentence: String

    package init(
        _ severity: Severity, file: String? = nil, line: Int? = nil, keyPath: String? = nil, identifier: String? = nil,
        _ sentence: String
    ) {
        self.severity = severity
        self.file = file
        self.line = line
        self.keyPath = keyPath
        self.identifier = identifier
        self.sentence = sentence
    }
}

extension TypeProblem {
    init(_ severity: Severity, _ declared: DeclaredType, _ key: String?, _ sentence: String) {
        var file: String?
        if case .file(let path) = declared.origin { file = path }
        let keyPath = [declared.keyPath, key].compactMap(\.self).joined(separator: ".")
        self.init(
            severity, file: file, keyPath: keyPath.isEmpty ? nil : keyPath, identifier: declared.declaration.identifier,
            sentence)
    }

    static func redefinition(of declared: DeclaredType) -> TypeProblem {
        TypeProblem(
            .error, declared, "UTTypeIdentifier",
            "\(declared.declaration.identifier) is the system's own type, which nobody can declare otherwise.")
    }
}

extension TypeProblem: CustomStringConvertible {
    /// `file:line: key path: sentence`, as far as each is known, in one line.
    package var description: String {
        let place = [file, line.map(String.init)].compactMap(\.self).joined(separator: ":")
        return ([place.isEmpty ? nil : place, keyPath].compactMap(\.self) + [sentence]).joined(separator: ": ")
            .unicodeScalars.map { TypeIdentifier.isVisible($0) || $0 == " " ? String($0) : "\u{FFFD}" }.joined()
    }
}
