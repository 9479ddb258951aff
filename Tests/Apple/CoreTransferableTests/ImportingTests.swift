import CoreTransferable
import Testing

private struct Picture: Transferable, Equatable {
    struct Broken: Error, Equatable {
        let by: String
    }

    var source: String

    static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(importedContentType: .png) { data in
            guard data.first == 0x89 else { throw Broken(by: "png") }
            return Picture(source: "png")
        }
        DataRepresentation(importedContentType: .image) { data in
            guard data.first == 0xFF else { throw Broken(by: "image") }
            return Picture(source: "image")
        }
        DataRepresentation(exportedContentType: .gif) { _ in Data() }
        ProxyRepresentation { (text: String) in Picture(source: "text \(text)") }
    }
}

@Suite("Importing a value")
struct ImportingTests {
    @Test("takes only representations that declare exactly the type given")
    func strictType() async throws {
        #expect(try await Picture(importing: Data([0x89]), contentType: .png).source == "png")
        #expect(try await Picture(importing: Data([0xFF]), contentType: .image).source == "image")
        await #expect(throws: TransferError.self) { try await Picture(importing: Data([0xFF]), contentType: .jpeg) }
        await #expect(throws: TransferError.self) { try await Data(importing: Data(), contentType: .png) }
        await #expect(throws: TransferError.self) { try await String(importing: Data(), contentType: .url) }
        await #expect(throws: TransferError.self) { try await URL(importing: Data(), contentType: .plainText) }
    }

    @Test("tries all representations in turn when no type is given")
    func inTurn() async throws {
        #expect(try await Picture(importing: Data([0xFF]), contentType: nil).source == "image")
        #expect(try await Picture(importing: Data("abc".utf8), contentType: nil).source == "text abc")
    }

    @Test("throws the preferred importer's error when none accepts")
    func allFail() async throws {
        let error = await #expect(throws: TransferError.self) {
            try await Picture(importing: Data([0x00, 0xC0]), contentType: nil)
        }
        #expect(error?.kind == .importFailed && error?.contentType == .png)
        #expect(error?.underlying as? Picture.Broken == Picture.Broken(by: "png"))
        let sentence = try #require(error?.description)
        #expect(sentence.hasPrefix("Picture cannot be imported from public.png (data): Broken"))
        let second = await #expect(throws: TransferError.self) {
            try await Picture(importing: Data([0x00]), contentType: .image)
        }
        #expect(second?.underlying as? Picture.Broken == Picture.Broken(by: "image"))
    }

    @Test("names the given and the accepted types when none matches")
    func nothingMatches() async throws {
        let error = await #expect(throws: TransferError.self) {
            try await Picture(importing: Data(), contentType: .pdf)
        }
        #expect(error?.kind == .notImportable)
        let sentence = try #require(error?.description)
        #expect(sentence.contains("com.adobe.pdf") && sentence.contains("public.utf8-plain-text"))
    }

    @Test("does not ask for an exporting condition")
    func conditionsDoNotMatter() async throws {
        struct Once: Transferable {
            static var transferRepresentation: some TransferRepresentation {
                DataRepresentation(contentType: .json, exporting: { _ in Data() }, importing: { _ in Once() })
                    .exportingCondition { _ in false }
                    .visibility(.ownProcess)
                    .suggestedFileName("once.json")
            }
        }
        #expect(Once().importedContentTypes() == [.json])
        #expect(Once().exportedContentTypes(.ownProcess).isEmpty)
        _ = try await Once(importing: Data(), contentType: .json)
    }

    @Test("reads a file for an importer of bytes, by its extension where no type is given")
    func filesAsData() async throws {
        let folder = try ScratchFolder()
        let png = try folder.file("a.png", [0x89])
        #expect(try await Picture(importing: png, contentType: nil).source == "png")
        #expect(try await Picture(importing: png, contentType: .png).source == "png")
        let jpeg = try folder.file("a.jpg", [0xFF])
        #expect(try await Picture(importing: jpeg, contentType: nil).source == "image")
        let nameless = try folder.file("picture", [0xFF])
        #expect(try await Picture(importing: nameless, contentType: nil).source == "image")
        let text = try folder.file("a.txt", Array("abc".utf8))
        await #expect(throws: TransferError.self) { try await Picture(importing: text, contentType: .plainText) }
        await #expect(throws: (any Error).self) {
            try await Picture(importing: folder.url.appending(path: "missing.png"), contentType: .png)
        }
    }

    @Test("prefers the representation of the file's own type over an earlier broader one")
    func ownTypeFirst() async throws {
        struct Taken: Transferable {
            var by: String
            static var transferRepresentation: some TransferRepresentation {
                DataRepresentation(importedContentType: .pdf) { _ in Self(by: "pdf") }
                DataRepresentation(importedContentType: .data) { _ in Self(by: "data") }
                DataRepresentation(importedContentType: .png) { _ in Self(by: "png") }
            }
        }
        let folder = try ScratchFolder()
        #expect(try await Taken(importing: folder.file("a.png", [1]), contentType: nil).by == "png")
        #expect(try await Taken(importing: folder.file("a.gif", [1]), contentType: nil).by == "data")
        #expect(try await Taken(importing: folder.file("a", [1]), contentType: nil).by == "pdf")
    }

    @Test("gives the library every importable form with proxies looked through")
    func importableForms() async throws {
        let forms = Picture.importableRepresentations()
        #expect(forms.map(\.contentType) == [.png, .image, .utf8PlainText])
        #expect(try await forms[2].importing(.data(Data("x".utf8))) == Picture(source: "text x"))
    }
}
