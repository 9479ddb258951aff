import CoreTransferable
import Testing

// Numbers refer to the notes about the behaviour of Apple's frameworks, on which this module is based. Each section has
// one suite; points about types, item providers and receivers have suites elsewhere.

private struct Drawing: Transferable, Equatable {
    var strokes: String

    static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(contentType: .svg) {
            Data("<svg>\($0.strokes)</svg>".utf8)
        } importing: { _ in
            Drawing(strokes: "svg")
        }
        DataRepresentation(exportedContentType: .png) { _ in Data([0x89]) }
        DataRepresentation(importedContentType: .pdf) { _ in Drawing(strokes: "pdf") }
        ProxyRepresentation(exporting: \.strokes)
    }
}

/// Representation that imported the content, and its data.
private struct Taken: Transferable, Equatable {
    var by: String
    var data: Data

    static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(importedContentType: .png) { data in
            guard data.first == 0x89 else { throw CocoaError(.fileReadCorruptFile) }
            return Self(by: "png", data: data)
        }
        DataRepresentation(importedContentType: .image) { Self(by: "image", data: $0) }
        DataRepresentation(importedContentType: .data) { Self(by: "data", data: $0) }
    }
}

private enum Kinds: Transferable, Equatable {
    case url(URL), text(String)

    static var transferRepresentation: some TransferRepresentation {
        ProxyRepresentation { .url($0) }
        ProxyRepresentation { .text($0) }
    }
}

@Suite("Semantics 1 to 4: order and choice")
struct OrderSemanticsTests {
    @Test("1. declaration order is preference, the richest first")
    func order() throws {
        #expect(Drawing.exportedContentTypes() == [.svg, .png, .utf8PlainText])
        #expect(
            try Drawing(strokes: "").exportableRepresentations().map(\.contentType) == [.svg, .png, .utf8PlainText])
        #expect(Drawing.importedContentTypes() == [.svg, .pdf])
    }

    @Test("2. exported(as:) picks the first exporting representation whose type conforms")
    func choice() async throws {
        #expect(try await "héllo".exported(as: .plainText) == Data("héllo".utf8))
        #expect(try await Drawing(strokes: "a").exported(as: .image) == Data("<svg>a</svg>".utf8))
        #expect(try await Drawing(strokes: "a").exported(as: nil) == Data("<svg>a</svg>".utf8))
        let web = try #require(URL(string: "https://a.example"))
        for work in [
            { try await web.exported(as: .plainText) }, { try await "a".exported(as: .gif) },
            // Imported only, so not a choice.
            { try await Drawing(strokes: "a").exported(as: .pdf) },
        ] {
            let error = await #expect(throws: TransferError.self) { try await work() }
            #expect(error?.kind == .notOffered)
        }
    }

    @Test("2. a file-backed representation is read into memory")
    func fileBacked() async throws {
        struct Stored: Transferable {
            let file: URL
            static var transferRepresentation: some TransferRepresentation {
                FileRepresentation(exportedContentType: .mp3) { SentTransferredFile($0.file) }
            }
        }
        let scratch = try ScratchFolder()
        #expect(try await Stored(file: scratch.file("a.mp3", [1, 2])).exported(as: .audio) == Data([1, 2]))
    }

    @Test("3. a library of bytes takes the first exported type that conforms to data; a directory is none")
    func firstData() async throws {
        struct Project: Transferable {
            let folder: URL
            static var transferRepresentation: some TransferRepresentation {
                FileRepresentation(exportedContentType: .directory) { SentTransferredFile($0.folder) }
                DataRepresentation(exportedContentType: .json) { _ in Data("{}".utf8) }
            }
        }
        let scratch = try ScratchFolder()
        let project = Project(folder: try scratch.folder("p", with: ["a"]))
        let first = try #require(project.exportedContentTypes().first { $0.conforms(to: .data) })
        #expect(first == .json)
        #expect(try await project.exported(as: first) == Data("{}".utf8))
        let error = await #expect(throws: TransferError.self) { try await project.exported(as: .directory) }
        #expect(error?.kind == .folderAsData)
        await #expect(throws: TransferError.self) { try await project.exported(as: nil) }
    }

    @Test("4. an enum with a proxy a case takes several kinds, tried in order")
    func severalKinds() async throws {
        #expect(Kinds.importedContentTypes() == [.url, .fileURL, .utf8PlainText])
        let text = ImportedPayload.data(Data("https://a.example".utf8))
        let url = try #require(URL(string: "https://a.example"))
        #expect(try await Kinds(importing: text, offeredAs: .url) == .url(url))
        #expect(try await Kinds(importing: text, offeredAs: .utf8PlainText) == .text("https://a.example"))
        // Without a type, the first form that can read the data is used, which is why the richer one is first.
        #expect(try await Kinds(importing: Data("https://a.example".utf8), contentType: nil) == .url(url))
    }
}

@Suite("Semantics 5 to 9: matching of imports")
struct MatchingSemanticsTests {
    @Test("5. the protocol level is strict on the declared type")
    func strict() async throws {
        for work in [
            { _ = try await Data(importing: Data([0x89]), contentType: .png) },
            { _ = try await String(importing: Data("https://a.example".utf8), contentType: .url) },
            { _ = try await URL(importing: Data("https://a.example".utf8), contentType: .plainText) },
            { _ = try await String(importing: Data("a".utf8), contentType: .plainText) },
        ] {
            let error = await #expect(throws: TransferError.self) { try await work() }
            #expect(error?.kind == .notImportable)
        }
    }

    @Test("5. offered types match by conformance: data takes text; text and URL do not take each other")
    func conformance() async throws {
        #expect(Data.canImport(.utf8PlainText) && !Data.canImport(.folder))
        #expect(try await Data(importing: .data(Data("a".utf8)), offeredAs: .utf8PlainText) == Data("a".utf8))
        #expect(!String.canImport(.url) && !URL.canImport(.utf8PlainText))
        await #expect(throws: TransferError.self) { try await String(importing: .data(Data()), offeredAs: .url) }
        await #expect(throws: TransferError.self) { try await URL(importing: .data(Data()), offeredAs: .utf8PlainText) }
    }

    @Test("6. a receiver of images takes every image, one of data every file, one of items folders too")
    func abstractImports() async throws {
        for offered in [UTType.png, .jpeg, .heic] { #expect(Taken.canImport(offered)) }
        #expect(try await Taken(importing: .data(Data([1])), offeredAs: .jpeg) == Taken(by: "image", data: Data([1])))
        #expect(try await Taken(importing: .data(Data([1])), offeredAs: .pdf).by == "data")
        #expect(!Taken.canImport(.folder) && !Taken.canImport(.package))
        struct Anything: Transferable {
            static var transferRepresentation: some TransferRepresentation {
                FileRepresentation(importedContentType: .item) { _ in Anything() }
            }
        }
        #expect(Anything.canImport(.folder) && Anything.canImport(.png))
    }

    @Test("7. an abstract type that is offered does not match a receiver of a concrete one")
    func abstractExports() async throws {
        struct PNG: Transferable {
            static var transferRepresentation: some TransferRepresentation {
                DataRepresentation(importedContentType: .png) { _ in PNG() }
            }
        }
        #expect(!PNG.canImport(.image))
        let error = await #expect(throws: TransferError.self) {
            try await PNG(importing: .data(Data()), offeredAs: .image)
        }
        #expect(error?.kind == .notImportable && error?.contentType == .image)
    }

    @Test("8. without a type every representation is tried until one accepts; a file's name is asked first")
    func untyped() async throws {
        #expect(try await Taken(importing: Data([0x89]), contentType: nil).by == "png")
        #expect(try await Taken(importing: Data([0]), contentType: nil).by == "image")
        let scratch = try ScratchFolder()
        #expect(try await Taken(importing: scratch.file("a.txt", [0x89]), contentType: nil).by == "data")
        #expect(try await Taken(importing: scratch.file("a.gif", [0x89]), contentType: nil).by == "image")
        #expect(try await Taken(importing: scratch.file("nameless", [0x89]), contentType: nil).by == "png")
    }

    @Test("9. a dynamic type matches by its conformance alone")
    func dynamicTypes() async throws {
        let unknown = try #require(UTType(filenameExtension: "portolan-unheard-of"))
        #expect(unknown.isDynamic)
        #expect(try await Taken(importing: .data(Data([0x89])), offeredAs: unknown).by == "data")
        #expect(!String.canImport(unknown))
    }
}
