/// Declarations in the form for the generated table: rows sorted by lower-case identifier, which refer to each other by
/// row.
struct Table {
    /// Declared types, and those that are only mentioned as parents.
    let identifiers: [String]
    let declarations: [String: Declaration]
    private let rows: [String: Int]

    init(_ declarations: [Declaration]) {
        self.declarations = Dictionary(uniqueKeysWithValues: declarations.map { ($0.identifier, $0) })
        identifiers = Set(declarations.flatMap { [$0.identifier] + $0.parents }).sorted {
            $0.lowercased() < $1.lowercased()
        }
        rows = Dictionary(uniqueKeysWithValues: identifiers.enumerated().map { ($1, $0) })
        guard Set(identifiers.map { $0.lowercased() }).count == identifiers.count else {
            fail("an identifier is spelled in two ways")
        }
    }

    /// Supertypes of a type, nearest first: its parents in their declared order, then theirs.
    func lineage(of identifier: String) -> [String] {
        var found = [identifier]
        var next = 0
        while next < found.count {
            for parent in declarations[found[next]]?.parents ?? [] where !found.contains(parent) {
                found.append(parent)
            }
            next += 1
        }
        return Array(found.dropFirst())
    }

    /// Bit 0: declared; bit 1: owned by the system; bit 2: so is everything it conforms to, which is therefore settled.
    private func standing(of identifier: String) -> Int {
        guard let declaration = declarations[identifier] else { return 0 }
        let isSettled = ([identifier] + lineage(of: identifier)).allSatisfy { declarations[$0]?.isOwned ?? false }
        return 1 + (declaration.isOwned ? 2 : 0) + (isSettled ? 4 : 0)
    }

    /// The identifier, the lists and the description of a type, in one line.
    private func details(of identifier: String) -> String {
        guard let declaration = declarations[identifier] else { return "\(identifier)|||||" }
        let fields =
            [
                [identifier], declaration.extensions, declaration.mimeTypes, declaration.fourCharacterCodes,
                declaration.pasteboardTypes,
            ].map { $0.joined(separator: ",") } + [declaration.description]
        guard !fields.contains(where: { $0.contains("|") || $0.contains("\n") }) else {
            fail("\(identifier): a field holds a character that separates fields")
        }
        return fields.joined(separator: "|")
    }

    /// Index from one kind of tag to its claiming types, likeliest first: position of each tag in the details, sorted
    /// by lower-case tag, and rows of its claimants.
    private func index(of tags: KeyPath<Declaration, [String]>, field: Int, starts: [Int]) -> Index {
        var claims: [String: [(declaration: Declaration, offset: Int)]] = [:]
        for (row, identifier) in identifiers.enumerated() {
            guard let declaration = declarations[identifier] else { continue }
            let fields = details(of: identifier).split(separator: "|", omittingEmptySubsequences: false)
            var offset = starts[row] + fields.prefix(field).reduce(0) { $0 + $1.utf8.count + 1 }
            for tag in declaration[keyPath: tags] {
                let key = tag.lowercased()
                if claims[key]?.last?.declaration.identifier != identifier {
                    claims[key, default: []].append((declaration, offset))
                }
                offset += tag.utf8.count + 1
            }
        }
        var index = Index()
        for (_, claimants) in claims.sorted(by: { $0.key < $1.key }) {
            let ordered = claimants.sorted {
                ($0.declaration.rank, $0.declaration.position) < ($1.declaration.rank, $1.declaration.position)
            }
            index.tags.append(ordered[0].offset)
            index.starts.append(index.claimants.count)
            index.claimants += ordered.compactMap { rows[$0.declaration.identifier] }
        }
        index.starts.append(index.claimants.count)
        return index
    }

    private struct Index {
        var tags: [Int] = []
        var starts: [Int] = []
        var claimants: [Int] = []
    }
}

extension Table {
    /// The Swift source.
    var source: [String] {
        let lines = identifiers.map(details(of:))
        let starts = lines.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.utf8.count + 1) }
        let lineages = identifiers.map { lineage(of: $0).compactMap { rows[$0] } }
        let byExtension = index(of: \.extensions, field: 1, starts: starts)
        let byMIMEType = index(of: \.mimeTypes, field: 2, starts: starts)
        var source = [
            "/// Every type known without being declared at run time: literals only, so that nothing is built before the",
            "/// first question. Rows are sorted by lower-case identifier; `BuiltInTypes` reads them.",
            "enum TypeTable {",
            "    static let identifiers: [String] = [",
        ]
        source += identifiers.map { "        \(literal($0))," }
        source += [
            "    ]", "",
            "    /// A line for each row: identifier, extensions, MIME types, four-character codes, pasteboard types, description.",
            "    static let details: StaticString = \"\"\"",
        ]
        source += lines.map { "        " + escaped($0) }
        source += ["        \"\"\"", ""]
        source += array("detailStarts", "Where each line of the details begins.", "UInt32", starts)
        source += array(
            "standings", "Bit 0: declared; 1: owned by the system; 2: so is all it conforms to.", "UInt8",
            identifiers.map(standing(of:)))
        source += array(
            "parentCounts", "How many of a type's lineage are its parents.", "UInt8",
            identifiers.map { declarations[$0]?.parents.count ?? 0 })
        source += array(
            "lineageStarts", "Where the lineage of each row begins.", "UInt16",
            lineages.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) })
        source += array(
            "lineages", "Rows of what each type conforms to, nearest first.", "UInt16", lineages.flatMap(\.self))
        for (name, index) in [("extension", byExtension), ("mimeType", byMIMEType)] {
            source += array("\(name)Tags", "Where each tag stands in the details, sorted.", "UInt32", index.tags)
            source += array("\(name)Starts", "Where the claimants of each tag begin.", "UInt16", index.starts)
            source += array("\(name)Claimants", "Rows that claim a tag, likeliest first.", "UInt16", index.claimants)
        }
        return source.dropLast() + ["}"]
    }

    private func array(_ name: String, _ summary: String, _ element: String, _ values: [Int]) -> [String] {
        var lines = ["    /// \(summary)", "    static let \(name): [\(element)] = ["]
        var line = "       "
        for value in values {
            if line.count + 8 > 120 {
                lines.append(line)
                line = "       "
            }
            line += " \(value),"
        }
        return lines + [line, "    ]", ""]
    }
}

func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
}

func literal(_ text: String) -> String {
    "\"\(escaped(text))\""
}
