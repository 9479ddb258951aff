import Testing
import UniformTypeIdentifiers

@Suite("Looking types up")
struct TypeLookupTests {
    @Test("An unknown identifier is nil unless undeclared ones are allowed")
    func unknownIdentifiers() throws {
        #expect(UTType("com.example.never-declared") == nil)
        let kept = try #require(UTType(identifier: "com.example.never-declared", allowUndeclared: true))
        #expect(kept.identifier == "com.example.never-declared")
        #expect(!kept.isDeclared && !kept.isDynamic && kept.supertypes.isEmpty)
        #expect(kept.conforms(to: kept) && !kept.conforms(to: .data))
        for malformed in ["", "has space", "semi;colon", "a/b", "new\nline"] {
            #expect(UTType(identifier: malformed, allowUndeclared: true) == nil, "\(malformed)")
        }
    }

    @Test("Identifiers are found without regard to case and spelled as declared")
    func identifierCase() {
        #expect(UTType("PUBLIC.PNG") == .png)
        #expect(UTType("com.apple.iwork.pages.pages")?.identifier == "com.apple.iWork.Pages.pages")
    }

    @Test(
        "The common extensions have the expected types",
        arguments: [
            ("png", UTType.png), ("jpg", .jpeg), ("JPG", .jpeg), ("jpeg", .jpeg), ("txt", .plainText), ("html", .html),
            ("xml", .xml), ("mp4", .mpeg4Movie), ("mov", .quickTimeMovie), ("pdf", .pdf), ("json", .json),
            ("zip", .zip), ("md", .markdown), ("plist", .propertyList), ("ts", .mpeg2TransportStream),
        ])
    func commonExtensions(filenameExtension: String, type: UTType) {
        #expect(UTType(filenameExtension: filenameExtension) == type)
    }

    @Test("MIME types are found without regard to case")
    func mimeTypes() {
        #expect(UTType(mimeType: "text/plain") == .plainText)
        #expect(UTType(mimeType: "IMAGE/PNG") == .png)
        #expect(UTType(mimeType: "video/quicktime") == .quickTimeMovie)
        #expect(UTType(mimeType: "application/octet-stream") == .data)
    }

    @Test("29. Packages and folders are not data: they are found only where they are asked for")
    func packages() throws {
        #expect(UTType(filenameExtension: "app")?.conforms(to: .data) == true)
        #expect(UTType(filenameExtension: "app", conformingTo: .package) == .applicationBundle)
        #expect(UTType(tag: "app", tagClass: .filenameExtension, conformingTo: nil) == .applicationBundle)
        let bundle = try #require(UTType(filenameExtension: "framework"))
        #expect(bundle.isDynamic)
        #expect(UTType(filenameExtension: "framework", conformingTo: .directory) == .framework)
    }

    @Test("30. A tag several types claim gives all of them, the system's own first")
    func ties() {
        let types = UTType.types(tag: "xml", tagClass: .filenameExtension, conformingTo: nil)
        #expect(types.map(\.identifier) == ["public.xml", "com.microsoft.word.wordml"])
    }

    @Test("An unclaimed tag gives a dynamic type that conforms to the requested one")
    func unclaimedTags() throws {
        let plain = try #require(UTType(filenameExtension: "BMD"))
        #expect(plain.identifier == "dyn.ah62d4rv4ge80e5pe")
        #expect(plain.conforms(to: .data) && plain.conforms(to: .item) && !plain.conforms(to: .text))
        #expect(plain.preferredFilenameExtension == "bmd")
        let text = try #require(UTType(filenameExtension: "bmd", conformingTo: .plainText))
        #expect(text.conforms(to: .text) && text.conforms(to: .data))
        let free = try #require(UTType(tag: "bmd", tagClass: .filenameExtension, conformingTo: nil))
        #expect(free.supertypes.isEmpty)
        #expect(UTType(mimeType: "application/x-unheard-of")?.preferredMIMEType == "application/x-unheard-of")
    }

    @Test("A tag that no file or header can carry gives nothing")
    func impossibleTags() {
        #expect(UTType(filenameExtension: "a/b") == nil)
        #expect(UTType(filenameExtension: "a\0b") == nil)
        #expect(UTType(mimeType: "") == nil)
        #expect(UTType.types(tag: "", tagClass: UTTagClass(rawValue: "com.example.class"), conformingTo: nil).isEmpty)
    }

    @Test("Tag classes of one's own work")
    func customTagClasses() throws {
        let model = UTTagClass(rawValue: "com.apple.device-model-code")
        let type = try #require(UTType(tag: "Box1,2", tagClass: model, conformingTo: .item))
        #expect(type.isDynamic && type.conforms(to: .item))
        #expect(type.tags == [model: ["Box1,2"]])
        #expect(UTType(tag: "PNGf", tagClass: UTTagClass(rawValue: "com.apple.ostype"), conformingTo: nil) == .png)
    }

    @Test("34. The preferred extension is the declared one, not the shortest")
    func preferredTags() {
        #expect(UTType.jpeg.preferredFilenameExtension == "jpeg")
        #expect(UTType.mpeg4Movie.preferredFilenameExtension == "mp4")
        #expect(UTType.quickTimeMovie.preferredFilenameExtension == "mov")
        #expect(UTType.tiff.preferredFilenameExtension == "tiff")
        #expect(UTType.html.preferredFilenameExtension == "html")
        #expect(UTType.plainText.preferredFilenameExtension == "txt")
        #expect(UTType.utf8PlainText.preferredFilenameExtension == nil)
        #expect(UTType.png.preferredMIMEType == "image/png")
    }
}
