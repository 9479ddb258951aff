import Foundation
import Testing

@testable import UniformTypeIdentifiers

@Suite("Checking declarations")
struct TypeDeclarationCheckTests {
    @Test("finds mistakes in types among others, with file and key")
    func problems() throws {
        let laboratory = try Laboratory()
        let installed = try laboratory.declare(
            "home/uniform-type-identifiers/installed.plist",
            exported: [entry("com.example.installed", conformsTo: "public.data", extensions: ["zinst"])])
        let file = try laboratory.declare(
            "work/new.plist",
            exported: [
                entry("com.example.fine", conformsTo: "com.example.installed", extensions: ["zfine"]),
                entry("com.example.orphan", conformsTo: "com.example.nobody", "public.data"),
                entry("com.example.abstract", conformsTo: "public.content"),
                entry("com.example.rival", conformsTo: "public.data", extensions: ["ZINST", "png"]),
                entry("public.jpeg", conformsTo: "public.data"), entry("com.example.fine", conformsTo: "public.data"),
            ], imported: [entry("org.webmproject.webp", conformsTo: "public.image")])
        let problems = TypeDeclarationCheck.problems(in: [file], places: laboratory.places)
        #expect(problems.allSatisfy { $0.file == file })
        let key = "UTExportedTypeDeclarations"
        #expect(
            problems.map(\.keyPath) == [
                "\(key)[1].UTTypeConformsTo", "\(key)[2].UTTypeConformsTo",
                "\(key)[3].UTTypeTagSpecification.public.filename-extension",
                "\(key)[3].UTTypeTagSpecification.public.filename-extension", "\(key)[4].UTTypeIdentifier", "\(key)[5]",
                "UTImportedTypeDeclarations[0]",
            ])
        #expect(problems.map(\.severity) == [.error, .warning, .warning, .warning, .error, .warning, .warning])
        let words = [
            "com.example.nobody", "public.directory", "public.png", installed, "system's own", file, "changes nothing",
        ]
        for (problem, word) in zip(problems, words) { #expect(problem.sentence.contains(word), "\(problem)") }
        #expect(TypeDeclarationCheck.problems(places: laboratory.places).isEmpty)
    }

    @Test("reads lists below folders, and finds undeclared types in Swift sources")
    func folders() throws {
        let laboratory = try Laboratory()
        try laboratory.declare(
            "work/Resources/Info.plist", exported: [entry("com.example.known", conformsTo: "public.data")])
        try laboratory.write("<plist", to: "work/Resources/broken.plist")
        let source = try laboratory.write(
            """
            import UniformTypeIdentifiers
            // UTType(exportedAs: "com.example.comment")
            let known = UTType(exportedAs: "com.example.known"), png = UTType(importedAs: "public.png")
            let unknown = UTType(exportedAs: "com.example.unknown", conformingTo: .json), x = UTType(importedAs:"com.example.two")
            let computed = UTType(exportedAs: "com.\\(name)")
            let bad = UTType(importedAs: "a b")
            """, to: "work/Sources/Model.swift")
        let problems = TypeDeclarationCheck.problems(in: [laboratory.path("work")], places: laboratory.places)
        #expect(problems.map(\.file) == [laboratory.path("work/Resources/broken.plist"), source, source, source])
        #expect(problems.map(\.line) == [nil, 4, 4, 6])
        #expect(problems.map(\.identifier) == [nil, "com.example.unknown", "com.example.two", nil])
        #expect(problems[1].description.hasPrefix("\(source):4: com.example.unknown is not declared"))
        let missing = TypeDeclarationCheck.problems(in: [laboratory.path("missing")], places: laboratory.places)
        #expect(missing.map(\.sentence) == ["There is no such file."])
    }

    @Test("Names of files and types are shown in one line without anything that controls a terminal")
    func escapes() {
        let problem = TypeProblem(.error, file: "/a\u{1B}[31m\nb", keyPath: "k", "A \u{202E}sentence.")
        #expect(problem.description == "/a\u{FFFD}[31m\u{FFFD}b: k: A \u{FFFD}sentence.")
    }
}

@Suite("Importing declarations")
struct TypeDeclarationImportTests {
    @Test("A good file is copied whole, under its own name or that of its first type")
    func copies() throws {
        let laboratory = try Laboratory()
        let file = try laboratory.declare(
            "work/note.plist", exported: [entry("com.example.note", conformsTo: "public.content")])
        let (path, warnings) = try laboratory.places.importDeclarations(from: file)
        #expect(path == laboratory.path("home/uniform-type-identifiers/note.plist") && warnings.count == 1)
        #expect(FileManager.default.contents(atPath: path) == FileManager.default.contents(atPath: file))
        let app = try laboratory.declare(
            "work/Info.plist", exported: [entry("com.example.app", conformsTo: "public.data")])
        #expect(try laboratory.places.importDeclarations(from: app).path.hasSuffix("/com.example.app.plist"))
        #expect(laboratory.registry().type("com.example.app") != nil)
        let names = try FileManager.default.contentsOfDirectory(
            atPath: laboratory.path("home/uniform-type-identifiers"))
        #expect(names.sorted() == ["com.example.app.plist", "note.plist"])
    }

    @Test("Another file is replaced only if told to")
    func replacing() throws {
        let laboratory = try Laboratory()
        let file = try laboratory.declare(
            "work/note.plist", exported: [entry("com.example.note", conformsTo: "public.data")])
        let path = try laboratory.places.importDeclarations(from: file).path
        try laboratory.declare("work/note.plist", exported: [entry("com.example.note", conformsTo: "public.text")])
        let error = #expect(throws: TypeDeclarationError.self) { try laboratory.places.importDeclarations(from: file) }
        #expect(error?.description == "\(path): The file exists already.")
        #expect(try laboratory.places.importDeclarations(from: file, replacing: true).warnings.isEmpty)
        #expect(
            laboratory.registry().type("com.example.note").map { laboratory.registry().conforms($0, to: .text) } == true
        )
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: laboratory.path("home/uniform-type-identifiers")).count
                == 1)
    }

    @Test("A bad file is not copied")
    func refuses() throws {
        let laboratory = try Laboratory()
        let empty = try laboratory.declare("work/empty.plist")
        let broken = try laboratory.write("<plist", to: "work/broken.plist")
        let bad = try laboratory.declare(
            "work/bad.plist", exported: [entry("com.example.x", conformsTo: "com.example.nobody")])
        let redefined = try laboratory.declare("work/png.plist", exported: [entry("public.png")])
        for file in [empty, broken, bad, redefined, laboratory.path("missing.plist")] {
            #expect(throws: TypeDeclarationError.self, "\(file)") {
                try laboratory.places.importDeclarations(from: file)
            }
        }
        #expect(throws: TypeDeclarationError.self) { try TypePlaces().importDeclarations(from: bad) }
        #expect(!FileManager.default.fileExists(atPath: laboratory.path("home")))
    }
}
