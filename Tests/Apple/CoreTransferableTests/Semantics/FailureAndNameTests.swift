import CoreTransferable
import Synchronization
import Testing

private struct Reason: Error, Equatable {
    var number = 1
}

@Suite("Semantics 10 to 12: failure")
struct FailureSemanticsTests {
    private struct Picky: Transferable {
        var by: String
        static var transferRepresentation: some TransferRepresentation {
            DataRepresentation(importedContentType: .png) { _ in throw Reason(number: 1) }
            DataRepresentation(importedContentType: .image) { data in
                guard data.isEmpty else { throw Reason(number: 2) }
                return Picky(by: "image")
            }
        }
    }

    @Test("10. the next candidate is tried when an importer throws; if none is left that is an error")
    func nextCandidate() async throws {
        #expect(try await Picky(importing: .data(Data()), offeredAs: .png).by == "image")
        let error = await #expect(throws: TransferError.self) {
            try await Picky(importing: .data(Data([1])), offeredAs: .png)
        }
        #expect(error?.kind == .importFailed && error?.contentType == .png)
        #expect(error?.underlying as? Reason == Reason(number: 1))
        #expect(error?.description == "Picky cannot be imported from public.png (data): Reason(number: 1).")
    }

    @Test("11. an exporter's error is thrown on, with no fallback to another representation")
    func exporterThrows() async throws {
        struct Bad: Transferable {
            static var transferRepresentation: some TransferRepresentation {
                DataRepresentation(exportedContentType: .png) { _ in throw Reason() }
                FileRepresentation(exportedContentType: .jpeg) { _ in throw Reason(number: 2) }
                DataRepresentation(exportedContentType: .image) { _ in Data() }
            }
        }
        await #expect(throws: Reason()) { try await Bad().exported(as: .image) }
        await #expect(throws: Reason()) { try await Bad().exported(as: nil) }
        await #expect(throws: Reason(number: 2)) { try await Bad().withExportedFile(contentType: .jpeg) { _ in } }
        let scratch = try ScratchFolder()
        await #expect(throws: Reason(number: 2)) { try await Bad().export(to: scratch.url, contentType: .jpeg) }
        #expect(try scratch.names == [])
    }

    @Test("12. a condition that does not hold removes the type from the value's list, not from the type's, nor imports")
    func conditions() async throws {
        let web = try #require(URL(string: "https://a.example"))
        #expect(URL.exportedContentTypes() == [.url, .fileURL])
        #expect(web.exportedContentTypes() == [.url])
        #expect(try web.exportableRepresentations().map(\.contentType) == [.url])
        #expect(web.importedContentTypes() == [.url, .fileURL])
    }

    @Test("12. a condition is evaluated for each value")
    func conditionsPerValue() {
        struct Draft: Transferable {
            var isDone: Bool
            static var transferRepresentation: some TransferRepresentation {
                DataRepresentation(exportedContentType: .pdf) { _ in Data() }.exportingCondition { $0.isDone }
            }
        }
        #expect(Draft(isDone: true).exportedContentTypes() == [.pdf])
        #expect(Draft(isDone: false).exportedContentTypes().isEmpty)
    }
}

@Suite("Semantics 16 and 17: visibility and names")
struct NameSemanticsTests {
    private struct Levels: Transferable {
        static var transferRepresentation: some TransferRepresentation {
            DataRepresentation(exportedContentType: .png) { _ in Data() }.visibility(.ownProcess)
            DataRepresentation(exportedContentType: .gif) { _ in Data() }.visibility(.group)
            DataRepresentation(exportedContentType: .tiff) { _ in Data() }.visibility(.team)
            DataRepresentation(exportedContentType: .jpeg) { _ in Data() }.visibility(.all)
        }
    }

    @Test("16. visibility filters the list: all, team, group, own process")
    func visibility() {
        #expect(Levels.exportedContentTypes() == [.jpeg])
        #expect(Levels().exportedContentTypes() == [.jpeg])
        #expect(Levels().exportedContentTypes(.team) == [.tiff, .jpeg])
        #expect(Levels().exportedContentTypes(.group) == [.gif, .tiff, .jpeg])
        #expect(Levels().exportedContentTypes(.ownProcess) == [.png, .gif, .tiff, .jpeg])
    }

    private struct Card: Transferable {
        static var transferRepresentation: some TransferRepresentation {
            DataRepresentation(exportedContentType: .vCard) { _ in Data() }.suggestedFileName("first.vcf")
            DataRepresentation(exportedContentType: .png) { _ in Data() }
                .suggestedFileName("inner.png").suggestedFileName("Dr. No.png")
            ProxyRepresentation(exporting: { (_: Card) in "text" })
        }
    }

    @Test("17. of several names for one item only the last is used, with its extension")
    func lastName() async throws {
        #expect(Card().suggestedFilename == "Dr. No.png")
        #expect(
            try Card().exportableRepresentations().map(\.suggestedFileName)
                == ["Dr. No.vcf", "Dr. No.png", "Dr. No"])
        let scratch = try ScratchFolder()
        #expect(try await Card().export(to: scratch.url, contentType: .vCard).lastPathComponent == "Dr. No.vcf")
    }

    @Test(
        "17. a name without extension gets that of the type, wherever it goes",
        arguments: [
            ("picture", "picture.png"), ("Dr. No", "Dr. No.png"), ("Report 1.2", "Report 1.2.png"), ("a.jpg", "a.jpg"),
            ("a.sketch", "a.sketch"), ("a.7z", "a.7z"), ("..", "item.png"), ("", "item.png"),
        ])
    func addedExtension(given: String, expected: String) async throws {
        struct Picture: Transferable {
            var name: String
            static var transferRepresentation: some TransferRepresentation {
                DataRepresentation(exportedContentType: .png) { _ in Data([1]) }.suggestedFileName(\.name)
            }
        }
        let scratch = try ScratchFolder()
        let picture = Picture(name: given)
        #expect(try await picture.export(to: scratch.url, contentType: .png).lastPathComponent == expected)
        #expect(try await picture.withExportedFile(contentType: .png) { $0.lastPathComponent } == expected)
        let provider = NSItemProvider()
        provider.register(picture)
        let loaded = try await provider.withFileRepresentation(for: .png) { file, _ in file.lastPathComponent }
        #expect(loaded == expected)
    }

    @Test("17. no extension is added to a name that files of the type have without one")
    func wholeName() throws {
        struct Script: Transferable {
            var name: String
            static var transferRepresentation: some TransferRepresentation {
                DataRepresentation(exportedContentType: .makefile) { _ in Data() }.suggestedFileName(\.name)
            }
        }
        // Whole names are known if shared-mime-info is installed.
        let isKnown = FileManager.default.fileExists(atPath: "/usr/share/mime/globs2")
        for (given, expected) in [
            (".rules", ".rules"), ("Makefile", isKnown ? "Makefile" : "Makefile.make"), ("rules", "rules.make"),
        ] {
            #expect(try Script(name: given).exportableRepresentations().map(\.suggestedFileName) == [expected])
        }
    }

    @Test("17. no extension is added to a name that has one that fits")
    func noDoubleExtension() async throws {
        struct Photo: Transferable {
            static var transferRepresentation: some TransferRepresentation {
                DataRepresentation(exportedContentType: .jpeg) { _ in Data() }
                DataRepresentation(exportedContentType: .image) { _ in Data() }.suggestedFileName("beach.jpg")
            }
        }
        #expect(try Photo().exportableRepresentations().map(\.suggestedFileName) == ["beach.jpg", "beach.jpg"])
    }
}
