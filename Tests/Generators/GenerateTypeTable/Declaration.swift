import Foundation

/// Declaration of a type in one file.
struct Declaration {
    var identifier: String
    var constant = ""
    var parents: [String]
    var extensions: [String]
    var mimeTypes: [String]
    var fourCharacterCodes: [String] = []
    var pasteboardTypes: [String] = []
    var description: String
    /// Index of its file, in order of authority.
    var file: Int
    /// True if the system owns the type, so that nobody may declare it otherwise: types that its source exports, and
    /// the types of newer constants.
    var isOwned: Bool
    /// Index among all declarations, file after file.
    var position = 0

    /// The order in which types that claim one tag are preferred.
    var rank: Int { file * 2 + (isOwned ? 0 : 1) }
}

extension Declaration {
    /// Parses a row of the file whose columns are named by its first line.
    init(row: [String], columns: [String: Int], file: Int) {
        func field(_ name: String) -> String {
            guard let column = columns[name], column < row.count else { return "" }
            return row[column]
        }
        func list(_ name: String) -> [String] {
            field(name).split(separator: ",").map(String.init)
        }
        let source = field("source")
        self.init(
            identifier: field("identifier"), constant: field("swift_constant"), parents: list("conforms_to"),
            extensions: list("filename_extensions"), mimeTypes: list("mime_types"),
            fourCharacterCodes: list("ostypes"), pasteboardTypes: list("nspboard_types"),
            description: field("description"), file: file,
            isOwned: source.contains("exported") || !field("swift_constant").isEmpty && !source.contains("imported"))
    }

    /// An imported declaration of a property list.
    init(_ type: ImportedType, file: Int) {
        self.init(
            identifier: type.identifier, parents: type.parents,
            extensions: type.tags?["public.filename-extension"] ?? [], mimeTypes: type.tags?["public.mime-type"] ?? [],
            description: type.description, file: file, isOwned: false)
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
    var tags: [String: [String]]?

    enum CodingKeys: String, CodingKey {
        case identifier = "UTTypeIdentifier"
        case parents = "UTTypeConformsTo"
        case description = "UTTypeDescription"
        case tags = "UTTypeTagSpecification"
    }
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
