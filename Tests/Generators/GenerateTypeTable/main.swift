import Foundation

// Writes the Swift source of UniformTypeIdentifiers' type table, or of its constants, from declarations: the system's,
// tab-separated beside this file, and our own in Config, a property list as in an app bundle. Also that of the
// converters that come with Portolan, from their declarations in Config.
//
//     swift run GenerateTypeTable table FILE… \
//         > Sources/Apple/UniformTypeIdentifiers/Types/Generated/TypeTable.swift
//     swift run GenerateTypeTable constants FILE… \
//         > Sources/Apple/UniformTypeIdentifiers/Types/Generated/UTType+Constants.swift
//     swift run GenerateTypeTable converters FILE \
//         > Sources/Machine/PortolanConverters/Generated/ShippedConverters.swift
//
// Files are given in order of authority: where two types claim one tag, the earlier file wins, then a type the system
// owns over one it only knows of, then the earlier row.

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("GenerateTypeTable: \(message)\n".utf8))
    exit(65)
}

/// The constants contain their rows, so that their use needs no look-up.
func constants(_ declarations: [Declaration], in table: Table) -> [String] {
    var lines = ["extension UTType {"]
    for declaration in declarations where !declaration.constant.isEmpty {
        guard let row = table.identifiers.firstIndex(of: declaration.identifier) else { continue }
        if lines.count > 1 { lines.append("") }
        let summary = declaration.description.isEmpty ? "" : declaration.description + ": "
        let value = "UTType(\(literal(declaration.identifier)), row: \(row))"
        lines.append("    /// \(summary)`\(declaration.identifier)`.")
        lines.append("    public static var \(declaration.constant): UTType { \(value) }")
    }
    return lines + ["}"]
}

let arguments = CommandLine.arguments.dropFirst()
guard let product = arguments.first, arguments.count > 1, ["table", "constants", "converters"].contains(product) else {
    fail("usage: GenerateTypeTable table|constants|converters FILE…")
}
let files = arguments.dropFirst()
print("// Generated; do not edit. Made by: swift run GenerateTypeTable \(product) \(files.joined(separator: " "))")
print("// swift-format-ignore-file")
print("")
if product == "converters" {
    print(files.flatMap(converters(inFile:)).joined(separator: "\n"))
    exit(0)
}
var all = files.enumerated().flatMap { declarations(inFile: $1, number: $0) }
for position in all.indices { all[position].position = position }
if all.contains(where: \.identifier.isEmpty) { fail("a row has no identifier") }
if Set(all.map { $0.identifier.lowercased() }).count != all.count { fail("an identifier is declared twice") }
let table = Table(all)

print((product == "table" ? table.source : constants(all, in: table)).joined(separator: "\n"))
