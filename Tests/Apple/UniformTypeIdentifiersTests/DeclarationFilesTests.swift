import Foundation
import Testing

@testable import UniformTypeIdentifiers

@Suite("Declarations in property lists")
struct DeclarationFilesTests {
    @Test("are found in the data folders and beside the program, in XML and in binary form")
    func found() throws {
        let laboratory = try Laboratory()
        let folder = "uniform-type-identifiers"
        try laboratory.declare(
            "home/\(folder)/a.plist", exported: [entry("com.example.home", conformsTo: "public.json")])
        try laboratory.declare(
            "data1/\(folder)/b.plist", exported: [entry("com.example.data", conformsTo: "com.example.home")],
            format: .binary)
        try laboratory.declare(
            "data2/\(folder)/c.plist", imported: [entry("com.example.data2", conformsTo: "public.data")])
        try laboratory.declare(
            "program/Info.plist", exported: [entry("com.example.program", conformsTo: "public.data")])
        try laboratory.declare(
            "program/\(folder)/d.plist", exported: [entry("com.example.beside", conformsTo: "public.data")])
        try laboratory.declare("home/\(folder)/.hidden.plist", exported: [entry("com.example.hidden")])
        try laboratory.declare("home/elsewhere.plist", exported: [entry("com.example.elsewhere")])
        let registry = laboratory.registry()
        for name in ["home", "data", "data2", "program", "beside"] {
            let type = try #require(registry.type("com.example.\(name)"), "\(name)")
            #expect(registry.isDeclared(type) && registry.conforms(type, to: .data))
        }
        #expect(registry.type("com.example.hidden") == nil && registry.type("com.example.elsewhere") == nil)
        let data = try #require(registry.type("COM.example.DATA"))
        #expect(data.identifier == "com.example.data")
        #expect(registry.supertypes(of: data).map(\.identifier).prefix(2) == ["com.example.home", "public.json"])
        #expect(registry.declared(data)?.origin == .file(laboratory.path("data1/\(folder)/b.plist")))
        #expect(registry.declared(.png)?.origin == .builtIn)
        #expect(laboratory.said.isEmpty)
        #expect(
            registry.allTypes.suffix(5).map(\.identifier) == [
                "com.example.home", "com.example.data", "com.example.data2", "com.example.program",
                "com.example.beside",
            ])
        #expect(TypeDeclarationFiles.all(in: laboratory.places).map(\.path).count == 5)
    }

    @Test("say everything that a declaration can say")
    func everyKey() throws {
        let laboratory = try Laboratory()
        try laboratory.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>UTExportedTypeDeclarations</key><array><dict>
            <key>UTTypeIdentifier</key><string>com.example.note</string>
            <key>UTTypeConformsTo</key><string>public.json</string>
            <key>UTTypeDescription</key><string>Note</string>
            <key>UTTypeVersion</key><integer>3</integer>
            <key>UTTypeReferenceURL</key><string>https://example.com/note</string>
            <key>UTTypeIconFile</key><string>note.icns</string>
            <key>UTTypeTagSpecification</key><dict>
            <key>public.filename-extension</key><array><string>Note</string><string>nt</string></array>
            <key>public.mime-type</key><string>application/x-note</string>
            <key>com.example.code</key><string>N1</string></dict>
            </dict></array><key>PortolanConverters</key><array/></dict></plist>
            """, to: "home/uniform-type-identifiers/note.plist")
        let registry = laboratory.registry()
        let note = try #require(registry.type("com.example.note"))
        let declaration = try #require(registry.declared(note)?.declaration)
        #expect(declaration.version == 3 && declaration.description == "Note")
        #expect(declaration.referenceURL == URL(string: "https://example.com/note"))
        #expect(registry.description(of: note) == "Note")
        #expect(registry.preferredTag(of: note, in: .filenameExtension) == "Note")
        #expect(registry.tags(of: note)[.mimeType] == ["application/x-note"])
        #expect(registry.identifiers(tagged: "NOTE") == ["com.example.note"])
        #expect(registry.identifiers(tagged: "Application/X-Note", .mimeType) == ["com.example.note"])
        #expect(registry.identifiers(tagged: "N1", UTTagClass(rawValue: "com.example.code")) == ["com.example.note"])
        #expect(
            registry.conforms(note, to: .json) && registry.conforms(note, to: .text)
                && !registry.conforms(note, to: .image))
        #expect(TypeDeclarationFiles.all(in: laboratory.places).first?.contents["PortolanConverters"] != nil)
        #expect(TypeDeclarationCheck.problems(places: laboratory.places).isEmpty)
    }

    @Test("are not read for questions about the system's own types")
    func lazy() throws {
        let registry = TypeRegistry(
            places: {
                Issue.record("nobody should need the files")
                return TypePlaces()
            }, report: { _ in })
        #expect(registry.conforms(.png, to: .image) && !registry.conforms(.png, to: .text))
        #expect(registry.type("public.jpeg") == .jpeg && registry.isDeclared(.jpeg))
        #expect(registry.type(tag: "png", tagClass: .filenameExtension, conformingTo: .data) == .png)
        #expect(registry.type(tag: "text/plain", tagClass: .mimeType, conformingTo: .data) == .plainText)
        #expect(registry.preferredTag(of: .png, in: .filenameExtension) == "png")
        #expect(registry.supertypes(of: .swiftSource).contains(.sourceCode) && registry.tags(of: .json).count == 2)
    }

    @Test("of an earlier folder hold against those of a later one, exported ones against imported ones")
    func precedence() throws {
        let laboratory = try Laboratory()
        let folder = "uniform-type-identifiers"
        try laboratory.declare(
            "home/\(folder)/a.plist", exported: [entry("com.example.a", conformsTo: "public.json")],
            imported: [entry("com.example.b", conformsTo: "public.json")])
        try laboratory.declare(
            "data1/\(folder)/a.plist",
            exported: [
                entry("com.example.a", conformsTo: "public.image"), entry("com.example.b", conformsTo: "public.image"),
            ])
        let registry = laboratory.registry()
        let (a, b) = (registry.type("com.example.a"), registry.type("com.example.b"))
        #expect(registry.conforms(try #require(a), to: .json))
        #expect(registry.conforms(try #require(b), to: .image))
    }

    @Test("cannot change types that the system owns, but the owner of a type it only knows of can")
    func systemTypes() throws {
        let laboratory = try Laboratory()
        let docx = "org.openxmlformats.wordprocessingml.document"
        try laboratory.declare(
            "home/uniform-type-identifiers/a.plist",
            exported: [
                entry("public.png", conformsTo: "public.text", extensions: ["txt"]),
                entry(docx, conformsTo: "public.image", extensions: ["docx", "docz"], description: "Replaced"),
                entry("com.example.child", conformsTo: docx),
            ], imported: [entry("org.webmproject.webp", conformsTo: "public.text")])
        let registry = laboratory.registry()
        #expect(registry.conforms(.png, to: .image) && !registry.conforms(.png, to: .text))
        #expect(registry.identifiers(tagged: "txt").first == "public.plain-text")
        let word = try #require(registry.type(docx))
        #expect(registry.conforms(word, to: .image) && registry.description(of: word) == "Replaced")
        #expect(registry.conforms(try #require(registry.type("com.example.child")), to: .image))
        #expect(registry.identifiers(tagged: "docx") == [docx] && registry.identifiers(tagged: "docz") == [docx])
        #expect(registry.conforms(.webP, to: .image) && !registry.conforms(.webP, to: .text))
        #expect(registry.conforms(.gif, to: .image) && registry.supertypes(of: .pdf).contains(.data))
    }

    @Test("take tags in this order: the system's, their owners', those it knows of, other programs'")
    func ties() throws {
        let laboratory = try Laboratory()
        let extensions = ["png", "webp", "zzz"]
        try laboratory.declare(
            "home/uniform-type-identifiers/a.plist",
            exported: [entry("com.example.owner", conformsTo: "public.image", extensions: extensions)],
            imported: [entry("com.example.other", conformsTo: "public.image", extensions: extensions)])
        let registry = laboratory.registry()
        let (owner, other) = ("com.example.owner", "com.example.other")
        #expect(registry.identifiers(tagged: "png") == ["public.png", owner, other])
        #expect(registry.identifiers(tagged: "webp") == [owner, "org.webmproject.webp", other])
        #expect(registry.identifiers(tagged: "zzz") == [owner, other])
        #expect(registry.identifiers(tagged: "zzz", to: .text).first?.hasPrefix("dyn.") == true)
        #expect(registry.type(tag: "webp", tagClass: .filenameExtension, conformingTo: .data)?.identifier == owner)
    }

    @Test("are told of once if they cannot be read, and take no others with them")
    func broken() throws {
        let laboratory = try Laboratory()
        let folder = "home/uniform-type-identifiers"
        try laboratory.write("<plist><dict>", to: "\(folder)/broken.plist")
        try laboratory.write(Data(repeating: 0x20, count: 5 << 20), to: "\(folder)/large.plist")
        try FileManager.default.createDirectory(
            atPath: laboratory.path("\(folder)/folder.plist"), withIntermediateDirectories: true)
        #expect(mkfifo(laboratory.path("\(folder)/pipe.plist"), 0o600) == 0)
        try laboratory.declare(
            "\(folder)/zz-good.plist", exported: [entry("com.example.good", conformsTo: "public.data")])
        let registry = laboratory.registry()
        #expect(registry.type("com.example.good") != nil && registry.type("com.example.bad") == nil)
        let said = laboratory.said
        #expect(said.count == 4)
        for name in ["broken", "large", "folder", "pipe"] {
            #expect(said.filter { $0.contains("\(name).plist: The file ") }.count == 1)
        }
        #expect(TypeDeclarationCheck.problems(places: laboratory.places).map(\.description) == said)
    }

    @Test("are looked for where the environment says, and where it should be silent")
    func environment() {
        let silent = TypePlaces(environment: ["HOME": "/home/u"], homeFolder: nil, executable: "/opt/tool/bin/tool")
        #expect(silent.userFolder == "/home/u/.local/share/uniform-type-identifiers")
        #expect(
            silent.declarationFolders == [
                "/home/u/.local/share/uniform-type-identifiers", "/usr/local/share/uniform-type-identifiers",
                "/usr/share/uniform-type-identifiers", "/opt/tool/bin/uniform-type-identifiers",
            ])
        let told = TypePlaces(
            environment: ["HOME": "/home/u", "XDG_DATA_HOME": "/data", "XDG_DATA_DIRS": "/a/:relative:/b"],
            homeFolder: "/other", executable: nil)
        #expect(
            told.declarationFolders == [
                "/data/uniform-type-identifiers", "/a/uniform-type-identifiers", "/b/uniform-type-identifiers",
            ])
        #expect(told.mimeFolders == ["/data/mime", "/a/mime", "/b/mime"])
        let relative = TypePlaces(environment: ["XDG_DATA_HOME": "data"], homeFolder: "/other", executable: nil)
        #expect(relative.dataHome == "/other/.local/share")
    }
}
