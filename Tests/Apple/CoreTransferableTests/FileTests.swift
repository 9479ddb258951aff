import CoreTransferable
import Testing

/// State that an importer saw while it ran.
private struct Film: Transferable {
    var file: URL
    var name = ""
    var bytes: Data?
    var isOriginal = false

    static var transferRepresentation: some TransferRepresentation {
        FileRepresentation(contentType: .mpeg4Movie) {
            SentTransferredFile($0.file)
        } importing: { received in
            Film(
                file: received.file, name: received.file.lastPathComponent,
                bytes: try? Data(contentsOf: received.file), isOriginal: received.isOriginalFile)
        }
        FileRepresentation(contentType: .quickTimeMovie, shouldAttemptToOpenInPlace: true) { film in
            SentTransferredFile(film.file, allowAccessingOriginalFile: true)
        } importing: { received in
            Film(
                file: received.file, name: received.file.lastPathComponent,
                bytes: try? Data(contentsOf: received.file), isOriginal: received.isOriginalFile)
        }
        FileRepresentation(exportedContentType: .folder) { SentTransferredFile($0.file) }
    }
}

private struct Label: Transferable {
    var text: String
    static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(exportedContentType: .plainText) { Data($0.text.utf8) }
            .suggestedFileName("label.txt")
        DataRepresentation(exportedContentType: .png) { _ in Data([0x89]) }
        DataRepresentation(exportedContentType: .html) { Data($0.text.utf8) }
            .suggestedFileName { $0.text }
    }
}

@Suite("Files")
struct FileTests {
    private func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

    @Test("exported as data are read; folders have no data")
    func exportedAsData() async throws {
        let scratch = try ScratchFolder()
        let film = Film(file: try scratch.file("a.mp4", [1, 2, 3]))
        #expect(try await film.exported(as: .movie) == Data([1, 2, 3]))
        let album = Film(file: try scratch.folder("album", with: ["x"]))
        let error = await #expect(throws: TransferError.self) { try await album.exported(as: .directory) }
        #expect(error?.kind == .folderAsData)
        let lost = Film(file: scratch.url.appending(path: "lost.mp4"))
        await #expect(throws: (any Error).self) { try await lost.exported(as: .movie) }
    }

    @Test("a copy is handed over, gone when the importer returns, unless opening in place was asked for")
    func importing() async throws {
        let scratch = try ScratchFolder()
        let original = try scratch.file("a.mp4", [1, 2, 3])
        let copied = try await Film(importing: original, contentType: .mpeg4Movie)
        #expect(copied.bytes == Data([1, 2, 3]) && !copied.isOriginal && copied.name == "a.mp4")
        #expect(copied.file.path != original.path && !exists(copied.file) && exists(original))
        let inPlace = try await Film(importing: original, contentType: .quickTimeMovie)
        #expect(inPlace.isOriginal && inPlace.file.path == original.path && exists(original))
    }

    @Test("data given to an importer of files is a file while it runs")
    func dataAsFile() async throws {
        let film = try await Film(importing: Data([7]), contentType: .quickTimeMovie)
        #expect(film.bytes == Data([7]) && !film.isOriginal && film.name == "item.mov")
        #expect(!exists(film.file) && !exists(film.file.deletingLastPathComponent()))
    }

    @Test("a file made for an import is handed over as it is")
    func ownedFile() async throws {
        let scratch = try ScratchFolder()
        let file = try scratch.file("received.mp4", [9])
        for form in Film.importableRepresentations() {
            #expect(form.isFile)
            let film = try await form.importing(.file(file))
            #expect(film.file.path == file.path && !film.isOriginal)
        }
    }

    @Test("export(to:) leaves a file of the caller's and never replaces one")
    func exportTo() async throws {
        let scratch = try ScratchFolder()
        let film = Film(file: try scratch.file("a.mp4", [1]))
        let target = try scratch.folder("target", with: [])
        let first = try await film.export(to: target, contentType: .movie)
        let second = try await film.export(to: target, contentType: nil)
        #expect(first.lastPathComponent == "a.mp4" && second.lastPathComponent == "a (2).mp4")
        #expect(try Data(contentsOf: second) == Data([1]))
        #expect(exists(film.file))
        let label = Label(text: "tag")
        #expect(try await label.export(to: target, contentType: .plainText).lastPathComponent == "tag.txt")
        #expect(try await label.export(to: target, contentType: .plainText).lastPathComponent == "tag (2).txt")
        let album = Film(file: try scratch.folder("album", with: ["x", "y"]))
        let copy = try await album.export(to: target, contentType: .folder)
        #expect(exists(copy.appendingPathComponent("y")))
    }

    @Test(
        "a suggested name that points elsewhere is not followed", arguments: ["../up.txt", "/etc/x", "..", "", "a\0b"])
    func hostileName(_ name: String) async throws {
        let scratch = try ScratchFolder()
        let target = try scratch.folder("target", with: [])
        let file = try await Label(text: name).export(to: target, contentType: .html)
        #expect(file.lastPathComponent == "item.html")
        #expect(try scratch.names == ["target"])
    }

    @Test("withExportedFile gives a file that is gone afterwards, the original only where it is allowed")
    func withExportedFile() async throws {
        let scratch = try ScratchFolder()
        let film = Film(file: try scratch.file("a.mp4", [1]))
        let copy = try await film.withExportedFile(contentType: .mpeg4Movie) { file in
            #expect(exists(file) && file.path != film.file.path)
            return file
        }
        #expect(!exists(copy))
        let original = try await film.withExportedFile(contentType: .quickTimeMovie) { $0 }
        #expect(original.path == film.file.path && exists(original))
        let text = try await "hello".withExportedFile(contentType: .text) {
            try String(contentsOf: $0, encoding: .utf8)
        }
        #expect(text == "hello")
    }

    @Test("the handler of an exported file runs where its caller does")
    @MainActor
    func handlerIsolation() async throws {
        var seen: [String] = []
        try await "hello".withExportedFile(contentType: .text) { file in
            MainActor.assertIsolated()
            seen.append(file.lastPathComponent)
        }
        #expect(seen == ["item"])
    }

    @Test("the temporary file goes as well when the handler throws")
    func handlerThrows() async throws {
        struct Stop: Error { let file: URL }
        let error = await #expect(throws: Stop.self) {
            try await "hello".withExportedFile(contentType: nil) { throw Stop(file: $0) }
        }
        #expect(try !exists(#require(error).file))
    }

    @Test("the last name suggested is the item's, and each form takes it with an extension that fits")
    func suggestedNames() throws {
        let label = Label(text: "card.htm")
        #expect(label.suggestedFilename == "card.htm")
        #expect(
            try label.exportableRepresentations().map(\.suggestedFileName) == ["card.txt", "card.png", "card.htm"])
        #expect("hello".suggestedFilename == nil)
        #expect(Report(name: "q3", isFinal: false).suggestedFilename == nil)
        #expect(Report(name: "q3", isFinal: true).suggestedFilename == "report.txt")
    }
}
