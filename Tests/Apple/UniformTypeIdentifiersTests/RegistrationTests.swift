import Foundation
import Testing

@testable import UniformTypeIdentifiers

@Suite("Types declared by code")
struct RegistrationTests {
    @Test("A dictionary and a file declare types for the process")
    func register() throws {
        try UTType.register(declarations: [
            "UTExportedTypeDeclarations": [
                entry(
                    "com.example.tests.sketch", conformsTo: "public.image", extensions: ["testsketch"],
                    description: "Sketch")
            ]
        ])
        let sketch = UTType(exportedAs: "com.example.tests.sketch")
        #expect(sketch.conforms(to: .image) && sketch.localizedDescription == "Sketch")
        #expect(UTType(filenameExtension: "testsketch") == sketch && sketch.version == nil)
        let laboratory = try Laboratory()
        let file = try laboratory.declare(
            "x.plist",
            imported: [
                entry("com.example.tests.plan", conformsTo: "com.example.tests.sketch", extensions: ["testplan"])
            ])
        #expect(UTType(filenameExtension: "testplan")?.isDynamic == true)
        try UTType.register(declarationsIn: URL(filePath: file))
        #expect(UTType(filenameExtension: "testplan", conformingTo: sketch)?.identifier == "com.example.tests.plan")
        // Registering the file again is no error.
        try UTType.register(declarationsIn: URL(filePath: file))
    }

    @Test("Mistakes are thrown with their place, and correct declarations are made all the same")
    func mistakes() throws {
        let registry = try Laboratory().registry()
        var reading = DeclarationReader()
        reading.read(
            [
                "UTExportedTypeDeclarations": [
                    entry("public.png", conformsTo: "public.text"), entry("a b"),
                    entry("com.example.good", conformsTo: "public.data"),
                ]
            ], from: .code)
        let error = #expect(throws: TypeDeclarationError.self) { try registry.register(reading) }
        #expect(
            error?.problems.map(\.keyPath) == [
                "UTExportedTypeDeclarations[1].UTTypeIdentifier", "UTExportedTypeDeclarations[0].UTTypeIdentifier",
            ])
        #expect(error?.localizedDescription.contains("public.png is the system's own type") == true)
        #expect(registry.type("com.example.good") != nil)
        #expect(throws: TypeDeclarationError.self) {
            try UTType.register(declarationsIn: URL(filePath: "/nowhere/at/all"))
        }
    }

    @Test("A type without a declaration works, and the program is told once")
    func notice() throws {
        let laboratory = try Laboratory()
        let registry = laboratory.registry()
        let note = registry.type("com.example.note", .exported, conformingTo: nil)
        #expect(registry.conforms(note, to: .data) && registry.type("com.example.note") == note)
        #expect(registry.declared(note)?.origin == .code)
        let place = laboratory.path("home/uniform-type-identifiers")
        #expect(
            laboratory.said == [
                "com.example.note is not declared: peers will see it as plain data. Declare it in \(place)/com.example.note.plist"
            ])
        _ = registry.type("com.example.note", .exported, conformingTo: .json)
        _ = registry.type("com.example.NOTE", .imported, conformingTo: nil)
        #expect(registry.conforms(note, to: .json) && laboratory.said.count == 1)
        _ = registry.type("com.example.form", .imported, conformingTo: .json)
        #expect(
            laboratory.said.last
                == "com.example.form is not declared: peers will see it as public.json, without a file "
                + "extension. Declare it in \(place)/com.example.form.plist")
        _ = registry.type("public.png", .exported, conformingTo: .text)
        #expect(laboratory.said.count == 2 && !registry.conforms(.png, to: .text))
    }

    @Test("A declared type needs no notice, and its declaration holds against the parent that the code names")
    func declaredElsewhere() throws {
        let laboratory = try Laboratory()
        try laboratory.declare(
            "data2/uniform-type-identifiers/a.plist", imported: [entry("com.example.note", conformsTo: "public.text")])
        let registry = laboratory.registry()
        let note = registry.type("com.example.note", .exported, conformingTo: .image)
        #expect(registry.conforms(note, to: .text) && !registry.conforms(note, to: .image) && laboratory.said.isEmpty)
    }

    @Test("A program that declares an impossible identifier is wrong, and ends")
    func misuse() async {
        await #expect(processExitsWith: .failure) { _ = UTType(exportedAs: "not an identifier") }
        await #expect(processExitsWith: .failure) { _ = UTType(importedAs: "dyn.age81e62") }
    }

    @Test("Values made before a declaration know of it")
    func earlierValues() throws {
        let registry = try Laboratory().registry()
        let early = try #require(registry.type("com.example.late", allowUndeclared: true))
        let child = registry.type("com.example.child", .exported, conformingTo: early)
        #expect(
            !registry.conforms(early, to: .data) && registry.conforms(child, to: early)
                && !registry.conforms(child, to: .text))
        var reading = DeclarationReader()
        reading.read(
            ["UTExportedTypeDeclarations": [entry("com.example.late", conformsTo: "public.text")]], from: .code)
        try registry.register(reading)
        #expect(
            registry.conforms(early, to: .text) && registry.conforms(child, to: .text) && registry.isDeclared(early))
        let late = try #require(registry.type("com.example.late"))
        #expect(late == early && [early: 1][late] == 1)
    }

    @Test("Many threads may ask and declare at once")
    func concurrency() async throws {
        let registry = try Laboratory().registry()
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    for number in 0..<200 {
                        let type = registry.type(
                            "com.example.t\(number)", .exported, conformingTo: thread % 2 == 0 ? .json : nil)
                        _ = registry.conforms(type, to: .text)
                        _ = registry.type(tag: "e\(number)", tagClass: .filenameExtension, conformingTo: .data)
                    }
                }
            }
        }
        for number in 0..<200 {
            #expect(registry.type("com.example.t\(number)").map { registry.conforms($0, to: .json) } == true)
        }
    }
}
