import CoreTransferable
import Testing

@Suite("Registrations of an item provider")
struct ProviderRegistrationTests {
    @Test("1. is listed in the order of registration, each type once")
    func order() {
        let provider = NSItemProvider()
        #expect(provider.registeredContentTypes.isEmpty && provider.registeredTypeIdentifiers.isEmpty)
        provider.registerBytes(.png, "1")
        provider.registerBytes(.utf8PlainText, "2")
        provider.registerBytes(.jpeg, "3")
        provider.registerBytes(.png, "4")
        #expect(provider.registeredContentTypes == [.png, .utf8PlainText, .jpeg])
        #expect(provider.registeredTypeIdentifiers == ["public.png", "public.utf8-plain-text", "public.jpeg"])
        #expect(provider.registeredContentTypes(conformingTo: .image) == [.png, .jpeg])
        #expect(provider.registeredContentTypes(conformingTo: .audio).isEmpty)
    }

    @Test("is found by conformance")
    func conformance() {
        let provider = NSItemProvider()
        provider.registerBytes(.png, "1")
        #expect(provider.hasItemConformingToTypeIdentifier("public.png"))
        #expect(provider.hasItemConformingToTypeIdentifier("public.image"))
        #expect(!provider.hasItemConformingToTypeIdentifier("public.jpeg"))
        #expect(provider.hasRepresentationConforming(toTypeIdentifier: "public.data"))
        #expect(!provider.hasRepresentationConforming(toTypeIdentifier: "public.data", fileOptions: .openInPlace))
    }

    @Test("is listed apart where the file itself may be opened")
    func openInPlace() throws {
        let scratch = try ScratchFolder()
        let file = try scratch.file("a.png", [1])
        let provider = NSItemProvider()
        provider.registerFile(.jpeg, file)
        provider.registerFile(.png, file, openInPlace: true)
        provider.registerFileRepresentation(
            forTypeIdentifier: "public.tiff", fileOptions: [.openInPlace], visibility: .all
        ) { done in
            done(file, false, nil)
            return nil
        }
        #expect(provider.registeredContentTypesForOpenInPlace == [.png, .tiff])
        #expect(provider.registeredTypeIdentifiers(fileOptions: .openInPlace) == ["public.png", "public.tiff"])
        #expect(provider.registeredTypeIdentifiers(fileOptions: []).count == 3)
        #expect(provider.hasRepresentationConforming(toTypeIdentifier: "public.png", fileOptions: .openInPlace))
        #expect(!provider.hasRepresentationConforming(toTypeIdentifier: "public.jpeg", fileOptions: .openInPlace))
    }

    @Test(
        "is found by its very identifier where that is none that a type could have",
        arguments: ["", "com.example\u{7}bell", String(repeating: "x.", count: 1 << 19)])
    func malformedIdentifier(_ identifier: String) async throws {
        let provider = NSItemProvider()
        provider.registerDataRepresentation(forTypeIdentifier: identifier, visibility: .all) { done in
            done(Data("x".utf8), nil)
            return nil
        }
        #expect(provider.registeredTypeIdentifiers == [identifier])
        #expect(try await provider.loadDataRepresentation(forTypeIdentifier: identifier) == Data("x".utf8))
        let error = await #expect(throws: ItemProviderError.self) {
            try await provider.loadDataRepresentation(for: .png)
        }
        let sentence = try #require(error?.description)
        #expect(sentence.utf8.count < 1000 && !sentence.contains("\u{7}"))
    }

    @Test("can be loaded in this process at any visibility, and is told to the library with it")
    func visibility() async throws {
        let provider = NSItemProvider()
        provider.registerBytes(.png, "own", visibility: .ownProcess)
        provider.registerBytes(.jpeg, "group", visibility: .group)
        provider.registerBytes(.tiff, "team", visibility: .team)
        provider.registerBytes(.gif, "all")
        #expect(try await provider.loadDataRepresentation(for: .png) == Data("own".utf8))
        let forms = provider.exportableRepresentations()
        #expect(forms.map(\.contentType) == [.png, .jpeg, .tiff, .gif])
        #expect(forms.map(\.visibility) == [.ownProcess, .group, .team, .all])
        guard case .data(let data) = try await forms[2].export() else { throw NeverHeld() }
        #expect(data == Data("team".utf8))
    }

    @Test("23. made of a file is its contents, its file URL and its URL")
    func contentsOfFile() async throws {
        let scratch = try ScratchFolder()
        let file = try scratch.file("photo.one.jpg", [7])
        let provider = try #require(NSItemProvider(contentsOf: file))
        #expect(provider.registeredTypeIdentifiers == ["public.jpeg", "public.file-url", "public.url"])
        #expect(provider.suggestedName == "photo.one")
        #expect(provider.registeredContentTypesForOpenInPlace == [.jpeg])
        #expect(try await provider.loadDataRepresentation(for: .image) == Data([7]))
        #expect(try await provider.loadDataRepresentation(for: .fileURL) == Data(file.absoluteString.utf8))
        #expect(try await provider.loadObject(ofClass: URL.self) == file)
        #expect(NSItemProvider(contentsOf: scratch.url.appending(path: "none.jpg")) == nil)
        #expect(NSItemProvider(contentsOf: URL(string: "https://example.org/a.jpg")) == nil)
        #expect(NSItemProvider(contentsOf: nil) == nil)
    }

    @Test("made of a file has the type and the visibility that it is given")
    func contentsOfFileAsType() async throws {
        let scratch = try ScratchFolder()
        let file = try scratch.file("notes", [7])
        let provider = NSItemProvider(contentsOf: file, contentType: .json, visibility: .group)
        #expect(provider.registeredContentTypes == [.json, .fileURL, .url])
        #expect(provider.registeredContentTypesForOpenInPlace.isEmpty && provider.suggestedName == "notes")
        #expect(provider.exportableRepresentations().allSatisfy { $0.visibility == .group })
        #expect(NSItemProvider(contentsOf: file, contentType: nil).registeredContentTypes.first == .data)
        let folder = try scratch.folder("v1.2", with: ["a"])
        let album = NSItemProvider(contentsOf: folder, contentType: nil, openInPlace: true)
        #expect(album.registeredContentTypes.first == .folder && album.suggestedName == "v1.2")
        let web = NSItemProvider(contentsOf: URL(string: "https://example.org/ä")!, contentType: nil)
        #expect(web.registeredContentTypes == [.url])
        #expect(try await web.loadObject(ofClass: URL.self).absoluteString == "https://example.org/%C3%A4")
    }

    @Test("is copied with its name, and grows apart from the copy")
    func copying() throws {
        let provider = NSItemProvider()
        provider.registerBytes(.png, "1")
        provider.suggestedName = "a"
        let copy = try #require(provider.copy() as? NSItemProvider)
        copy.registerBytes(.jpeg, "2")
        copy.suggestedName = "b"
        #expect(provider.registeredContentTypes == [.png] && copy.registeredContentTypes == [.png, .jpeg])
        #expect(provider.suggestedName == "a" && copy.suggestedName == "b")
    }

    @Test("can be subclassed")
    func subclass() async throws {
        final class Tagged: NSItemProvider, @unchecked Sendable {  // its one property is immutable
            let tag = "x"
        }
        let provider = Tagged(object: NSString(string: "hello"))
        #expect(provider.tag == "x" && provider.canLoadObject(ofClass: String.self))
        #expect(try await provider.loadObject(ofClass: String.self) == "hello")
    }
}
