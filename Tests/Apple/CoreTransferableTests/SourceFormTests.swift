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

@Suite("Source forms, run")
struct MoreSourceFormTests {
    private func count<T: Transferable>(_ type: T.Type) -> Int { T.exportedContentTypes(visibility: .ownProcess).count }

    @Test("a block has one to ten representations, in order")
    func blocks() {
        let counts = [
            count(Blocks1.self), count(Blocks2.self), count(Blocks3.self), count(Blocks4.self), count(Blocks5.self),
            count(Blocks6.self), count(Blocks7.self), count(Blocks8.self), count(Blocks9.self), count(Blocks10.self),
        ]
        #expect(counts == Array(1...10))
        #expect(
            Blocks10.exportedContentTypes() == [
                .png, .gif, .tiff, .bmp, .jpeg, .heic, .webP, .svg, .pdf, .rtf,
            ])
        #expect(Elevenfold.exportedContentTypes().count == 11 && Elevenfold.exportedContentTypes().last == .html)
    }

    @Test("representations within representations keep their modifiers")
    func nesting() throws {
        let form = try #require(Nested().exportableRepresentations().first)
        #expect(form.visibility == .team && form.suggestedFileName == "nested.txt")
        #expect(Spelled().exportedContentTypes() == [.png, .gif])
        #expect(Chapter.Representation.self != Spelled.Representation.self)
        #expect(String(describing: Spelled.Representation.valueType).hasPrefix("(DataRepresentation<Spelled>, "))
    }

    @Test("every initialiser counts in the directions it is for")
    func initializers() {
        // Coded, bytes, files, proxies, with two types for a proxy that is a URL.
        #expect(Recipe.importedContentTypes().count == 4 + 4 + 4 + 7)
        #expect(count(Recipe.self) == 4 + 4 + 4 + 10 + 8)
        #expect(Board.importedContentTypes() == [.png, .url, .fileURL, .url, .fileURL])
        #expect(Deliberate.exportedContentTypes() == [.png, .gif])
    }

    @Test("representations from protocols and extensions work for conforming types")
    func protocols() async throws {
        let web = try #require(URL(string: "https://a.example"))
        let figure = try await Figure(importing: Data("https://a.example".utf8), contentType: .url)
        #expect(figure.stand == web)
        #expect(try await Receipt(importing: Receipt(sum: 7).exported(as: .json), contentType: .json).sum == 7)
        #expect(try await Page(url: web).exported(as: .url) == Data("https://a.example".utf8))
        #expect(try await Box(content: Box(content: "a")).exported(as: nil) == Data("a".utf8))
        #expect(Described(description: "a").exportedContentTypes() == [.utf8PlainText, .html, .png, .utf8PlainText])
    }

    @Test("an enum whose payloads are optional, and one of both directions")
    func enums() async throws {
        guard case .link(let link?) = try await Shelf(importing: Data("https://a.example".utf8), contentType: .url),
            case .bookmark("a") = try await Shelf(importing: Data("a".utf8), contentType: .utf8PlainText)
        else {
            Issue.record("a kind was taken for another")
            return
        }
        #expect(link.host() == "a.example")
        #expect(try await Entry.text("a").exported(as: .plainText) == Data("a".utf8))
        await #expect(throws: CocoaError.self) { try await Entry.none.exported(as: .plainText) }
    }

    @Test("classes, classes of the main actor, and coders of one's own")
    func classes() async throws {
        #expect(try await Document(importing: Data("a".utf8), contentType: .utf8PlainText).text == "a")
        let editor = try await Editor(importing: Data("a".utf8), contentType: .utf8PlainText)
        #expect(try await editor.exported(as: .text) == Data("a".utf8))
        let secret = try await Secret(word: "a").exported(as: .data)
        #expect(secret == Data(#"}"a":"drow"{"#.utf8))
        #expect(try await Secret(importing: secret, contentType: .data).word == "a")
    }
}
