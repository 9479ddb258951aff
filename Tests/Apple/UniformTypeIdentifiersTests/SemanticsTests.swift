import Testing
import UniformTypeIdentifiers

/// Behaviour of types on Apple's systems, as far as it is documented or was measured; numbered as in the notes.
@Suite("Semantics of types") struct SemanticsTests {
    @Test("29. a tag gives the best declared type that is data, else a dynamic one that conforms to data")
    func looksUpTags() throws {
        #expect(UTType(filenameExtension: "xml") == .xml)
        #expect(UTType(filenameExtension: "app")?.conforms(to: .data) == true)
        #expect(UTType(filenameExtension: "app", conformingTo: .package) == .applicationBundle)
        #expect(
            UTType(tag: "app", tagClass: .filenameExtension, conformingTo: .directory)?.conforms(to: .directory) == true
        )
        let dynamic = try #require(UTType(filenameExtension: "bmd"))
        #expect(dynamic.isDynamic && dynamic.conforms(to: .data))
    }

    @Test("30. of types that claim one tag, those that are certain win")
    func breaksTies() {
        #expect(UTType(filenameExtension: "mp4") == .mpeg4Movie)
        #expect(UTType(filenameExtension: "jpg") == .jpeg)
    }

    @Test("31. tags are compared without regard to case, and dynamic identifiers have them in lower case")
    func ignoresCase() {
        #expect(UTType(filenameExtension: "PNG") == .png && UTType(mimeType: "Image/PNG") == .png)
        #expect(UTType(filenameExtension: "BMD")?.identifier == "dyn.ah62d4rv4ge80e5pe")
    }

    @Test("33. plain text has an extension, UTF-8 text has none, and text/plain is plain text")
    func namesText() {
        #expect(UTType.plainText.preferredFilenameExtension == "txt")
        #expect(UTType.utf8PlainText.preferredFilenameExtension == nil)
        #expect(UTType(mimeType: "text/plain") == .plainText)
    }

    @Test(
        "34. preferred extensions are those of the declarations",
        arguments: [
            (UTType.jpeg, "jpeg"), (.mpeg4Movie, "mp4"), (.quickTimeMovie, "mov"), (.tiff, "tiff"), (.html, "html"),
        ])
    func prefersExtensions(type: UTType, preferred: String) {
        #expect(type.preferredFilenameExtension == preferred)
    }

    @Test("35. a type that Apple's systems lack is here below the right kind")
    func knowsMore() throws {
        for (name, kind) in [
            ("md", UTType.plainText), ("go", .sourceCode), ("mkv", .movie), ("deb", .archive),
        ] {
            let type = try #require(UTType(filenameExtension: name))
            #expect(type.isDeclared && type.conforms(to: kind), "\(name)")
        }
    }
}
