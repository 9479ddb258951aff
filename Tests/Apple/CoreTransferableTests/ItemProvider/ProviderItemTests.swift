import CoreTransferable
import Testing

@Suite("Items and previews in an item provider")
struct ProviderItemTests {
    @Test("an item is returned unchanged, and as data where possible")
    func items() async throws {
        let text = NSItemProvider(item: NSString(string: "hello"), typeIdentifier: "public.plain-text")
        #expect((try await text.loadItem(forTypeIdentifier: "public.text") as? String) == "hello")
        #expect(try await text.loadDataRepresentation(for: .plainText) == Data("hello".utf8))
        let data = NSItemProvider(item: NSData(data: Data([1])), typeIdentifier: "public.png")
        #expect((try await data.loadItem(forTypeIdentifier: "public.image") as? Data) == Data([1]))
        #expect(try await data.loadDataRepresentation(for: .png) == Data([1]))
        let number = NSItemProvider(item: NSNumber(value: 7), typeIdentifier: "com.example.number")
        #expect((try await number.loadItem(forTypeIdentifier: "com.example.number") as? NSNumber) == 7)
        let error = await #expect(throws: ItemProviderError.self) {
            try await number.loadDataRepresentation(forTypeIdentifier: "com.example.number")
        }
        #expect(error?.kind == .unavailableCoercionError)
        #expect(NSItemProvider(item: nil, typeIdentifier: "public.png").registeredTypeIdentifiers.isEmpty)
        let untyped = NSItemProvider(item: NSString(string: "x"), typeIdentifier: nil)
        #expect(untyped.registeredContentTypes == [.utf8PlainText])
    }

    @Test("a file's URL as an item stands for the file's contents, unless its type is a URL's")
    func fileURL() async throws {
        let scratch = try ScratchFolder()
        let file = try scratch.file("a.png", [1, 2])
        let item = NSURL(fileURLWithPath: file.path)
        let image = NSItemProvider(item: item, typeIdentifier: "public.png")
        #expect((try await image.loadItem(forTypeIdentifier: "public.image") as? URL)?.path == file.path)
        #expect(try await image.loadDataRepresentation(for: .image) == Data([1, 2]))
        try await image.withFileRepresentation(for: .image, openInPlace: true) { url, isInPlace in
            #expect(isInPlace && url.path == file.path)
        }
        let form = try #require(image.exportableRepresentations().first)
        guard form.isFile, case .file(let sent) = try await form.export() else { throw NeverHeld() }
        #expect(sent.file.path == file.path && sent.allowAccessingOriginalFile)
        let url = NSItemProvider(item: item, typeIdentifier: "public.file-url")
        #expect(try await url.loadDataRepresentation(for: .fileURL) == Data(item.absoluteString.utf8))
        #expect(try await url.loadObject(ofClass: URL.self).path == file.path)
    }

    @Test("an item that was registered as something else is its data, or the file that may be opened")
    func otherForms() async throws {
        let scratch = try ScratchFolder()
        let file = try scratch.file("a.png", [1])
        let provider = NSItemProvider()
        provider.registerBytes(.json, "{}")
        provider.registerFile(.png, file)
        provider.registerFile(.jpeg, file, openInPlace: true)
        #expect((try await provider.loadItem(forTypeIdentifier: "public.json") as? Data) == Data("{}".utf8))
        #expect((try await provider.loadItem(forTypeIdentifier: "public.png") as? Data) == Data([1]))
        #expect((try await provider.loadItem(forTypeIdentifier: "public.jpeg") as? URL)?.path == file.path)
    }

    @Test("handlers of items and previews are given the options, and their answers are passed on")
    func handlers() async throws {
        let provider = NSItemProvider()
        let size = NSItemProviderPreferredImageSizeKey
        provider.registerItem(forTypeIdentifier: "public.gif") { done, expected, options in
            #expect(expected == nil)
            done?(options?[size] as? NSString, nil)
        }
        let calls = Calls<String?>()
        provider.loadItem(forTypeIdentifier: "public.gif", options: [size: NSString(string: "big")]) { item, error in
            #expect(error == nil)
            calls.add(item as? String)
        }
        #expect(try await calls.first() == "big")
        provider.loadItem(forTypeIdentifier: "public.gif", options: nil, completionHandler: nil)
        var error = await #expect(throws: ItemProviderError.self) { try await provider.loadPreviewImage() }
        #expect(error?.kind == .itemUnavailableError)
        provider.previewImageHandler = { done, _, options in done?(options?[size] as? NSString, nil) }
        #expect(provider.previewImageHandler != nil)
        let preview = try await provider.loadPreviewImage(options: [size: NSString(string: "small")])
        #expect(preview as? String == "small")
        let previews = Calls<Int?>()
        provider.loadPreviewImage(options: nil) { _, error in previews.add(code(error)) }
        #expect(try await previews.first() == -1000)
        error = await #expect(throws: ItemProviderError.self) {
            try await provider.loadItem(forTypeIdentifier: "no.such")
        }
        #expect(error?.description.contains("public.gif") == true)
    }

    @Test("a URL that was registered as an object or a value is a URL as an item, and data where data was registered")
    func urls() async throws {
        let scratch = try ScratchFolder()
        let file = try scratch.file("a.png", [1])
        let web = try #require(URL(string: "https://example.com/a?b=c#d"))
        func item(_ provider: NSItemProvider, _ type: String) async throws -> URL? {
            try await provider.loadItem(forTypeIdentifier: type) as? URL
        }
        #expect(try await item(NSItemProvider(object: NSURL(string: web.absoluteString)!), "public.url") == web)
        #expect(try await item(NSItemProvider(object: NSURL(fileURLWithPath: file.path)), "public.url") == file)
        #expect(try await item(NSItemProvider(object: NSURL(fileURLWithPath: file.path)), "public.file-url") == file)
        let contents = try #require(NSItemProvider(contentsOf: file))
        #expect(try await item(contents, "public.file-url")?.path == file.path)
        let made = NSItemProvider()
        made.registerObject(ofClass: URL.self, visibility: .all) { done in
            done(web, nil)
            return nil
        }
        #expect(try await item(made, "public.url") == web)
        let value = NSItemProvider()
        value.register(web)
        #expect(try await item(value, "public.url") == web)
        #expect(try await value.loadDataRepresentation(for: .url) == Data(web.absoluteString.utf8))
        let data = NSItemProvider()
        data.registerBytes(.url, web.absoluteString)
        #expect((try await data.loadItem(forTypeIdentifier: "public.url") as? Data) == Data(web.absoluteString.utf8))
        let text = NSItemProvider(object: NSString(string: "hello"))
        #expect((try await text.loadItem(forTypeIdentifier: "public.text") as? Data) == Data("hello".utf8))
    }

    @Test("a provider's errors can be caught as NSError")
    func caughtAsNSError() async throws {
        let provider = NSItemProvider(item: NSNumber(value: 7), typeIdentifier: "com.example.number")
        let loads: [@Sendable () async throws -> Void] = [
            { _ = try await provider.loadItem(forTypeIdentifier: "no.such") },
            { _ = try await provider.loadDataRepresentation(for: .png) },
            { _ = try await provider.loadDataRepresentation(forTypeIdentifier: "com.example.number") },
            { _ = try await provider.loadObject(ofClass: String.self) },
            { _ = try await provider.loadPreviewImage() },
            { _ = try await provider.loadTransferable(type: String.self) },
        ]
        for load in loads {
            do {
                try await load()
                Issue.record("it was loaded")
            } catch let error as NSError {
                #expect(error.domain == NSItemProvider.errorDomain && error.code <= -1000)
                #expect(error.localizedDescription == "\(error)" && !error.localizedDescription.isEmpty)
            } catch {
                Issue.record("no NSError: \(error)")
            }
        }
    }

    @Test("errors have Apple's domain and codes")
    func errorCodes() {
        #expect(NSItemProvider.errorDomain == "NSItemProviderErrorDomain")
        let codes: [NSItemProvider.ErrorCode] = [
            .unknownError, .itemUnavailableError, .unexpectedValueClassError, .unavailableCoercionError,
        ]
        #expect(codes.map(\.rawValue) == [-1, -1000, -1100, -1200])
        #expect(NSItemProviderRepresentationVisibility.ownProcess.rawValue == 3)
        #expect(NSItemProviderFileOptions.openInPlace.rawValue == 1)
    }
}
