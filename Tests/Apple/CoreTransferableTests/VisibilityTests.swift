import CoreTransferable
import Foundation
import TestSupport
import Testing

private struct Inner: Transferable {
    static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(exportedContentType: .html) { _ in Data() }.visibility(.ownProcess)
        DataRepresentation(exportedContentType: .rtf) { _ in Data() }
    }
}

private struct Outer: Transferable {
    static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(exportedContentType: .png) { _ in Data() }.visibility(.group)
        ProxyRepresentation { (_: Outer) in Inner() }.visibility(.team)
        DataRepresentation(exportedContentType: .gif) { _ in Data() }
        DataRepresentation(exportedContentType: .tiff) { _ in Data() }.visibility(.ownProcess).visibility(.all)
    }
}

@Suite("Visibility", .aside)
struct VisibilityTests {
    @Test("leaves out representations that are visible to fewer than the requested level")
    func filtering() {
        #expect(Outer.exportedContentTypes() == [.gif])
        #expect(Outer.exportedContentTypes(visibility: .all) == [.gif])
        #expect(Outer.exportedContentTypes(visibility: .team) == [.rtf, .gif])
        #expect(Outer.exportedContentTypes(visibility: .group) == [.png, .rtf, .gif])
        #expect(Outer.exportedContentTypes(visibility: .ownProcess) == [.png, .html, .rtf, .gif, .tiff])
        #expect(Outer().exportedContentTypes(.group) == [.png, .rtf, .gif])
    }

    @Test("is never widened by an enclosing representation")
    func narrowing() throws {
        #expect(
            try Outer().exportableRepresentations().map(\.visibility) == [
                .group, .ownProcess, .team, .all, .ownProcess,
            ])
    }

    @Test("does not keep the process itself from exporting")
    func ownProcess() async throws {
        #expect(try await Outer().exported(as: .tiff) == Data())
    }
}

/// A value whose names are suggested by forms of several visibilities.
private struct Named: Transferable {
    static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(exportedContentType: .gif) { _ in Data() }.suggestedFileName("open.gif")
        DataRepresentation(exportedContentType: .png) { _ in Data() }.suggestedFileName("team.png").visibility(.team)
        DataRepresentation(exportedContentType: .tiff) { _ in Data() }.suggestedFileName("own.tiff")
            .visibility(.ownProcess)
        DataRepresentation(exportedContentType: .html) { _ in Data() }
    }
}

@Suite("Names and visibility", .aside)
struct NameVisibilityTests {
    @Test("a form has no name that was suggested for fewer than see it")
    func names() throws {
        #expect(
            try Named().exportableRepresentations().map(\.suggestedFileName) == [
                "open.gif", "team.png", "own.tiff", "open.html",
            ])
    }

    @Test("a provider of a value has the name of a form that is visible to all")
    func provider() {
        let provider = NSItemProvider()
        provider.register(Named())
        #expect(provider.suggestedName?.hasPrefix("open") == true)
    }
}
