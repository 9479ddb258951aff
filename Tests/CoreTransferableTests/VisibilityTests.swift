import CoreTransferable
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
    @Test("leaves out what is shown to fewer than the level asked for")
    func filtering() {
        #expect(Outer.exportedContentTypes() == [.gif])
        #expect(Outer.exportedContentTypes(visibility: .all) == [.gif])
        #expect(Outer.exportedContentTypes(visibility: .team) == [.rtf, .gif])
        #expect(Outer.exportedContentTypes(visibility: .group) == [.png, .rtf, .gif])
        #expect(Outer.exportedContentTypes(visibility: .ownProcess) == [.png, .html, .rtf, .gif, .tiff])
        #expect(Outer().exportedContentTypes(.group) == [.png, .rtf, .gif])
    }

    @Test("is never widened by what stands around it")
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
