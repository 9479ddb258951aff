import Foundation
import TestSupport
import Testing

@testable import UniformTypeIdentifiers

@Suite("shared-mime-info", .aside)
struct SharedMIMEInfoTests {
    private func laboratory() throws -> Laboratory {
        let laboratory = try Laboratory()
        try laboratory.write(
            """
            # comment
            50:text/x-zscript:*.zsc
            50:application/x-zpack:*.zpack
            50:image/x-zpaint:*.zpaint
            50:video/x-zfilm:*.zfilm
            50:audio/x-zsound:*.zsound
            50:font/x-zfont:*.zfont
            50:text/x-znote:*.znote
            50:application/x-zblob:*.zblob
            50:image/jpeg:*.zjpeg
            50:application/x-zalias:*.zmarked
            50:application/x-ztar-gz:*.ztar.gz
            50:text/x-zmake:Zmakefile
            50:text/x-zmake:*.mk
            40:text/x-light:*.zweight
            60:text/x-heavy:*.zweight
            50:text/x-capital:*.ZC:cs
            50:text/x-pattern:*.so.[0-9]*
            50:text/x-bad:*.a/b
            nonsense
            fifty:text/x-bad:*.zbad
            50:text/x-open:*.zopen
            """, to: "data1/mime/globs2")
        try laboratory.write(
            """
            50:text/x-closed:__NOGLOBS__
            50:text/x-closed:*.znew
            50:application/json:*.zopen
            """, to: "home/mime/globs2")
        try laboratory.write("50:text/x-closed:*.zold\n50:text/x-other:*.zold2\n", to: "data2/mime/globs2")
        try laboratory.write(
            "application/x-zold-pack application/x-zpack\napplication/json application/x-zalias\nbroken\n",
            to: "data1/mime/aliases")
        try laboratory.write(
            "application/x-zpack application/zip\nimage/x-zpaint application/zip\ntext/x-zscript application/x-executable\n"
                + "text/x-zscript text/plain\napplication/x-loop application/x-loop2\napplication/x-loop2 application/x-loop\n",
            to: "data1/mime/subclasses")
        return laboratory
    }

    private func supertypes(of filenameExtension: String, in registry: TypeRegistry) throws -> [String] {
        let type = try #require(
            registry.type(tag: filenameExtension, tagClass: .filenameExtension, conformingTo: .data))
        #expect(DynamicIdentifier(type.identifier) != nil)
        return DynamicIdentifier(type.identifier)?.supertypes ?? []
    }

    @Test("An extension it knows becomes a dynamic type of the right kind")
    func kinds() throws {
        let registry = try laboratory().registry()
        let expected = [
            "zsc": ["public.plain-text"], "zpack": ["public.zip-archive"], "zfilm": ["public.movie"],
            "zsound": ["public.audio"], "zfont": ["public.font"], "znote": ["public.text"], "zblob": ["public.data"],
            "zpaint": ["public.zip-archive", "public.image"],
        ]
        for (filenameExtension, parents) in expected {
            let found = try supertypes(of: filenameExtension, in: registry)
            #expect(found == parents, "\(filenameExtension)")
        }
        let script = try #require(registry.type(tag: "ZSC", tagClass: .filenameExtension, conformingTo: .data))
        #expect(registry.tags(of: script) == [.filenameExtension: ["zsc"], .mimeType: ["text/x-zscript"]])
        #expect(registry.conforms(script, to: .text) && registry.conforms(script, to: .data))
    }

    @Test("A MIME type it knows by another name leads to the declared type, or to the same dynamic one")
    func mimeTypes() throws {
        let registry = try laboratory().registry()
        #expect(registry.type(tag: "zjpeg", tagClass: .filenameExtension, conformingTo: .data) == .jpeg)
        #expect(registry.type(tag: "zmarked", tagClass: .filenameExtension, conformingTo: .data) == .json)
        #expect(registry.type(tag: "application/x-zalias", tagClass: .mimeType, conformingTo: .data) == .json)
        let pack = registry.type(tag: "zpack", tagClass: .filenameExtension, conformingTo: .data)
        #expect(registry.type(tag: "application/x-zpack", tagClass: .mimeType, conformingTo: .data) == pack)
        #expect(registry.type(tag: "Application/X-Zold-Pack", tagClass: .mimeType, conformingTo: .data) == pack)
        let loop = registry.type(tag: "application/x-loop", tagClass: .mimeType, conformingTo: .data)
        #expect(loop.map(registry.supertypes(of:))?.map(\.identifier) == ["public.data", "public.item"])
    }

    @Test("A MIME type it knows stands for files of each of its extensions, and is known")
    func severalExtensionsOfOneType() throws {
        let laboratory = try laboratory()
        try laboratory.write("50:message/x-zletter:*.zlet\n50:message/x-zletter:*.zletter\n", to: "data2/mime/globs2")
        let registry = laboratory.registry()
        let letter = try #require(registry.type(tag: "message/x-zletter", tagClass: .mimeType, conformingTo: .data))
        #expect(registry.tags(of: letter)[.filenameExtension] == ["zlet"])
        for name in ["a.zlet", "a.zletter"] {
            let type = try #require(registry.type(ofItemNamed: name, mode: S_IFREG | 0o644))
            #expect(registry.conforms(type, to: letter) && registry.conforms(type, to: .data) && registry.isKnown(type))
        }
        let long = try #require(registry.type(tag: "zletter", tagClass: .filenameExtension, conformingTo: .data))
        #expect(registry.tags(of: long)[.filenameExtension] == ["zletter"] && long != letter)
        for unknown in ["x-znothing", "message/x-znothing"] {
            let tagClass = unknown.contains("/") ? UTTagClass.mimeType : .filenameExtension
            let type = try #require(registry.type(tag: unknown, tagClass: tagClass, conformingTo: .data))
            #expect(!registry.isKnown(type))
        }
    }

    @Test("Weights, folders, __NOGLOBS__, case and patterns count as the specification says")
    func rules() throws {
        let registry = try laboratory().registry()
        let information = registry.sharedMIMEInfo
        #expect(information.types(ofExtension: "zweight") == ["text/x-heavy", "text/x-light"])
        #expect(information.types(ofExtension: "znew") == ["text/x-closed"])
        #expect(
            information.types(ofExtension: "zold").isEmpty
                && information.types(ofExtension: "zold2") == ["text/x-other"])
        #expect(information.types(ofExtension: "zopen") == ["application/json", "text/x-open"])
        for unknown in ["zc", "zbad", "a/b", "so.[0-9]*", ""] {
            #expect(information.types(ofExtension: unknown).isEmpty)
        }
        #expect(information.types(ofFileNamed: "Zmakefile") == ["text/x-zmake"])
    }

    @Test("A whole name is a type's by a name known for it, or by an extension in common")
    func wholeNames() throws {
        let registry = try laboratory().registry()
        #expect(registry.isWholeName("Zmakefile", of: .makefile) && registry.isWholeName("Zmakefile", of: .text))
        #expect(!registry.isWholeName("Zmakefile", of: .png) && !registry.isWholeName("picture", of: .makefile))
    }

    @Test("A tag that it does not know, or knows for another kind than asked for, is encoded as anywhere")
    func unknown() throws {
        let registry = try laboratory().registry()
        #expect(registry.identifiers(tagged: "bmd") == ["dyn.ah62d4rv4ge80e5pe"])
        #expect(registry.identifiers(tagged: "excel", to: nil) == ["dyn.age80n8ddqz0a"])
        let asked = try #require(registry.type(tag: "zsc", tagClass: .filenameExtension, conformingTo: .image))
        #expect(DynamicIdentifier(asked.identifier)?.supertypes == ["public.image"])
        #expect(registry.tags(of: asked) == [.filenameExtension: ["zsc"]])
        #expect(registry.type(tag: "png", tagClass: .filenameExtension, conformingTo: .data) == .png)
    }

    @Test("Files that are no such files are passed over")
    func hostileFiles() throws {
        let laboratory = try Laboratory()
        try laboratory.write(Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7919) }), to: "home/mime/globs2")
        try laboratory.write(String(repeating: "x", count: 1 << 20), to: "home/mime/aliases")
        try laboratory.write(Data(repeating: 0x0A, count: (8 << 20) + 1), to: "home/mime/subclasses")
        try laboratory.write("50:text/x-good:*.zgood\n50:text/x\u{0}:*.z\u{0}\n50::*.zempty\n", to: "data1/mime/globs2")
        let registry = laboratory.registry()
        let good = try #require(registry.type(tag: "zgood", tagClass: .filenameExtension, conformingTo: .text))
        #expect(registry.tags(of: good)[.mimeType] == ["text/x-good"])
        _ = registry.type(tag: "zempty", tagClass: .filenameExtension, conformingTo: .data)
        #expect(laboratory.said.isEmpty)
    }

    @Test("A last extension that is known goes before a whole name")
    func extensionFirst() throws {
        let laboratory = try laboratory()
        try laboratory.write("50:text/x-zmake:zlists.txt\n50:text/x-zmake:zlists.zzz\n", to: "data2/mime/globs2")
        let registry = laboratory.registry()
        for name in ["zlists.txt", "zlists.zzz"] { try laboratory.write("", to: "items/\(name)") }
        func type(_ name: String) -> UTType? {
            registry.type(ofItemAt: URL(filePath: laboratory.path("items/\(name)")))
        }
        #expect(type("zlists.txt") == .plainText)
        #expect(type("zlists.zzz").map(registry.tags(of:))?[.mimeType] == ["text/x-zmake"])
    }

    @Test("The database is not asked about more of a picture's name than its last extension")
    func severalExtensions() throws {
        let laboratory = try laboratory()
        try laboratory.write(
            "50:application/json:*.2024.png\n50:application/json:*.2024.gz\n50:application/json:*.z.txt\n",
            to: "data2/mime/globs2")
        let registry = laboratory.registry()
        func type(_ name: String) -> UTType? { registry.type(ofItemNamed: name, mode: S_IFREG | 0o644) }
        #expect(type("a.2024.png") == .png)
        #expect(type("a.2024.gz") == .json)
        #expect(type("a.z.txt") == .json)
    }

    @Test("A file is read whole, and not beyond its limit")
    func boundedFiles() throws {
        let laboratory = try Laboratory()
        let bytes = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let path = try laboratory.write(Data(bytes), to: "file")
        #expect(try BoundedFile.bytes(path, maximumSize: bytes.count) == bytes)
        #expect(throws: BoundedFile.Failure.self) { try BoundedFile.bytes(path, maximumSize: bytes.count - 1) }
        #expect(try BoundedFile.bytes(laboratory.write(Data(), to: "empty"), maximumSize: 1).isEmpty)
        // A file whose reported size is 0, and which is read in several pieces.
        let maps = try BoundedFile.bytes("/proc/self/maps", maximumSize: 8 << 20)
        #expect(maps.count > 4096 && maps.last == UInt8(ascii: "\n"))
        #expect(mkfifo(laboratory.path("pipe"), 0o600) == 0)
        #expect(throws: BoundedFile.Failure.self) {
            try BoundedFile.bytes(laboratory.path("pipe"), maximumSize: 1)
        }
    }

    @Test("An entry at a path has the type of its kind or of its name")
    func items() throws {
        let laboratory = try laboratory()
        let registry = laboratory.registry()
        func type(_ name: String, _ contents: String? = "", mode: Int = 0o644) throws -> String? {
            if let contents { try laboratory.write(contents, to: "items/\(name)") }
            let path = laboratory.path("items/\(name)")
            if contents != nil { try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path) }
            return registry.type(ofItemAt: URL(filePath: path))?.identifier
        }
        let files = [
            "a.png": "public.png", "a.b.PNG": "public.png", "none": "public.data", ".png": "public.data",
            "dot.": "public.data", "a.tar.gz": "org.gnu.gnu-zip-archive",
        ]
        for (name, identifier) in files { #expect(try type(name) == identifier, "\(name)") }
        #expect(try type("tool", mode: 0o755) == "public.unix-executable")
        #expect(try type("x.sh", mode: 0o755) == "public.shell-script")
        let make = try #require(try type("Zmakefile"))
        #expect(DynamicIdentifier(make)?.tags[.mimeType] == ["text/x-zmake"])
        for folder in ["plain", "App.app", "odd.zzz", "v1.2"] {
            try FileManager.default.createDirectory(
                atPath: laboratory.path("items/\(folder)"), withIntermediateDirectories: true)
        }
        let folders = ["plain": "public.folder", "odd.zzz": "public.folder", "v1.2": "public.folder"]
        for (name, identifier) in folders { #expect(try type(name, nil) == identifier, "\(name)") }
        #expect(try type("App.app", nil) == "com.apple.application-bundle")
        try FileManager.default.createSymbolicLink(
            atPath: laboratory.path("items/link.txt"), withDestinationPath: "a.png")
        #expect(try type("link.txt", nil) == "public.symlink")
        #expect(
            registry.type(ofItemAt: URL(filePath: laboratory.path("items/link.txt")), followingLinks: true)?.identifier
                == "public.plain-text")
        #expect(mkfifo(laboratory.path("items/pipe"), 0o600) == 0)
        #expect(try type("pipe", nil) == "public.named-pipe")
        #expect(try type("missing", nil) == nil)
    }
}
