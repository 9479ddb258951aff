import CoreTransferable
import Testing

@Suite("Foundation's additions by the import of CoreTransferable alone")
struct FoundationByImportTests {
    @Test("the parts of Foundation that Linux lacks act as documented")
    func additions() async throws {
        let scratch = try ScratchFolder()
        let file = try scratch.file("page.png", [1, 2])
        let page = try await ScannedPage(importing: file, contentType: .image)
        defer { try? FileManager.default.removeItem(at: page.file) }
        #expect(try page.wrapper.regularFileContents == Data([1, 2]) && ScannedPage.read(page.file) == Data([1, 2]))
        let original = ScannedPage(file: file)
        #expect(try original.contentType == .png && original.typeIdentifier == "public.png")
        #expect(try await original.provider.loadDataRepresentation(for: .image) == Data([1, 2]))
        #expect(ScannedPage.home.isFileURL)
    }

    @Test("loaded objects are cast to Swift's types, without a warning that this always fails")
    func casting() async throws {
        let scratch = try ScratchFolder()
        let file = try scratch.file("a.png", [1])
        let items = LoadedObjects.items(file)
        #expect(LoadedObjects.text(of: try await items[0].loadItem(forTypeIdentifier: "public.data")) == "data")
        #expect(LoadedObjects.text(of: try await items[1].loadItem(forTypeIdentifier: "public.text")) == "text")
        #expect(LoadedObjects.text(of: try await items[2].loadItem(forTypeIdentifier: "public.url")) == "a.png")
        let calls = Calls<String?>()
        items[1].loadObject(ofClass: NSString.self) { object, _ in calls.add(LoadedObjects.text(of: object)) }
        #expect(try await calls.first() == "text")
        let urls = Calls<String?>()
        items[2].loadObject(ofClass: NSURL.self) { object, _ in urls.add(LoadedObjects.text(of: object)) }
        #expect(try await urls.first() == file.absoluteString)
        #expect(LoadedObjects.text(of: NSNumber(value: 1) as any NSSecureCoding) == nil)
        let dictionary = NSDictionary(dictionary: ["key": "value"])
        #expect(LoadedObjects.dictionary(of: dictionary)?["key"] as? String == "value")
        #expect(LoadedObjects.dictionary(of: nil) == nil)
        #expect(LoadedObjects.text(of: nil as (any NSItemProviderReading)?) == nil)
    }

    @Test("Swift's values can be items like the objects that they are bridged to")
    func items() async throws {
        let scratch = try ScratchFolder()
        let file = try scratch.file("a.png", [1])
        let items = LoadedObjects.items(file)
        #expect(
            items.map(\.registeredTypeIdentifiers) == [
                ["public.data"], ["public.utf8-plain-text"], ["public.file-url"], ["public.png"],
            ])
        #expect(try await items[0].loadDataRepresentation(for: .data) == Data("data".utf8))
        #expect(try await items[1].loadObject(ofClass: String.self) == "text")
        #expect(try await items[2].loadObject(ofClass: URL.self) == file)
        #expect(try await items[3].loadDataRepresentation(for: .png) == Data([1]))
        #expect(items[3].registeredContentTypesForOpenInPlace == [.png])
        let provider = NSItemProvider()
        provider.registerItem(forTypeIdentifier: "public.png") { done, _, _ in done?(file as any NSSecureCoding, nil) }
        #expect(try await provider.loadDataRepresentation(for: .png) == Data([1]))
    }

    @Test("Swift's values are archived like the objects that they are bridged to")
    func archiving() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        Data([1]).encode(with: archiver)
        archiver.finishEncoding()
        let data = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        #expect(Data(coder: data) == Data([1]))
        let text = NSKeyedArchiver(requiringSecureCoding: true)
        "text".encode(with: text)
        text.finishEncoding()
        #expect(String(coder: try NSKeyedUnarchiver(forReadingFrom: text.encodedData)) == "text")
        let url = NSKeyedArchiver(requiringSecureCoding: true)
        let web = try #require(URL(string: "https://example.org/a"))
        web.encode(with: url)
        url.finishEncoding()
        #expect(URL(coder: try NSKeyedUnarchiver(forReadingFrom: url.encodedData)) == web)
        #expect(Data.supportsSecureCoding && String.supportsSecureCoding && URL.supportsSecureCoding)
    }
}
