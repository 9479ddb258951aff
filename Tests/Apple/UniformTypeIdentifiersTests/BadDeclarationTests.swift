import Foundation
import TestSupport
import Testing

@testable import UniformTypeIdentifiers

@Suite("Bad declarations", .aside)
struct BadDeclarationTests {
    @Test("Each wrong value is a problem with its key, and the good ones beside it are kept")
    func wrongValues() throws {
        var reading = DeclarationReader()
        reading.read(
            [
                "UTExportedTypeDeclarations": [
                    "not a dictionary", [:] as [String: Any], ["UTTypeIdentifier": 7],
                    ["UTTypeIdentifier": "has space"], ["UTTypeIdentifier": "control\u{7}"],
                    ["UTTypeIdentifier": "bidi.\u{202E}x"], ["UTTypeIdentifier": ""],
                    ["UTTypeIdentifier": "dyn.age81e62"],
                    ["UTTypeIdentifier": String(repeating: "a", count: 1 << 20)],
                    [
                        "UTTypeIdentifier": "com.example.mixed",
                        "UTTypeConformsTo": ["public.data", 5, "a b"] as [Any],
                        "UTTypeDescription": 9, "UTTypeVersion": "no number",
                        "UTTypeTagSpecification": [
                            "public.filename-extension": ["ok", "a/b", ""], "public.mime-type": 3,
                        ]
                            as [String: Any],
                    ] as [String: Any],
                    ["UTTypeIdentifier": "com.example.self", "UTTypeConformsTo": ["COM.example.self", "public.data"]],
                    ["UTTypeIdentifier": "com.example.tagless", "UTTypeTagSpecification": "note"],
                ] as [Any], "UTImportedTypeDeclarations": "nothing",
            ], from: .file("/x.plist"))
        #expect(
            reading.declared.map(\.declaration.identifier) == [
                "com.example.mixed", "com.example.self", "com.example.tagless",
            ])
        #expect(reading.declared[0].declaration.parents == ["public.data"])
        #expect(reading.declared[0].declaration.tags == [.filenameExtension: ["ok"]])
        #expect(reading.declared[1].declaration.parents == ["public.data"])
        let list = "UTExportedTypeDeclarations"
        let expected =
            ["\(list)[0]"] + (1...8).map { "\(list)[\($0)].UTTypeIdentifier" }
            + [
                "UTTypeConformsTo", "UTTypeConformsTo", "UTTypeTagSpecification.public.filename-extension",
                "UTTypeTagSpecification.public.filename-extension", "UTTypeTagSpecification.public.mime-type",
                "UTTypeDescription", "UTTypeVersion",
            ].map { "\(list)[9].\($0)" }
            + ["\(list)[10].UTTypeConformsTo", "\(list)[11].UTTypeTagSpecification", "UTImportedTypeDeclarations"]
        #expect(reading.problems.map(\.keyPath) == expected)
        #expect(reading.problems.allSatisfy { $0.severity == .error && $0.file == "/x.plist" })
        #expect(reading.complaints.count == 1)
    }

    @Test("A type that is its own ancestor ends the walk and is told of")
    func loops() throws {
        let laboratory = try Laboratory()
        let file = try laboratory.declare(
            "home/uniform-type-identifiers/a.plist",
            exported: [
                entry("com.example.a", conformsTo: "com.example.b", "public.data"),
                entry("com.example.b", conformsTo: "com.example.c"),
                entry("com.example.c", conformsTo: "com.example.a"),
                entry("com.example.d", conformsTo: "com.example.a"),
            ])
        let registry = laboratory.registry()
        let (a, c) = (try #require(registry.type("com.example.a")), try #require(registry.type("com.example.c")))
        #expect(registry.conforms(a, to: c) && registry.conforms(c, to: a) && registry.conforms(c, to: .data))
        #expect(!registry.isSubtype(a, of: a))
        let problems = TypeDeclarationCheck.problems(in: [file], places: laboratory.places)
        #expect(problems.map(\.identifier) == ["com.example.a", "com.example.b", "com.example.c"])
        #expect(problems.allSatisfy { $0.keyPath?.hasSuffix(".UTTypeConformsTo") == true })
        #expect(problems[0].sentence.contains("com.example.a → com.example.b → com.example.c → com.example.a"))
    }

    @Test("Ten thousand declarations in one chain, all with one extension, are worked through")
    func tenThousand() throws {
        let laboratory = try Laboratory()
        let file = try laboratory.declare(
            "home/uniform-type-identifiers/a.plist",
            exported: (0..<10_000).map {
                entry("com.example.t\($0)", conformsTo: "com.example.t\($0 + 1)", "public.data", extensions: ["zzz"])
            }, format: .binary)
        let registry = laboratory.registry()
        let first = try #require(registry.type("com.example.t0"))
        #expect(registry.supertypes(of: first).count == DeclaredTypes.maximumLineage)
        #expect(registry.conforms(first, to: .data))
        #expect(registry.type(tag: "zzz", tagClass: .filenameExtension, conformingTo: nil) == first)
        let problems = TypeDeclarationCheck.problems(in: [file], places: laboratory.places)
        #expect(problems.filter { $0.sentence.contains("zzz") }.count == 10_000)
        #expect(problems.filter { $0.sentence.contains("which nobody declares") }.count == 1)
    }

    @Test("Beyond the limits declarations are ignored, and a problem says so")
    func limits() {
        var reading = DeclarationReader()
        reading.read(
            ["UTExportedTypeDeclarations": (0..<20_002).map { ["UTTypeIdentifier": "com.example.t\($0)"] }], from: .code
        )
        #expect(reading.declared.count == 20_000 && reading.problems.count == 1)
        var tags = DeclarationReader()
        tags.read(
            [
                "UTExportedTypeDeclarations": [
                    [
                        "UTTypeIdentifier": "com.example.many",
                        "UTTypeConformsTo": (0..<100).map { "com.example.p\($0)" },
                        "UTTypeTagSpecification": ["public.filename-extension": (0..<1000).map { "x\($0)" }],
                        "UTTypeDescription": String(repeating: "x", count: 5000),
                    ] as [String: Any]
                ]
            ], from: .code)
        #expect(tags.declared.first?.declaration.parents.count == 64)
        #expect(tags.declared.first?.declaration.tags[.filenameExtension]?.count == 256)
        #expect(tags.declared.first?.declaration.description == nil && tags.problems.count == 3)
    }
}

@Suite("Property lists from strangers", .aside)
struct PropertyListFileTests {
    @Test("Each list cut anywhere, and with each byte damaged, is read or refused", arguments: [true, false])
    func damage(isBinary: Bool) throws {
        let data = try PropertyListSerialization.data(
            fromPropertyList: ["UTExportedTypeDeclarations": [entry("com.example.a", conformsTo: "public.data")]],
            format: isBinary ? .binary : .xml, options: 0)
        var refused = 0
        for position in data.indices {
            var damaged = data
            damaged[position] ^= UInt8(truncatingIfNeeded: position * 37 + 1)
            for candidate in [data.prefix(position), damaged] {
                do {
                    var reading = DeclarationReader()
                    reading.read(try PropertyListFile.dictionary(in: Data(candidate)), from: .code)
                } catch {
                    refused += 1
                }
            }
        }
        #expect(refused > data.count / 2)
    }

    @Test("A binary list whose values stand for more than memory holds is refused")
    func expansion() {
        for leaf in [[UInt8(0x51), 0x61], [0xA0]] {
            // Forty arrays, each holding the next one three times.
            let objects = (1..<40).map { [0xA3, UInt8($0), UInt8($0), UInt8($0)] } + [leaf]
            #expect(throws: BoundedFile.Failure.self) { try PropertyListFile.dictionary(in: binaryList(objects)) }
        }
        // A long string, two hundred thousand times.
        let text = [0x5F, 0x11, 0x40, 0x00] + [UInt8](repeating: 0x61, count: 0x4000)
        let many = [0xAF, 0x12, 0x00, 0x03, 0x0D, 0x40] + [UInt8](repeating: 1, count: 200_000)
        #expect(throws: BoundedFile.Failure.self) { try PropertyListFile.dictionary(in: binaryList([many, text])) }
    }

    @Test("Loops, deep nesting and trailers that lie are refused")
    func structure() {
        let chain = (1..<200).map { [0xA1, UInt8($0)] } + [[0xA0]]
        for list in [
            binaryList([[0xA1, 0x00]]), binaryList(chain),
            binaryList([[0xAF, 0x13] + [UInt8](repeating: 0xFF, count: 8)]),
        ] {
            #expect(throws: BoundedFile.Failure.self) { try PropertyListFile.dictionary(in: list) }
        }
        var lying = binaryList([[0xA0]])
        for position in lying.count - 24..<lying.count { lying[position] = 0xFF }
        #expect(throws: BoundedFile.Failure.self) { try PropertyListFile.dictionary(in: lying) }
        let deep = String(repeating: "<array>", count: 100_000)
        #expect(throws: BoundedFile.Failure.self) {
            try PropertyListFile.dictionary(in: Data("<plist version=\"1.0\">\(deep)".utf8))
        }
        #expect(throws: BoundedFile.Failure.self) {
            try PropertyListFile.dictionary(in: Data(String(repeating: "(", count: 1 << 20).utf8))
        }
        #expect(throws: BoundedFile.Failure.self) { try PropertyListFile.dictionary(in: Data()) }
    }

    /// Objects as they stand in the file, the first being the top; references are one byte.
    private func binaryList(_ objects: [[UInt8]]) -> Data {
        var data = Data("bplist00".utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(data.count)
            data.append(contentsOf: object)
        }
        let table = data.count
        func append(_ number: Int, size: Int) {
            for shift in (0..<size).reversed() { data.append(UInt8(number >> (shift * 8) & 255)) }
        }
        for offset in offsets { append(offset, size: 4) }
        data.append(contentsOf: [0, 0, 0, 0, 0, 0, 4, 1])
        for number in [objects.count, 0, table] { append(number, size: 8) }
        return data
    }
}
