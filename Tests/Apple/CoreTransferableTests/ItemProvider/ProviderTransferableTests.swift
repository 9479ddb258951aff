import CoreTransferable
import Synchronization
import Testing

/// Codable first, then a file, then a proxy: the commonest combination.
private struct Note: Codable, Transferable, Equatable {
    var text: String
    /// Location of its page; a draft has none.
    var page: URL?

    static var transferRepresentation: some TransferRepresentation {
        CodableRepresentation(contentType: .note)
            .visibility(.group)
        FileRepresentation(contentType: .html) { note in
            guard let file = note.page else { throw CocoaError(.fileNoSuchFile) }
            try Data("<p>\(note.text)".utf8).write(to: file)
            return SentTransferredFile(file)
        } importing: { received in
            Note(text: String(try String(contentsOf: received.file, encoding: .utf8).dropFirst(3)))
        }
        .exportingCondition { $0.page != nil }
        ProxyRepresentation(exporting: \.text) { Note(text: $0) }
            .suggestedFileName { "\($0.text).txt" }
    }
}

extension UTType {
    fileprivate static let note = UTType(exportedAs: "com.example.provider-note", conformingTo: .json)
}

/// Imports several kinds.
private enum Drop: Transferable, Equatable {
    case image(String)
    case text(String)

    static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(importedContentType: .image) { .image(String(decoding: $0, as: UTF8.self)) }
        ProxyRepresentation { (text: String) in .text(text) }
    }
}

private struct Strict: Transferable {
    struct Refused: Error, Equatable { let type: String }

    var by: String

    static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(importedContentType: .png) { _ in throw Refused(type: "png") }
        FileRepresentation(importedContentType: .jpeg) { _ in throw Refused(type: "jpeg") }
        DataRepresentation(importedContentType: .image) { data in
            guard data != Data("bad".utf8) else { throw Refused(type: "image") }
            return Strict(by: "image")
        }
    }
}

private struct Film: Transferable {
    var file: URL
    var isOriginal = false
    var bytes = Data()

    static var transferRepresentation: some TransferRepresentation {
        FileRepresentation(contentType: .mpeg4Movie, shouldAttemptToOpenInPlace: true) {
            SentTransferredFile($0.file, allowAccessingOriginalFile: $0.isOriginal)
        } importing: { received in
            Film(
                file: received.file, isOriginal: received.isOriginalFile,
                bytes: (try? Data(contentsOf: received.file)) ?? Data())
        }
    }
}

private struct Loop: Transferable {
    static var transferRepresentation: some TransferRepresentation {
        ProxyRepresentation(exporting: { (loop: Loop) in loop }, importing: { $0 })
    }
}

@Suite("Transferable values in an item provider")
struct ProviderTransferableTests {
    @Test("12. register(_:) adds each form in order, those that the condition leaves, with their visibility and name")
    func registering() async throws {
        let scratch = try ScratchFolder()
        let provider = NSItemProvider()
        provider.register(Note(text: "hello", page: scratch.url.appending(path: "page.html")))
        #expect(provider.registeredContentTypes == [.note, .html, .utf8PlainText])
        #expect(provider.suggestedName == "hello.txt")
        let forms = provider.exportableRepresentations()
        #expect(forms.map(\.visibility) == [.group, .all, .all] && forms.map(\.isFile) == [false, true, false])
        #expect(forms[2].suggestedFileName == "hello.txt" && forms[1].suggestedFileName == "hello.html")
        let draft = NSItemProvider()
        draft.register(Note(text: "hello"))
        #expect(draft.registeredContentTypes == [.note, .utf8PlainText])
        let file = NSItemProvider()
        file.register(URL(fileURLWithPath: "/tmp/a"))
        #expect(file.registeredContentTypes == [.url, .fileURL])
        let loop = NSItemProvider()
        loop.register(Loop())
        #expect(loop.registeredContentTypes.isEmpty)
        provider.suggestedName = "mine"
        #expect(provider.exportableRepresentations()[2].suggestedFileName == "mine.txt")
    }

    @Test("12. a condition is asked again when a form is loaded")
    func conditionThatHasChanged() async throws {
        final class Door: Sendable {
            let isOpen = Mutex(true)
        }
        struct Secret: Transferable {
            let door: Door

            static var transferRepresentation: some TransferRepresentation {
                DataRepresentation(exportedContentType: .plainText) { _ in Data("secret".utf8) }
                    .exportingCondition { $0.door.isOpen.withLock(\.self) }
            }
        }
        let door = Door()
        let provider = NSItemProvider()
        provider.register(Secret(door: door))
        #expect(try await provider.loadDataRepresentation(for: .plainText) == Data("secret".utf8))
        door.isOpen.withLock { $0 = false }
        #expect(provider.registeredContentTypes == [.plainText])
        await #expect(throws: (any Error).self) { try await provider.loadDataRepresentation(for: .plainText) }
    }

    @Test(
        "17. the name that a value suggests is the provider's, with its extension; other forms add their own to its stem"
    )
    func suggestedNames() async throws {
        struct Text: Transferable {
            static var transferRepresentation: some TransferRepresentation {
                DataRepresentation(exportedContentType: .plainText) { _ in Data("text".utf8) }
                    .suggestedFileName("data.txt")
            }
        }
        let provider = NSItemProvider()
        provider.register(Text())
        #expect(provider.suggestedName == "data.txt")
        provider.registerBytes(.png, "png")
        let names = provider.exportableRepresentations().map(\.suggestedFileName)
        #expect(names == ["data.txt", "data.png"])
        let copy = try #require(provider.copy() as? NSItemProvider)
        #expect(copy.suggestedName == "data.txt")
        #expect(try await copy.withFileRepresentation(for: .png) { file, _ in file.lastPathComponent } == "data.png")
    }

    @Test("registeredContentTypesForOpenInPlace lists the forms that were declared to be opened in place")
    func opensInPlace() throws {
        struct Files: Transferable {
            static var transferRepresentation: some TransferRepresentation {
                FileRepresentation(exportedContentType: .png, shouldAllowToOpenInPlace: true) { _ in try sent() }
                FileRepresentation(exportedContentType: .jpeg) { _ in try sent() }
                FileRepresentation(contentType: .pdf, shouldAttemptToOpenInPlace: true) { _ in
                    try sent()
                } importing: { _ in
                    Files()
                }
                FileRepresentation(contentType: .html) { _ in
                    try sent()
                } importing: { _ in
                    Files()
                }
                DataRepresentation(exportedContentType: .json) { _ in Data() }
            }
            private static func sent() throws -> SentTransferredFile { throw NeverHeld() }
        }
        struct Folder: Transferable {
            static var transferRepresentation: some TransferRepresentation {
                ProxyRepresentation(exporting: { (_: Folder) in Files() })
            }
        }
        let provider = NSItemProvider()
        provider.register(Files())
        #expect(provider.registeredContentTypesForOpenInPlace == [.png, .pdf])
        #expect(provider.registeredTypeIdentifiers(fileOptions: .openInPlace) == ["public.png", "com.adobe.pdf"])
        #expect(provider.hasRepresentationConforming(toTypeIdentifier: "public.png", fileOptions: .openInPlace))
        let proxy = NSItemProvider()
        proxy.register(Folder())
        #expect(proxy.registeredContentTypesForOpenInPlace == [.png, .pdf])
        let item = NSItemProvider(item: NSURL(fileURLWithPath: "/tmp/a.png"), typeIdentifier: "public.png")
        #expect(item.registeredContentTypesForOpenInPlace == [.png])
    }

    @Test("1. loadTransferable gives the value back by its richest form")
    func roundTrip() async throws {
        let provider = NSItemProvider()
        let note = Note(text: "hello")
        provider.register(note)
        #expect(try await provider.loadTransferable(type: Note.self) == note)
        let calls = Calls<Result<Note, any Error>>()
        let progress = provider.loadTransferable(type: Note.self) { calls.add($0) }
        #expect(try await calls.first().get() == note)
        #expect(progress.isFinished)
        #expect(try await provider.loadTransferable(type: String.self) == "hello")
        #expect(try await provider.loadDataRepresentation(for: .note).isEmpty == false)
    }

    @Test("loadTransferable uses files and text where nothing else is registered")
    func otherForms() async throws {
        let page = NSItemProvider()
        page.registerBytes(.html, "<p>page")
        #expect(try await page.loadTransferable(type: Note.self) == Note(text: "page"))
        let text = NSItemProvider(object: NSString(string: "plain"))
        #expect(try await text.loadTransferable(type: Note.self) == Note(text: "plain"))
        #expect(try await text.loadTransferable(type: Data.self) == Data("plain".utf8))
        let scratch = try ScratchFolder()
        let provider = NSItemProvider()
        provider.register(Note(text: "both", page: scratch.url.appending(path: "page.html")))
        let copy = try await provider.withFileRepresentation(for: .html) { file, _ in
            let page = try Data(contentsOf: file)
            #expect(page == Data("<p>both".utf8))
            return file
        }
        #expect(!exists(copy))
    }

    @Test("6, 7. matching is by conformance: an importer of images takes a PNG, an importer of PNG no image")
    func conformance() async throws {
        let provider = NSItemProvider()
        provider.registerBytes(.png, "png")
        #expect(try await provider.loadTransferable(type: Drop.self) == .image("png"))
        let image = NSItemProvider()
        image.registerBytes(.image, "?")
        #expect(try await image.loadTransferable(type: Strict.self).by == "image")
        let url = NSItemProvider(object: try #require(NSURL(string: "https://example.org")))
        await #expect(throws: ItemProviderError.self) { try await url.loadTransferable(type: String.self) }
        let text = NSItemProvider(object: NSString(string: "https://example.org"))
        await #expect(throws: ItemProviderError.self) { try await text.loadTransferable(type: URL.self) }
    }

    @Test("10. an importer that fails makes way for the next, and the first one's error tells why none did")
    func failing() async throws {
        let provider = NSItemProvider()
        provider.registerBytes(.png, "good")
        #expect(try await provider.loadTransferable(type: Strict.self).by == "image")
        let bad = NSItemProvider()
        bad.registerBytes(.jpeg, "bad")
        var error: ItemProviderError?
        try await leavingNothing { _ in
            error = await #expect(throws: ItemProviderError.self) {
                try await bad.loadTransferable(type: Strict.self)
            }
        }
        #expect(
            error?.kind == .itemUnavailableError && (error?.underlying as? TransferError)?.underlying is Strict.Refused)
        #expect(error?.description.contains("Strict") == true && error?.description.contains("jpeg") == true)
        let none = await #expect(throws: ItemProviderError.self) { try await bad.loadTransferable(type: URL.self) }
        #expect(none?.underlying == nil && none?.description.contains("public.jpeg") == true)
    }

    @Test("files are handed over in place where both sides agree, and else as copies that go")
    func filesAreOpenedInPlaceOrCopied() async throws {
        let scratch = try ScratchFolder()
        let file = try scratch.file("a.mp4", [1])
        let closed = NSItemProvider()
        closed.register(Film(file: file))
        let copy = try await closed.loadTransferable(type: Film.self)
        #expect(!copy.isOriginal && copy.bytes == Data([1]) && copy.file.path != file.path && !exists(copy.file))
        let open = NSItemProvider()
        open.register(Film(file: file, isOriginal: true))
        let original = try await open.loadTransferable(type: Film.self)
        #expect(original.isOriginal && original.file.path == file.path && exists(file))
        let plain = NSItemProvider(contentsOf: file, contentType: nil)
        #expect(try await !plain.loadTransferable(type: Film.self).isOriginal)
    }

    @Test("an importer or exporter that hangs times out and is cancelled")
    func hanging() async throws {
        struct Stuck: Transferable {
            let events: Calls<String>
            static var transferRepresentation: some TransferRepresentation {
                DataRepresentation(exportedContentType: .png) { stuck in
                    do { try await Task.sleep(for: .seconds(600)) } catch { stuck.events.add("stopped") }
                    return Data()
                }
            }
        }
        let events = Calls<String>()
        let provider = NSItemProvider()
        provider.loadTimeout = .milliseconds(50)
        provider.register(Stuck(events: events))
        let error = await #expect(throws: ItemProviderError.self) {
            try await provider.loadTransferable(type: Drop.self)
        }
        #expect(error?.description.contains("no answer") == true)
        #expect(try await events.first() == "stopped")
    }

    @Test("a file exported for the library is one copy, which lasts as long as the provider")
    func exportedFiles() async throws {
        try await leavingNothing { scratch in
            let file = try scratch.file("film.mp4", [1, 2])
            let forms = NSItemProvider(contentsOf: file, contentType: nil).exportableRepresentations()
            guard case .file(let first) = try await forms[0].export() else { throw NeverHeld() }
            guard case .file(let second) = try await forms[0].export() else { throw NeverHeld() }
            #expect(forms[0].isFile && forms[0].suggestedFileName == "film.mp4" && !forms[0].sharesOriginals)
            #expect(first.file == second.file && !first.allowAccessingOriginalFile)
            #expect(try Data(contentsOf: first.file) == Data([1, 2]))
            #expect(names(in: first.file.deletingLastPathComponent()) == ["film.mp4"])
            guard case .data(let url) = try await forms[1].export() else { throw NeverHeld() }
            #expect(String(decoding: url, as: UTF8.self).hasPrefix("file:///"))
        }
    }
}
