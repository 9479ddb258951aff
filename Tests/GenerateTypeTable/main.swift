import Foundation

// Writes the Swift source of UniformTypeIdentifiers' type table, or of its constants, from declarations: the system's,
// tab-separated beside this file, and our own in Config, a property list as in an app bundle.
//
//     swift run GenerateTypeTable table FILE…     > Sources/UniformTypeIdentifiers/Generated/TypeTable.swift
//     swift run GenerateTypeTable constants FILE… > Sources/UniformTypeIdentifiers/Generated/UTType+Constants.swift
//
// Files are given in order of authority: where two types claim one tag, the earlier file wins, then a type the system
// owns (its source says "exported") over one it only knows of, then the earlier row.

struct Declaration {
    var identifier, constant, parents, extensions, mimeTypes, description, fourCharacterCodes, pasteboardTypes: String
    var rank: Int

    /// A row of the file whose columns are named by its first line.
    init(row: [String], columns: [String: Int], file: Int) {
        func field(_ name: String) -> String {
            guard let column = columns[name], column < row.count else { return "" }
            return row[column]
        }
        identifier = field("identifier")
        constant = field("swift_constant")
        parents = field("conforms_to")
        extensions = field("filename_extensions")
        mimeTypes = field("mime_types")
        description = field("description")
        fourCharacterCodes = field("ostypes")
        pasteboardTypes = field("nspboard_types")
        rank = file * 2 + (field("source").contains("exported") ? 0 : 1)
    }

    /// An imported declaration of a property list.
    init(_ type: ImportedType, file: Int) {
        identifier = type.identifier
        constant = ""
        parents = type.parents.joined(separator: ",")
        extensions = (type.tags["public.filename-extension"] ?? []).joined(separator: ",")
        mimeTypes = (type.tags["public.mime-type"] ?? []).joined(separator: ",")
        description = type.description
        fourCharacterCodes = ""
        pasteboardTypes = ""
        rank = file * 2 + 1
    }
}

struct ImportedTypes: Decodable {
    var types: [ImportedType]

    enum CodingKeys: String, CodingKey {
        case types = "UTImportedTypeDeclarations"
    }
}

struct ImportedType: Decodable {
    var identifier: String
    var parents: [String]
    var description: String
    var tags: [String: [String]]

    enum CodingKeys: String, CodingKey {
        case identifier = "UTTypeIdentifier"
        case parents = "UTTypeConformsTo"
        case description = "UTTypeDescription"
        case tags = "UTTypeTagSpecification"
    }
}

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("GenerateTypeTable: \(message)\n".utf8))
    exit(65)
}

func declarations(inFile path: String, number: Int) -> [Declaration] {
    if path.hasSuffix(".plist") {
        guard let data = FileManager.default.contents(atPath: path) else { fail("cannot read \(path)") }
        do {
            let imported = try PropertyListDecoder().decode(ImportedTypes.self, from: data)
            return imported.types.map { Declaration($0, file: number) }
        } catch {
            fail("\(path) holds no type declarations: \(error)")
        }
    }
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { fail("cannot read \(path)") }
    let lines = text.split(separator: "\n").map { $0.components(separatedBy: "\t") }
    guard let header = lines.first else { fail("\(path) is empty") }
    let columns = Dictionary(uniqueKeysWithValues: header.enumerated().map { ($1, $0) })
    return lines.dropFirst().map { Declaration(row: $0, columns: columns, file: number) }
}

func literal(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
}

func items(_ list: String) -> [String] {
    list.split(separator: ",").map(String.init)
}

/// The entries of one tag index: each tag, lower case, with the identifiers that claim it, likeliest first.
func index(of declarations: [Declaration], by tags: KeyPath<Declaration, String>) -> [String] {
    var claims: [String: [Declaration]] = [:]
    for declaration in declarations {
        for tag in Set(items(declaration[keyPath: tags]).map { $0.lowercased() }) {
            claims[tag, default: []].append(declaration)
        }
    }
    return claims.sorted { $0.key < $1.key }.map { tag, claimants in
        let ordered = claimants.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
        return "        (\(literal(tag)), \(literal(ordered.map(\.element.identifier).joined(separator: ",")))),"
    }
}

func row(_ declaration: Declaration) -> String {
    var fields = [literal(declaration.identifier.lowercased())]
    if declaration.identifier != declaration.identifier.lowercased() {
        fields.append("spelled: " + literal(declaration.identifier))
    }
    fields.append(literal(declaration.parents))
    for (label, value) in [
        ("extensions", declaration.extensions), ("mimeTypes", declaration.mimeTypes),
        ("fourCharacterCodes", declaration.fourCharacterCodes), ("pasteboardTypes", declaration.pasteboardTypes),
        ("description", declaration.description),
    ] where !value.isEmpty {
        fields.append("\(label): \(literal(value))")
    }
    return "        TypeDeclaration(\(fields.joined(separator: ", "))),"
}

func table(_ declarations: [Declaration]) -> [String] {
    var lines = [
        "/// Every type known without being declared at run time, sorted by lower-case identifier, and the two indexes",
        "/// that are asked often, sorted by tag. String literals only: nothing is built before the first question.",
        "enum TypeTable {",
        "    static let declarations: [TypeDeclaration] = [",
    ]
    lines += declarations.sorted { $0.identifier.lowercased() < $1.identifier.lowercased() }.map(row)
    lines += ["    ]", "", "    static let typesByExtension: [(tag: String, identifiers: String)] = ["]
    lines += index(of: declarations, by: \.extensions)
    lines += ["    ]", "", "    static let typesByMIMEType: [(tag: String, identifiers: String)] = ["]
    lines += index(of: declarations, by: \.mimeTypes)
    return lines + ["    ]", "}"]
}

func constants(_ declarations: [Declaration]) -> [String] {
    var lines = ["extension UTType {"]
    for declaration in declarations where !declaration.constant.isEmpty {
        if lines.count > 1 { lines.append("") }
        let summary = declaration.description.isEmpty ? "" : declaration.description + ": "
        lines.append("    /// \(summary)`\(declaration.identifier)`.")
        lines.append(
            "    public static var \(declaration.constant): UTType { UTType(known: \(literal(declaration.identifier))) }"
        )
    }
    return lines + ["}"]
}

func check(_ declarations: [Declaration]) {
    let identifiers = Set(declarations.map { $0.identifier.lowercased() })
    if identifiers.count != declarations.count { fail("an identifier is declared twice") }
    for declaration in declarations where declaration.identifier.isEmpty { fail("a row has no identifier") }
}

let arguments = CommandLine.arguments.dropFirst()
guard let product = arguments.first, arguments.count > 1, ["table", "constants"].contains(product) else {
    fail("usage: GenerateTypeTable table|constants FILE…")
}
let files = arguments.dropFirst()
let all = files.enumerated().flatMap { declarations(inFile: $1, number: $0) }
check(all)

print("// Generated; do not edit. Made by: swift run GenerateTypeTable \(product) \(files.joined(separator: " "))")
print("// swift-format-ignore-file")
print("")
print((product == "table" ? table(all) : constants(all)).joined(separator: "\n"))
