import CoreTransferable
import Glibc
import Testing

private struct Sent: Transferable {
    var file: URL
    static var transferRepresentation: some TransferRepresentation {
        FileRepresentation(exportedContentType: .png) { SentTransferredFile($0.file) }
        FileRepresentation(exportedContentType: .folder) { SentTransferredFile($0.file) }
    }
}

private struct Received: Transferable {
    static var transferRepresentation: some TransferRepresentation {
        FileRepresentation(importedContentType: .folder) { _ in Received() }
        FileRepresentation(importedContentType: .png) { _ in Received() }
        DataRepresentation(importedContentType: .gif) { _ in Received() }
    }
}

private struct Named: Transferable {
    var name: String
    static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(exportedContentType: .plainText) { _ in Data("a".utf8) }
            .suggestedFileName { $0.name }
    }
}

private struct Album: Codable, Transferable {
    struct Page: Codable {
        var title: String
    }

    var pages: [Page]

    static var transferRepresentation: some TransferRepresentation {
        CodableRepresentation(contentType: .json)
    }
}

@Suite("Malformed files and contents")
struct BadFileTests {
    private func error(_ work: () async throws -> Void) async -> TransferError? {
        await #expect(throws: TransferError.self) { try await work() }
    }

    /// All ways of exporting a file.
    private func errors(exporting file: URL, as type: UTType) async throws -> [TransferError?] {
        let target = try ScratchFolder()
        let sent = Sent(file: file)
        let errors = [
            await error { _ = try await sent.exported(as: type) },
            await error { _ = try await sent.export(to: target.url, contentType: type) },
            await error { try await sent.withExportedFile(contentType: type) { _ in } },
        ]
        #expect(try target.names == [])
        return errors
    }

    @Test("an exporter's file that does not exist")
    func missing() async throws {
        let scratch = try ScratchFolder()
        for error in try await errors(exporting: scratch.url.appending(path: "lost.png"), as: .png) {
            #expect(error?.kind == .missingFile && error?.contentType == .png)
            #expect(error?.description.contains("lost.png”, exported as public.png, does not exist.") == true)
        }
    }

    @Test("a folder for a type of data, a file for a type of folders")
    func wrongKind() async throws {
        let scratch = try ScratchFolder()
        for error in try await errors(exporting: scratch.folder("album", with: ["a"]), as: .png) {
            #expect(error?.kind == .folderAsData && error?.contentType == .png)
        }
        for error in try await errors(exporting: scratch.file("a.png", [1]), as: .folder) {
            #expect(error?.kind == .dataAsFolder && error?.contentType == .folder)
        }
    }

    @Test("a device, a pipe, or no file at all")
    func special() async throws {
        let scratch = try ScratchFolder()
        let pipe = scratch.url.appending(path: "pipe.png")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        let web = try #require(URL(string: "https://a.example/a.png"))
        for url in [pipe, URL(filePath: "/dev/zero"), web] {
            for error in try await errors(exporting: url, as: .png) { #expect(error?.kind == .notAFile) }
        }
    }

    @Test("imports: a missing file, a folder as data, data as a folder")
    func importing() async throws {
        let scratch = try ScratchFolder()
        let folder = try scratch.folder("album", with: ["a"])
        let file = try scratch.file("a", [1])
        let lost = scratch.url.appending(path: "lost")
        #expect(await error { _ = try await Received(importing: lost, contentType: .gif) }?.kind == .missingFile)
        #expect(await error { _ = try await Received(importing: folder, contentType: .png) }?.kind == .folderAsData)
        #expect(await error { _ = try await Received(importing: folder, contentType: .gif) }?.kind == .folderAsData)
        #expect(await error { _ = try await Received(importing: file, contentType: .folder) }?.kind == .dataAsFolder)
        #expect(await error { _ = try await Received(importing: Data(), contentType: .folder) }?.kind == .dataAsFolder)
    }

    @Test("a destination that is not there or is no folder")
    func badDestination() async throws {
        let scratch = try ScratchFolder()
        let named = Named(name: "a.txt")
        let file = try scratch.file("file", [1])
        let lost = scratch.url.appending(path: "lost")
        #expect(await error { _ = try await named.export(to: file, contentType: nil) }?.kind == .fileSystem)
        #expect(await error { _ = try await named.export(to: lost, contentType: nil) }?.kind == .missingFile)
    }

    @Test(
        "a suggested name that is invalid or leads elsewhere is not used",
        arguments: ["../x", "..", ".", "", "/etc/passwd", "a/b", "a\0b", "a\nb", "\u{1B}[2J"])
    func hostileName(_ name: String) async throws {
        let scratch = try ScratchFolder()
        let target = try scratch.folder("target", with: [])
        let file = try await Named(name: name).export(to: target, contentType: nil)
        #expect(file.lastPathComponent == "item.txt" && file.deletingLastPathComponent().path == target.path)
        #expect(try scratch.names == ["target"])
    }

    @Test("a suggested name that is too long is cut before its extension, also where a number is added")
    func longName() async throws {
        let scratch = try ScratchFolder()
        let named = Named(name: String(repeating: "é", count: 150) + ".txt")
        for ending in ["é.txt", " (2).txt", " (3).txt"] {
            let name = try await named.export(to: scratch.url, contentType: nil).lastPathComponent
            #expect(name.utf8.count <= 255 && name.utf8.count > 250 && name.hasSuffix(ending))
        }
        let noExtension = Named(name: "." + String(repeating: "a", count: 300))
        #expect(try await noExtension.export(to: scratch.url, contentType: nil).lastPathComponent.utf8.count == 255)
    }

    @Test("a link that leads nowhere takes a name as well")
    func danglingLink() async throws {
        let scratch = try ScratchFolder()
        #expect(symlink("/nowhere/at/all", scratch.url.path + "/a.txt") == 0)
        let file = try await Named(name: "a.txt").export(to: scratch.url, contentType: nil)
        #expect(file.lastPathComponent == "a (2).txt")
    }

    @Test("JSON that does not fit the model: a sentence with the place")
    func misfits() async throws {
        for (json, phrase) in [
            (#"{"pages":[{"title":"a"},{"title":7}]}"#, "at “pages[1].title”, "),
            (#"{"pages":[{}]}"#, "at “pages[0]”, “title” is missing."),
            (#"{"pages":null}"#, "“pages"),
            (#"{"pages":"#, "Album cannot be read from public.json (data): "),
            ("", "Album cannot be read from public.json (data): "),
        ] {
            let error = await error { _ = try await Album(importing: Data(json.utf8), contentType: .json) }
            #expect(
                error?.kind == .malformedContent && error?.contentType == .json && error?.underlying is DecodingError)
            let sentence = try #require(error?.description)
            #expect(sentence.contains(phrase), "\(sentence)")
            #expect(!sentence.contains("\n"))
        }
    }
}
