/// Reads declarations of types from property lists, as in an app's `Info.plist`.
///
/// An invalid declaration is a problem of its own; valid ones in the same file are kept. Limits hold for all files
/// together, so that many files cannot exhaust the memory of a process.
struct DeclarationReader {
    enum Limits {
        static let fileSize = 4 << 20
        static let totalSize = 16 << 20
        static let declarations = 20_000
        static let parents = 64
        static let tags = 256
        static let textLength = 4096
    }

    private(set) var declared: [DeclaredType] = []
    private(set) var problems: [TypeProblem] = []
    /// Keys that are passed over.
    private(set) var warnings: [TypeProblem] = []
    private var sizeRead = 0
    private var isFull = false

    /// Lines for standard error, one for each file with an error.
    var complaints: [String] {
        var met: Set<String?> = []
        return problems.filter { $0.severity == .error && met.insert($0.file).inserted }.map(\.description)
    }

    mutating func read(file path: String) {
        do {
            let dictionary = try PropertyListFile.read(
                path, maximumSize: min(Limits.fileSize, Limits.totalSize - sizeRead), size: &sizeRead)
            read(dictionary, from: .file(path))
        } catch {
            problems.append(TypeProblem(.error, file: path, "The file \(error.sentence)."))
        }
    }

    mutating func read(_ dictionary: [String: Any], from origin: TypeOrigin) {
        let lists = [
            ("UTExportedTypeDeclarations", TypeOwnership.exported), ("UTImportedTypeDeclarations", .imported),
        ]
        // An `Info.plist` has many other keys.
        for key in dictionary.keys.sorted() where key.hasPrefix("UT") && !lists.contains(where: { $0.0 == key }) {
            passOver(key, origin, nil)
        }
        for (key, ownership) in lists {
            guard let value = dictionary[key] else { continue }
            guard let entries = value as? [Any] else {
                complain(origin, key, nil, "This must be an array of dictionaries.")
                continue
            }
            for (position, entry) in entries.enumerated() {
                guard declared.count < Limits.declarations else {
                    if !isFull {
                        complain(
                            origin, "\(key)[\(position)]", nil,
                            "There are more than \(Limits.declarations) declarations; from here on they are ignored.")
                    }
                    isFull = true
                    return
                }
                read(entry, ownership, from: origin, keyPath: "\(key)[\(position)]")
            }
        }
    }

    private mutating func read(_ entry: Any, _ ownership: TypeOwnership, from origin: TypeOrigin, keyPath: String) {
        guard let entry = entry as? [String: Any] else {
            return complain(origin, keyPath, nil, "A declaration must be a dictionary.")
        }
        guard let identifier = entry["UTTypeIdentifier"] as? String else {
            let state =
                entry["UTTypeIdentifier"] == nil ? "The declaration has no identifier." : "This must be a string."
            return complain(origin, "\(keyPath).UTTypeIdentifier", nil, state)
        }
        guard Self.canBeDeclared(identifier) else {
            return complain(
                origin, "\(keyPath).UTTypeIdentifier", nil,
                "This cannot be an identifier: only letters, digits, '.', '-' and '_', at most 255 bytes.")
        }
        var fields = Fields(entry: entry, keyPath: keyPath)
        let declaration = TypeDeclaration(
            identifier: identifier, parents: fields.parents(of: identifier), tags: fields.tags(),
            description: fields.text("UTTypeDescription"), version: fields.version(),
            referenceURL: fields.text("UTTypeReferenceURL").flatMap { URL(string: $0) })
        for key in entry.keys.sorted() where !Self.knownKeys.contains(key) {
            passOver("\(keyPath).\(key)", origin, identifier)
        }
        for (path, sentence) in fields.mistakes { complain(origin, path, identifier, sentence) }
        declared.append(DeclaredType(declaration, ownership, from: origin, keyPath: keyPath))
    }

    /// Keys of a declaration; those of icons have no use here.
    private static let knownKeys: Set<String> = [
        "UTTypeIdentifier", "UTTypeConformsTo", "UTTypeTagSpecification", "UTTypeDescription", "UTTypeVersion",
        "UTTypeReferenceURL", "UTTypeIconFile", "UTTypeIconFiles", "UTTypeIconName", "UTTypeIcons",
        "UTTypeSize64IconFile", "UTTypeSize320IconFile",
    ]

    private mutating func complain(_ origin: TypeOrigin, _ keyPath: String, _ identifier: String?, _ sentence: String) {
        problems.append(
            TypeProblem(.error, file: Self.file(of: origin), keyPath: keyPath, identifier: identifier, sentence))
    }

    private mutating func passOver(_ keyPath: String, _ origin: TypeOrigin, _ identifier: String?) {
        warnings.append(
            TypeProblem(
                .warning, file: Self.file(of: origin), keyPath: keyPath, identifier: identifier,
                "This key means nothing here and is passed over."))
    }

    private static func file(of origin: TypeOrigin) -> String? {
        if case .file(let path) = origin { path } else { nil }
    }

    fileprivate static func canBeDeclared(_ identifier: String) -> Bool {
        TypeIdentifier.isWellFormed(identifier) && !DynamicIdentifier.isClaimed(by: identifier)
    }
}

/// Fields of one declaration. A field that cannot be used is left out, and reported as a problem.
private struct Fields {
    let entry: [String: Any]
    let keyPath: String
    var mistakes: [(keyPath: String, sentence: String)] = []

    mutating func parents(of identifier: String) -> [String] {
        let key = "UTTypeConformsTo"
        var parents: [String] = []
        for parent in strings(entry[key], key) where !parents.contains(parent) {
            if !DeclarationReader.canBeDeclared(parent) {
                mistake(key, "It cannot conform to something that is no identifier of a declared type.")
            } else if parent.lowercased() == identifier.lowercased() {
                mistake(key, "The type is its own parent.")
            } else {
                parents.append(parent)
            }
        }
        if parents.count > DeclarationReader.Limits.parents {
            mistake(key, "It names more than \(DeclarationReader.Limits.parents) types; the others are ignored.")
            parents.removeLast(parents.count - DeclarationReader.Limits.parents)
        }
        return parents
    }

    mutating func tags() -> [UTTagClass: [String]] {
        let key = "UTTypeTagSpecification"
        guard let value = entry[key] else { return [:] }
        guard let specification = value as? [String: Any] else {
            mistake(key, "This must be a dictionary of tags.")
            return [:]
        }
        var tags: [UTTagClass: [String]] = [:]
        var count = 0
        for (name, value) in specification.sorted(by: { $0.key < $1.key }) {
            let tagClass = UTTagClass(rawValue: name)
            var kept: [String] = []
            for tag in strings(value, "\(key).\(name)") {
                guard !tag.isEmpty, TypeIdentifier.isPossible(tag: tag, in: tagClass) else {
                    mistake("\(key).\(name)", "It holds something that cannot be such a tag.")
                    continue
                }
                count += 1
                if count > DeclarationReader.Limits.tags {
                    mistake(key, "It holds more than \(DeclarationReader.Limits.tags) tags; the others are ignored.")
                    if !kept.isEmpty { tags[tagClass] = kept }
                    return tags
                }
                kept.append(tag)
            }
            if !kept.isEmpty { tags[tagClass] = kept }
        }
        return tags
    }

    mutating func text(_ key: String) -> String? {
        guard let value = entry[key] else { return nil }
        guard let text = value as? String else {
            mistake(key, "This must be a string.")
            return nil
        }
        guard text.utf8.count <= DeclarationReader.Limits.textLength else {
            mistake(key, "This is longer than \(DeclarationReader.Limits.textLength) bytes.")
            return nil
        }
        return text.isEmpty ? nil : text
    }

    mutating func version() -> Int? {
        let key = "UTTypeVersion"
        guard let value = entry[key] else { return nil }
        guard let version = value as? Int ?? (value as? String).flatMap(Int.init) else {
            mistake(key, "This must be a number.")
            return nil
        }
        return version
    }

    /// Reads a string, or an array of strings.
    private mutating func strings(_ value: Any?, _ key: String) -> [String] {
        switch value {
        case nil: return []
        case let text as String: return [text]
        case let list as [Any]:
            let texts = list.compactMap { $0 as? String }
            if texts.count != list.count { mistake(key, "This must hold strings and nothing else.") }
            return texts
        default:
            mistake(key, "This must be a string or an array of strings.")
            return []
        }
    }

    private mutating func mistake(_ key: String, _ sentence: String) {
        mistakes.append(("\(keyPath).\(key)", sentence))
    }
}
