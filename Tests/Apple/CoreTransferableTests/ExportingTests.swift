import CoreTransferable
import Testing

private struct Note: Transferable {
    var text: String
    var isPublished = true

    static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(exportedContentType: .rtf) { Data("rtf \($0.text)".utf8) }
            .exportingCondition(\.isPublished)
        DataRepresentation(importedContentType: .gif) { _ in Note(text: "gif") }
        DataRepresentation(exportedContentType: .html) { Data("html \($0.text)".utf8) }
        ProxyRepresentation(exporting: \.text)
    }
}

private struct Failing: Transferable {
    struct Reason: Error, Equatable {}

    static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(exportedContentType: .png) { _ in throw Reason() }
        DataRepresentation(exportedContentType: .image) { _ in Data([1]) }
    }
}

// Unchecked because it is open to subclasses; neither it nor its only subclass has any state.
private class Shape: Transferable, @unchecked Sendable {
    static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(contentType: .svg) { _ in
            Data("shape".utf8)
        } importing: { _ in
            Shape()
        }
    }
}

// The class stores nothing, and its inherited state never changes.
private final class Circle: Shape, @unchecked Sendable {}

@Suite("Exporting a value")
struct ExportingTests {
    @Test("takes the first representation that conforms to the type asked for")
    func takesTheFirstConformingForm() async throws {
        let note = Note(text: "a")
        #expect(try await note.exported(as: .html) == Data("html a".utf8))
        #expect(try await note.exported(as: .text) == Data("rtf a".utf8))
        #expect(try await note.exported(as: .plainText) == Data("a".utf8))
        #expect(try await "héllo".exported(as: .plainText) == Data("héllo".utf8))
    }

    @Test("takes the first of all when no type is asked for")
    func firstOfAll() async throws {
        #expect(try await Note(text: "a").exported(as: nil) == Data("rtf a".utf8))
    }

    @Test("does not turn a broader representation into a narrower type")
    func neverNarrows() async throws {
        await #expect(throws: TransferError.self) { try await Failing().exported(as: .jpeg) }
    }

    @Test("names the requested and the offered types when none conforms")
    func nothingConforms() async throws {
        let error = await #expect(throws: TransferError.self) { try await Note(text: "a").exported(as: .png) }
        #expect(error?.kind == .notOffered)
        let sentence = try #require(error?.description)
        #expect(sentence.contains("public.png") && sentence.contains("public.html"))
        #expect(error?.localizedDescription == sentence)
        let web = try #require(URL(string: "https://a.example"))
        await #expect(throws: TransferError.self) { try await web.exported(as: .plainText) }
    }

    @Test("rethrows the exporter's error and does not try another representation")
    func exporterThrows() async throws {
        await #expect(throws: Failing.Reason()) { try await Failing().exported(as: .image) }
    }

    @Test("offers a conditional representation only for values that meet the condition; the type lists it always")
    func conditions() async throws {
        let draft = Note(text: "a", isPublished: false)
        #expect(draft.exportedContentTypes() == [.html, .utf8PlainText])
        #expect(Note(text: "a").exportedContentTypes() == [.rtf, .html, .utf8PlainText])
        #expect(Note.exportedContentTypes() == [.rtf, .html, .utf8PlainText])
        #expect(try await draft.exported(as: nil) == Data("html a".utf8))
        await #expect(throws: TransferError.self) { try await draft.exported(as: .rtf) }
    }

    @Test("asks no exporter before a representation is chosen")
    func laziness() throws {
        let forms = try Failing().exportableRepresentations()
        #expect(forms.map(\.contentType) == [.png, .image])
        #expect(forms.allSatisfy { !$0.isFile && $0.visibility == .all && $0.suggestedFileName == nil })
    }

    @Test("uses JSON for a Codable item unless told otherwise")
    func codable() async throws {
        struct Letter: Codable, Transferable {
            var text: String
            static var transferRepresentation: some TransferRepresentation {
                CodableRepresentation(contentType: .json)
                CodableRepresentation(
                    contentType: .propertyList, encoder: PropertyListEncoder(), decoder: PropertyListDecoder())
            }
        }
        #expect(try await Letter(text: "hi").exported(as: .json) == Data(#"{"text":"hi"}"#.utf8))
        let list = try await Letter(text: "hi").exported(as: .propertyList)
        #expect(try await Letter(importing: list, contentType: .propertyList).text == "hi")
    }

    @Test("works for a subclass through its superclass's representation")
    func subclasses() async throws {
        #expect(try await Circle().exported(as: .svg) == Data("shape".utf8))
        await #expect(throws: TransferError.self) { try await Circle(importing: Data(), contentType: .svg) }
    }
}
