import Foundation
import TestSupport
import Testing

@testable import UniformTypeIdentifiers

@Suite("The type table", .aside)
struct TypeTableTests {
    @Test("holds the system's types and the extras")
    func counts() {
        #expect(Self.declared.count == 730 + 25)
        #expect(constants.count == 141)
    }

    @Test("has the types of the files that it was generated from")
    func matchesItsSource() throws {
        let rows = try Self.systemTypes() + Self.linuxTypes()
        #expect(rows.count == Self.declared.count)
        for row in rows {
            let type = try #require(UTType(row["identifier"] ?? ""), "\(row)")
            let declaration = try #require(BuiltInTypes.declaration(of: type.row))
            #expect(type.identifier == row["identifier"])
            #expect(declaration.parents == Self.list(row["conforms_to"]))
            let isOwned =
                row["source"]?.contains("exported") == true
                || row["swift_constant"]?.isEmpty == false && row["source"]?.contains("imported") != true
            #expect(BuiltInTypes.isOwned(type.row) == isOwned)
            #expect(type.tags[.filenameExtension] ?? [] == Self.list(row["filename_extensions"]))
            #expect(type.tags[.mimeType] ?? [] == Self.list(row["mime_types"]))
            #expect(type.tags[UTTagClass(rawValue: "com.apple.ostype")] ?? [] == Self.list(row["ostypes"]))
            #expect(type.localizedDescription ?? "" == row["description"])
        }
    }

    @Test("describes every type in a few words of its own")
    func descriptions() {
        var types: [String: String] = [:]
        for row in Self.declared {
            let identifier = BuiltInTypes.identifier(of: row)
            let description = UTType(identifier)?.localizedDescription ?? ""
            #expect((1...60).contains(description.count), "\(identifier)")
            #expect(description == description.trimmingCharacters(in: .whitespaces), "\(identifier)")
            #expect(types.updateValue(identifier, forKey: description) == nil, "\(identifier): \(description)")
        }
    }

    @Test("has a Swift constant for each type that should have one, and no other")
    func constantsResolve() throws {
        var expected: [String: String] = [:]
        for row in try Self.systemTypes() {
            if let name = row["swift_constant"], !name.isEmpty { expected[name] = row["identifier"] }
        }
        #expect(constants.mapValues(\.identifier) == expected)
        for (name, type) in constants {
            #expect(type.isDeclared, "\(name)")
            #expect(type.identifier == BuiltInTypes.identifier(of: type.row), "\(name)")
            #expect(UTType(type.identifier) == type, "\(name)")
        }
    }

    @Test("names only parents it declares, but for the seven device types left out")
    func parentsExist() {
        var dangling: [String] = []
        for row in Self.declared {
            guard let declaration = BuiltInTypes.declaration(of: row) else { continue }
            for parent in declaration.parents where UTType(parent) == nil {
                dangling.append("\(declaration.identifier) \(parent)")
            }
            #expect(Set(declaration.parents).count == declaration.parents.count)
            #expect(declaration.parents.allSatisfy { parent in UTType(parent)?.identifier ?? parent == parent })
        }
        #expect(
            dangling.sorted() == [
                "com.apple.homebuttonless-ipad com.apple.homebuttonless-device",
                "com.apple.homebuttonless-ipad com.apple.ipad",
                "com.apple.homebuttonless-iphone com.apple.homebuttonless-device",
                "com.apple.homebuttonless-iphone com.apple.iphone",
                "com.apple.iphone-8 com.apple.iphone",
                "com.apple.iphone-8-plus com.apple.iphone",
                "com.apple.macmini com.apple.mac",
            ])
    }

    @Test("has no type that conforms to itself by way of others")
    func isAcyclic() {
        for row in Self.declared {
            #expect(!BuiltInTypes.lineage(of: row).contains(UInt16(row)), "\(BuiltInTypes.identifier(of: row))")
        }
    }

    @Test("has lineages that follow the parents")
    func lineages() {
        for row in 0..<BuiltInTypes.count {
            var found = [row]
            var next = 0
            while next < found.count {
                for parent in BuiltInTypes.parents(of: found[next]).map(Int32.init) where !found.contains(parent) {
                    found.append(parent)
                }
                next += 1
            }
            #expect(BuiltInTypes.lineage(of: row).map(Int32.init) == Array(found.dropFirst()))
            let isSettled = found.allSatisfy { BuiltInTypes.isDeclared($0) && BuiltInTypes.isOwned($0) }
            #expect(BuiltInTypes.isSettled(row) == isSettled)
        }
    }

    @Test("is sorted, as its search requires")
    func isSorted() {
        let keys = TypeTable.identifiers.map { $0.lowercased() }
        #expect(keys == keys.sorted())
        for (row, identifier) in TypeTable.identifiers.enumerated() {
            #expect(BuiltInTypes.row(of: identifier) == Int32(row))
            #expect(BuiltInTypes.row(of: identifier.uppercased()) == Int32(row))
            for other in [String(identifier.dropLast()), identifier + "-", identifier + "|", "", ","] {
                guard let found = BuiltInTypes.row(of: other) else { continue }
                #expect(BuiltInTypes.identifier(of: found).lowercased() == other.lowercased())
            }
        }
    }

    @Test(
        "finds every type by each of its tags",
        arguments: [UTTagClass.filenameExtension, .mimeType, .fourCharacterCode])
    func indexesAreComplete(tagClass: UTTagClass) {
        for row in Self.declared {
            for tag in BuiltInTypes.declaration(of: row)?.tags[tagClass] ?? [] {
                let found = UTType.types(tag: tag, tagClass: tagClass, conformingTo: nil)
                #expect(found.contains { $0.row == row }, "\(tag)")
            }
        }
    }

    private static let declared = (0..<BuiltInTypes.count).filter(BuiltInTypes.isDeclared)

    private static func list(_ text: String?) -> [String] {
        text?.split(separator: ",").map(String.init) ?? []
    }

    private static let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func systemTypes() throws -> [[String: String]] {
        let path = project.appending(path: "Tests/Generators/GenerateTypeTable/system-types.tsv")
        let lines = try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
            .map { $0.components(separatedBy: "\t") }
        let header = try #require(lines.first)
        return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(header, $0)) }
    }

    /// The declarations that ship, in the words of the system's columns.
    private static func linuxTypes() throws -> [[String: String]] {
        let data = try Data(contentsOf: project.appending(path: "Config/linux-types.plist"))
        let list = try #require(
            try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: [[String: Any]]])
        return try #require(list["UTImportedTypeDeclarations"]).map { type in
            let tags = type["UTTypeTagSpecification"] as? [String: [String]]
            return [
                "identifier": type["UTTypeIdentifier"] as? String ?? "",
                "conforms_to": (type["UTTypeConformsTo"] as? [String] ?? []).joined(separator: ","),
                "filename_extensions": (tags?["public.filename-extension"] ?? []).joined(separator: ","),
                "mime_types": (tags?["public.mime-type"] ?? []).joined(separator: ","),
                "description": type["UTTypeDescription"] as? String ?? "",
            ]
        }
    }
}
