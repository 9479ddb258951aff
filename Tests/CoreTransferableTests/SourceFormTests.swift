import CoreTransferable
import Testing

@Suite("Representations as programs write them")
struct SourceFormTests {
    @Test("list their types in the order written, proxies in their place")
    func order() throws {
        #expect(Bookmark.exportedContentTypes() == [.bookmarkForm, .utf8PlainText])
        #expect(Preferences.importedContentTypes() == [.json, .propertyList])
        #expect(
            Clip.exportedContentTypes() == [
                .mpeg4Movie, .movie, .url, .fileURL, .utf8PlainText, .url, .fileURL, .url, .fileURL, .utf8PlainText,
            ])
        #expect(Clip.importedContentTypes() == [.mpeg4Movie, .quickTimeMovie, .url, .fileURL])
        #expect(Everything.exportedContentTypes().count == 10)
        #expect(Everything.exportedContentTypes().last == .utf8PlainText)
        #expect(Chapter.exportedContentTypes() == [.utf8TabSeparatedText, .utf8PlainText])
        #expect(Person.exportedContentTypes() == [.utf8PlainText, .html])
    }

    @Test("an enum of several kinds imports each by its own type")
    func enumOfKinds() async throws {
        #expect(Dropped.importedContentTypes() == [.url, .fileURL, .utf8PlainText, .data])
        guard case .url(let url) = try await Dropped(importing: Data("https://a.example".utf8), contentType: .url),
            case .text("hi") = try await Dropped(importing: Data("hi".utf8), contentType: .utf8PlainText),
            case .bytes(let bytes?) = try await Dropped(importing: Data([1, 2]), contentType: .data)
        else {
            Issue.record("a kind was taken for another")
            return
        }
        #expect(url.host() == "a.example")
        #expect(bytes == Data([1, 2]))
    }

    @Test("closures on the main actor run there")
    func mainActor() async throws {
        let sketch = Sketch(strokes: "abc")
        #expect(try await sketch.exported(as: .svg) == Data("abc".utf8))
        #expect(try await Sketch(importing: Data("xyz".utf8), contentType: .svg).strokes == "xyz")
    }

    @Test("a representation given by a protocol works for its conformers")
    func protocolRepresentation() async throws {
        let reference = try await Reference(importing: Data("k1".utf8), contentType: .utf8PlainText)
        #expect(try await reference.exported(as: .utf8PlainText) == Data("k1".utf8))
    }

    @Test("Never is transferable and offers nothing")
    func never() {
        #expect(Never.exportedContentTypes().isEmpty && Never.importedContentTypes().isEmpty)
    }
}
