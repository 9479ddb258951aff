import CoreTransferable
import Testing

/// A class as programs write them.
private final class Card: NSObject, NSItemProviderReading, NSItemProviderWriting {
    let name: String

    init(name: String) {
        self.name = name
    }

    static let readableTypeIdentifiersForItemProvider = ["public.vcard", "public.text"]
    static let writableTypeIdentifiersForItemProvider = ["public.vcard", "public.utf8-plain-text"]

    static func object(withItemProviderData data: Data, typeIdentifier: String) throws -> Card {
        guard !data.isEmpty else { throw CocoaError(.coderReadCorrupt) }
        return Card(name: "\(String(decoding: data, as: UTF8.self)) (\(typeIdentifier))")
    }

    static func itemProviderVisibilityForRepresentation(
        withTypeIdentifier typeIdentifier: String
    ) -> NSItemProviderRepresentationVisibility {
        typeIdentifier == "public.vcard" ? .group : .all
    }

    func loadData(
        withTypeIdentifier typeIdentifier: String,
        forItemProviderCompletionHandler completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress? {
        completionHandler(Data(name.utf8), nil)
        return nil
    }
}

@Suite("Objects in an item provider")
struct ProviderObjectTests {
    @Test("strings are registered and loaded, as NSString and as String")
    func strings() async throws {
        let provider = NSItemProvider(object: NSString(string: "héllo"))
        #expect(provider.registeredContentTypes == [.utf8PlainText])
        #expect(provider.canLoadObject(ofClass: String.self) && provider.canLoadObject(ofClass: NSString.self))
        #expect(!provider.canLoadObject(ofClass: URL.self) && !provider.canLoadObject(ofClass: NSURL.self))
        #expect(try await provider.loadObject(ofClass: String.self) == "héllo")
        #expect(try await provider.loadObject(ofClass: NSMutableString.self).description == "héllo")
        let calls = Calls<String?>()
        _ = provider.loadObject(ofClass: String.self) { text, error in calls.add(error == nil ? text : nil) }
        provider.loadObject(ofClass: NSString.self) { object, error in calls.add((object as? NSString)?.description) }
        try await eventually { calls.all.count == 2 }
        #expect(calls.all == ["héllo", "héllo"])
        #expect(try await provider.loadTransferable(type: String.self) == "héllo")
    }

    @Test("text is read by its type's encoding, and other bytes are an error")
    func encodings() async throws {
        let provider = NSItemProvider()
        provider.registerDataRepresentation(for: .utf16ExternalPlainText) { done in
            done("ä€".data(using: .utf16), nil)
            return nil
        }
        #expect(try await provider.loadObject(ofClass: String.self) == "ä€")
        let broken = NSItemProvider()
        broken.registerDataRepresentation(for: .swiftSource) { done in
            done(Data([0xC3, 0x28]), nil)
            return nil
        }
        #expect(broken.canLoadObject(ofClass: String.self))
        let error = await #expect(throws: ItemProviderError.self) { try await broken.loadObject(ofClass: String.self) }
        #expect(error?.kind == .unavailableCoercionError && error?.description.contains("swift-source") == true)
    }

    @Test("URLs are registered and loaded, file URLs also as files")
    func urls() async throws {
        let web = try #require(NSURL(string: "https://example.org/a?b=c"))
        let provider = NSItemProvider(object: web)
        #expect(provider.registeredContentTypes == [.url])
        #expect(try await provider.loadObject(ofClass: URL.self).absoluteString == "https://example.org/a?b=c")
        #expect(try await provider.loadTransferable(type: URL.self).host() == "example.org")
        let file = NSItemProvider(object: NSURL(fileURLWithPath: "/tmp/a b.txt"))
        #expect(file.registeredContentTypes == [.fileURL, .url])
        #expect(try await file.loadObject(ofClass: URL.self).path == "/tmp/a b.txt")
        await #expect(throws: ItemProviderError.self) { try await file.loadObject(ofClass: String.self) }
    }

    @Test("a program's class is written and read, in its types and with its visibilities")
    func ownClass() async throws {
        let provider = NSItemProvider()
        provider.registerObject(Card(name: "Ada"), visibility: .team)
        #expect(provider.registeredTypeIdentifiers == ["public.vcard", "public.utf8-plain-text"])
        #expect(provider.exportableRepresentations().map(\.visibility) == [.group, .team])
        #expect(try await provider.loadObject(ofClass: Card.self).name == "Ada (public.vcard)")
        #expect(try await provider.loadObject(ofClass: String.self) == "Ada")
        let markdown = NSItemProvider()
        markdown.registerBytes(.html, "<p>")
        #expect(try await markdown.loadObject(ofClass: Card.self).name == "<p> (public.html)")
        let empty = NSItemProvider()
        empty.registerBytes(.vCard, "")
        let calls = Calls<(any Error)?>()
        empty.loadObject(ofClass: Card.self) { _, error in calls.add(error) }
        #expect((try await calls.first() as? CocoaError)?.code == .coderReadCorrupt)
    }

    @Test("objects that are made when they are asked for")
    func objectsAreMadeOnRequest() async throws {
        let made = Calls<Void>()
        let provider = NSItemProvider()
        provider.registerObject(ofClass: Card.self, visibility: .all) { done in
            made.add(())
            done(Card(name: "Bo"), nil)
            return nil
        }
        provider.registerObject(ofClass: URL.self, visibility: .ownProcess) { done in
            done(URL(string: "https://example.org"), nil)
            return nil
        }
        #expect(provider.exportableRepresentations().map(\.visibility) == [.group, .all, .ownProcess, .ownProcess])
        #expect(made.all.isEmpty)
        #expect(try await provider.loadObject(ofClass: String.self) == "Bo")
        #expect(try await provider.loadObject(ofClass: URL.self).absoluteString == "https://example.org")
        #expect(made.all.count == 1)
    }
}
