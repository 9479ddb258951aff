/// Checks declarations of types, and reports each problem with its place.
package struct TypeDeclarationCheck {
    /// Largest number of property lists, and of Swift sources, in all folders together. Further files are skipped, and
    /// a problem reports it.
    private static let maximumFiles = 10_000

    private var types = DeclaredTypes()
    private var problems: [TypeProblem] = []
    private var claimants: [UTTagClass: [String: [Int32]]] = [:]

    /// Problems of the declarations in files and in the property lists below folders; without any path, in all folders
    /// where this machine keeps declarations. In Swift sources below the folders: types that a program owns or handles
    /// and that are declared nowhere.
    package static func problems(in paths: [String] = [], places: TypePlaces = .ofThisProcess) -> [TypeProblem] {
        var check = TypeDeclarationCheck()
        var (lists, sources) = (places.declarationFiles, [String]())
        if !paths.isEmpty { (lists, sources) = check.files(in: paths) }
        var reading = DeclarationReader()
        for list in lists { reading.read(file: list) }
        check.problems += reading.problems + reading.warnings

        var installed = DeclarationReader()
        for path in places.declarationFiles where !lists.contains(path) { installed.read(file: path) }

        let refusals = reading.declared.map { check.types.admit($0) }
        for declared in installed.declared { _ = check.types.admit(declared) }
        for (declared, refusal) in zip(reading.declared, refusals) { check.review(declared, refusal) }
        for source in sources { check.review(source: source) }
        return check.problems
    }

    static func propertyLists(below paths: [String]) -> [String] {
        var check = TypeDeclarationCheck()
        return check.files(in: paths).lists
    }

    /// Finds property lists and Swift sources: the files among the paths, and those below the folders.
    private mutating func files(in paths: [String]) -> (lists: [String], sources: [String]) {
        var (lists, sources) = ([String](), [String]())
        for path in paths {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                problems.append(TypeProblem(.error, file: path, "There is no such file."))
                continue
            }
            guard isFolder.boolValue else {
                if path.hasSuffix(".swift") { sources.append(path) } else { lists.append(path) }
                continue
            }
            // The enumerator does not follow symbolic links.
            let below = FileManager.default.enumerator(
                at: URL(filePath: path), includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
            var (foundLists, foundSources) = ([String](), [String]())
            while let file = below?.nextObject() as? URL {
                if file.pathExtension == "plist" { foundLists.append(file.path) }
                if file.pathExtension == "swift" { foundSources.append(file.path) }
                if max(foundLists.count, foundSources.count) == Self.maximumFiles {
                    problems.append(
                        TypeProblem(
                            .warning, file: path, "There are more than \(Self.maximumFiles) files; not all were read."))
                    break
                }
            }
            lists += foundLists.sorted()
            sources += foundSources.sorted()
        }
        return (lists, sources)
    }
}

// MARK: - One declaration among the others

extension TypeDeclarationCheck {
    private mutating func review(_ declared: DeclaredType, _ refusal: DeclaredTypes.Refusal?) {
        guard let row = types.row(of: declared.declaration.identifier) else { return }
        switch refusal {
        case .system:
            problems.append(.redefinition(of: declared))
            return
        case .builtIn:
            warn(declared, nil, "The type is known without this declaration, which changes nothing.")
            return
        case .duplicate(let origin):
            if types.declared(row)?.ownership == declared.ownership {
                warn(
                    declared, nil,
                    "The type is declared in \(Self.name(of: origin)) already; this declaration is ignored.")
            }
            return
        case nil: break
        }
        reviewConformance(of: declared, row)
        reviewTags(of: declared, row)
    }

    private mutating func reviewConformance(of declared: DeclaredType, _ row: Int32) {
        let key = "UTTypeConformsTo"
        for parent in types.parents(of: row) where !types.isDeclared(parent) {
            complain(declared, key, "It conforms to \(types.identifier(of: parent)), which nobody declares.")
        }
        if let loop = loop(from: row) {
            complain(declared, key, "The type is its own ancestor: \(loop).")
        }
        let lineage = types.lineage(of: row)
        if lineage.count >= DeclaredTypes.maximumLineage {
            warn(
                declared, key,
                "It conforms to more than \(DeclaredTypes.maximumLineage) types; the farthest are ignored.")
        }
        if !lineage.contains(UTType.data.row), !lineage.contains(UTType.directory.row) {
            warn(
                declared, key,
                "It conforms neither to public.data nor to public.directory, so that it cannot be sent or dropped as a file."
            )
        }
    }

    /// Returns the way from a type back to itself, such as `com.example.a → com.example.b → com.example.a`.
    private mutating func loop(from row: Int32) -> String? {
        guard types.parents(of: row).contains(where: { types.isSubtype($0, of: row) }) else { return nil }
        var origin: [Int32: Int32] = [:]
        var queue = [row]
        var next = 0
        while next < queue.count, queue.count <= DeclaredTypes.maximumLineage {
            let current = queue[next]
            next += 1
            for parent in types.parents(of: current) where origin[parent] == nil {
                origin[parent] = current
                queue.append(parent)
                guard parent == row else { continue }
                var way = [row]
                var step = current
                while step != row {
                    way.append(step)
                    guard let before = origin[step] else { break }
                    step = before
                }
                return ([row] + way.reversed()).map { types.identifier(of: $0) }.joined(separator: " → ")
            }
        }
        return nil
    }

    private mutating func reviewTags(of declared: DeclaredType, _ row: Int32) {
        for dotted in declared.declaration.tags[.filenameExtension] ?? [] where dotted.hasPrefix(".") {
            warn(
                declared, "UTTypeTagSpecification.\(UTTagClass.filenameExtension.rawValue)",
                "“\(dotted)” is no file's extension: an extension is written without the dot before it.")
        }
        for tagClass in [UTTagClass.filenameExtension, .mimeType] {
            for tag in Set((declared.declaration.tags[tagClass] ?? []).map(tagClass.normalized)).sorted() {
                let rivals = claimants[tagClass]?[tag] ?? types.claimants(of: tag, in: tagClass)
                claimants[tagClass, default: [:]][tag] = rivals
                guard let rival = rivals.first(where: { $0 != row && isRival($0, to: declared) }) else { continue }
                let place = Self.name(of: types.declared(rival)?.origin ?? .builtIn)
                warn(
                    declared, "UTTypeTagSpecification.\(tagClass.rawValue)",
                    "“\(tag)” stands for \(types.identifier(of: rival)) as well (\(place)); "
                        + "files of that kind are taken for \(types.identifier(of: rivals.first ?? rival)).")
            }
        }
    }

    /// Returns true if another type has an equal claim to a tag: it is declared with the same ownership, or it is built
    /// in and owned by the system, which always comes first.
    private func isRival(_ row: Int32, to declared: DeclaredType) -> Bool {
        if BuiltInTypes.contains(row), BuiltInTypes.isOwned(row) { return declared.ownership == .exported }
        guard let other = types.declared(row), other.origin != .builtIn else { return false }
        return other.ownership == declared.ownership
    }

    private mutating func complain(_ declared: DeclaredType, _ key: String?, _ sentence: String) {
        problems.append(TypeProblem(.error, declared, key, sentence))
    }

    private mutating func warn(_ declared: DeclaredType, _ key: String?, _ sentence: String) {
        problems.append(TypeProblem(.warning, declared, key, sentence))
    }

    private static func name(of origin: TypeOrigin) -> String {
        switch origin {
        case .builtIn: "built in"
        case .file(let path): path
        case .code: "the program"
        }
    }
}

// MARK: - Sources

extension TypeDeclarationCheck {
    private static let maximumSourceSize = 1 << 20

    /// Finds `exportedAs: "…"` and `importedAs: "…"` by their text.
    private mutating func review(source path: String) {
        guard let data = try? BoundedFile.read(path, maximumSize: Self.maximumSourceSize) else { return }
        for (number, line) in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            let line = String(decoding: line, as: UTF8.self)
            guard line.contains("portedAs:"), !line.drop(while: \.isWhitespace).hasPrefix("//") else { continue }
            for match in line.matches(of: /\b(?:ex|im)portedAs:\s*"([^"\\]*)"/) {
                let identifier = String(match.1)
                guard TypeIdentifier.isWellFormed(identifier) else {
                    problems.append(
                        TypeProblem(
                            .error, file: path, line: number + 1, "“\(identifier)” cannot be an identifier of a type."))
                    continue
                }
                if types.row(of: identifier).map({ types.isDeclared($0) }) ?? false { continue }
                problems.append(
                    TypeProblem(
                        .warning, file: path, line: number + 1, identifier: identifier,
                        "\(identifier) is not declared: other programs do not know what it is."))
            }
        }
    }
}
