import CoreTransferable
import Testing

/// State that an importer saw while it ran.
private struct Film: Transferable {
    var file: URL
    var isOriginal = false
    var bytes: Data?
    var mayShare = false

    init(file: URL, mayShare: Bool = false) {
        self.file = file
        self.mayShare = mayShare
    }

    init(_ received: ReceivedTransferredFile) {
        file = received.file
        isOriginal = received.isOriginalFile
        bytes = try? Data(contentsOf: received.file)
    }

    static var transferRepresentation: some TransferRepresentation {
        FileRepresentation(contentType: .mpeg4Movie) {
            SentTransferredFile($0.file, allowAccessingOriginalFile: $0.mayShare)
        } importing: {
            Film($0)
        }
        FileRepresentation(contentType: .quickTimeMovie, shouldAttemptToOpenInPlace: true) {
            SentTransferredFile($0.file, allowAccessingOriginalFile: $0.mayShare)
        } importing: {
            Film($0)
        }
        FileRepresentation(exportedContentType: .avi) {
            SentTransferredFile($0.file, allowAccessingOriginalFile: $0.mayShare)
        }
    }
}

@Suite("Semantics 19 to 22: files")
struct FileSemanticsTests {
    private func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

    @Test("19. the received file is there during the importing closure only")
    func lifetime() async throws {
        let scratch = try ScratchFolder()
        let original = try scratch.file("a.mp4", [1])
        let film = try await Film(importing: original, contentType: .mpeg4Movie)
        #expect(film.bytes == Data([1]) && !exists(film.file) && exists(original))
    }

    @Test("20. the real file only where the importer attempts it and the sender allows it; else a copy")
    func inPlace() async throws {
        let scratch = try ScratchFolder()
        let file = try scratch.file("a.mov", [1])
        for (type, mayShare, isOriginal) in [
            (UTType.quickTimeMovie, true, true), (.quickTimeMovie, false, false), (.mpeg4Movie, true, false),
            (.mpeg4Movie, false, false),
        ] {
            let sent = try await Film(file: file, mayShare: mayShare).exportableRepresentations()
                .first { $0.contentType == type }?.export()
            let film = try await Film(importing: ImportedPayload(#require(sent)), offeredAs: type)
            #expect(film.isOriginal == isOriginal, "\(type), shared: \(mayShare)")
            #expect((film.file.path == file.path) == isOriginal && film.bytes == Data([1]))
        }
        #expect(exists(file))
    }

    @Test("20. a representation that only leaves shares the original if it allows that itself as well")
    func exportOnly() async throws {
        let scratch = try ScratchFolder()
        let film = Film(file: try scratch.file("a.avi", [1]), mayShare: true)
        let path = try await film.withExportedFile(contentType: .avi) { $0.path }
        #expect(path != film.file.path)
        #expect(try await film.withExportedFile(contentType: .mpeg4Movie) { $0.path } == film.file.path)
    }

    @Test("20. a throw-away copy is no original")
    func throwAwayCopies() async throws {
        let scratch = try ScratchFolder()
        let film = Film(file: try scratch.file("a.mov", [1]))
        let again = try await film.withExportedFile(contentType: .quickTimeMovie) { file in
            let again = try await Film(importing: file, contentType: .quickTimeMovie)
            #expect(again.file.path != file.path && exists(file))
            return again
        }
        #expect(!again.isOriginal && again.bytes == Data([1]))
    }

    @Test("21. withExportedFile's file vanishes, export(to:)'s is the caller's")
    func exportedFiles() async throws {
        let scratch = try ScratchFolder()
        let film = Film(file: try scratch.file("a.mp4", [1]))
        let temporary = try await film.withExportedFile(contentType: nil) { file in
            #expect(exists(file))
            return file
        }
        #expect(!exists(temporary))
        let target = try scratch.folder("target", with: [])
        #expect(try await exists(film.export(to: target, contentType: nil)))
    }

    @Test("21. data is a file for an importer of files, a file data for one of data")
    func dataAndFiles() async throws {
        #expect(try await Film(importing: Data([5]), contentType: .mpeg4Movie).bytes == Data([5]))
        let scratch = try ScratchFolder()
        let file = ImportedPayload.file(try scratch.file("a.txt", Array("abc".utf8)))
        #expect(try await String(importing: file, offeredAs: .utf8PlainText) == "abc")
    }

    @Test("22. a proxied file URL is a reference; a file representation hands over contents")
    func references() async throws {
        struct Both: Transferable {
            let file: URL
            static var transferRepresentation: some TransferRepresentation {
                ProxyRepresentation(exporting: \.file)
                FileRepresentation(exportedContentType: .plainText) { SentTransferredFile($0.file) }
            }
        }
        let scratch = try ScratchFolder()
        let both = Both(file: try scratch.file("a.txt", Array("abc".utf8)))
        #expect(try both.exportableRepresentations().map(\.isFile) == [false, false, true])
        #expect(try await both.exported(as: .fileURL) == Data(both.file.absoluteString.utf8))
        #expect(try await both.exported(as: .plainText) == Data("abc".utf8))
    }

    @Test("24. a path in a string is text, never a file URL")
    func paths() {
        #expect("/etc/hostname".exportedContentTypes() == [.utf8PlainText])
    }
}

@Suite("Semantics 25 to 28: proxies")
struct ProxySemanticsTests {
    private struct Link: Transferable {
        let url: URL
        static var transferRepresentation: some TransferRepresentation {
            DataRepresentation(exportedContentType: .html) { _ in Data() }
            ProxyRepresentation(exporting: \.url)
            DataRepresentation(exportedContentType: .rtf) { _ in Data() }
        }
    }

    private struct Frame: Transferable {
        let link: Link
        static var transferRepresentation: some TransferRepresentation {
            ProxyRepresentation(exporting: \.link)
        }
    }

    private struct Itself: Transferable {
        static var transferRepresentation: some TransferRepresentation {
            ProxyRepresentation(exporting: { (item: Itself) in item })
        }
    }

    private struct Model: Codable, Transferable {
        var title: String
        static var transferRepresentation: some TransferRepresentation {
            CodableRepresentation(contentType: .json)
            ProxyRepresentation(exporting: \.title)
        }
    }

    private let web = URL(string: "https://a.example") ?? URL(filePath: "/")

    @Test("25. a proxy exports all that its type exports for this value, at its place")
    func inPlace() {
        #expect(Link(url: web).exportedContentTypes() == [.html, .url, .rtf])
        #expect(Link(url: URL(filePath: "/a")).exportedContentTypes() == [.html, .url, .fileURL, .rtf])
    }

    @Test("26. proxies of proxies work; a proxy of oneself is an error, not a hang")
    func chains() async throws {
        #expect(Frame(link: Link(url: web)).exportedContentTypes() == [.html, .url, .rtf])
        let error = await #expect(throws: TransferError.self) { try await Itself().exported(as: nil) }
        #expect(error?.kind == .endless)
    }

    @Test("27. an importer of a proxy may take its time")
    func asynchronousImporters() async throws {
        struct Slow: Transferable {
            var text: String
            static var transferRepresentation: some TransferRepresentation {
                ProxyRepresentation(exporting: \.text) { text in
                    await Task.yield()
                    return Slow(text: text)
                }
            }
        }
        #expect(try await Slow(importing: Data("a".utf8), contentType: .utf8PlainText).text == "a")
    }

    @Test("28. the own program gets the model, others its text")
    func modelThenText() async throws {
        #expect(Model.exportedContentTypes() == [.json, .utf8PlainText])
        let model = Model(title: "a")
        #expect(try await Model(importing: model.exported(as: .json), contentType: .json).title == "a")
        #expect(try await model.exported(as: .text) == Data(#"{"title":"a"}"#.utf8))
        #expect(try await model.exported(as: .plainText) == Data("a".utf8))
    }
}
