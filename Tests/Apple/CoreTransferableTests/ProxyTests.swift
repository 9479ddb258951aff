import CoreTransferable
import Testing

private struct Link: Transferable {
    var url: URL
    static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(exportedContentType: .html) { Data("<a href='\($0.url)'>".utf8) }
        ProxyRepresentation(exporting: \.url)
        DataRepresentation(exportedContentType: .plainText) { Data($0.url.absoluteString.utf8) }
    }
}

private struct Wrapped: Transferable {
    var link: Link
    static var transferRepresentation: some TransferRepresentation {
        ProxyRepresentation(exporting: \.link)
    }
}

private struct Mirror: Transferable {
    static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(contentType: .png) { _ in
            Data()
        } importing: { _ in
            Mirror()
        }
        ProxyRepresentation(exporting: { (mirror: Mirror) in mirror }, importing: { (mirror: Mirror) in mirror })
    }
}

private struct Hen: Transferable {
    static var transferRepresentation: some TransferRepresentation {
        ProxyRepresentation(exporting: { _ in Egg() }, importing: { (_: Egg) in Hen() })
    }
}

private struct Egg: Transferable {
    static var transferRepresentation: some TransferRepresentation {
        ProxyRepresentation(exporting: { _ in Hen() }, importing: { (_: Hen) in Egg() })
    }
}

private struct Growing<Inner: Sendable>: Transferable {
    static var transferRepresentation: some TransferRepresentation {
        ProxyRepresentation(exporting: { (_: Growing<Inner>) in Growing<Growing<Inner>>() })
    }
}

/// Exports through `There`, which imports through it: no loop, since each direction ends.
private struct Here: Transferable {
    static var transferRepresentation: some TransferRepresentation {
        ProxyRepresentation { (_: Here) in There() }
        DataRepresentation(importedContentType: .json) { _ in Here() }
    }
}

private struct There: Transferable {
    static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(exportedContentType: .json) { _ in Data("there".utf8) }
        ProxyRepresentation { (_: Here) in There() }
    }
}

private struct Fragile: Transferable {
    struct Cracked: Error, Equatable {}

    static var transferRepresentation: some TransferRepresentation {
        ProxyRepresentation { (_: Fragile) throws -> String in throw Cracked() }
            .visibility(.team)
        DataRepresentation(exportedContentType: .rtf) { _ in Data("whole".utf8) }
    }
}

private struct Slow: Transferable {
    var url: URL

    @available(*, deprecated)
    static var transferRepresentation: some TransferRepresentation {
        ProxyRepresentation { (slow: Slow) async throws -> URL in
            await Task.yield()
            return slow.url
        }
    }
}

@Suite("Proxies")
struct ProxyTests {
    private let web = URL(string: "https://a.example/b") ?? URL(filePath: "/")

    @Test("stand for all forms of the proxy, at their place, according to the value")
    func inPlace() throws {
        #expect(Link.exportedContentTypes() == [.html, .url, .fileURL, .plainText])
        #expect(Link(url: web).exportedContentTypes() == [.html, .url, .plainText])
        #expect(Link(url: URL(filePath: "/a")).exportedContentTypes() == [.html, .url, .fileURL, .plainText])
    }

    @Test("of proxies are looked through")
    func chains() async throws {
        #expect(Wrapped(link: Link(url: web)).exportedContentTypes() == [.html, .url, .plainText])
        #expect(try await Wrapped(link: Link(url: web)).exported(as: .url) == Data("https://a.example/b".utf8))
    }

    @Test("of a file URL hand over the URL and not the file")
    func fileURLs() async throws {
        let forms = try Link(url: URL(filePath: "/etc/hostname")).exportableRepresentations()
        #expect(forms.allSatisfy { !$0.isFile })
        let data = try await Link(url: URL(filePath: "/etc/hostname")).exported(as: .fileURL)
        #expect(data == Data("file:///etc/hostname".utf8))
    }

    @Test("to a type that leads back to their own are an error and not a hang")
    func loops() async throws {
        let error = #expect(throws: TransferError.self) { try Mirror().exportableRepresentations() }
        #expect(error?.kind == .endless)
        #expect(error?.description.contains("Mirror → Mirror") == true)
        #expect(throws: TransferError.self) { try Hen().exportableRepresentations() }
        #expect(throws: TransferError.self) { try Growing<Int>().exportableRepresentations() }
        await #expect(throws: TransferError.self) { try await Mirror().exported(as: .png) }
        await #expect(throws: TransferError.self) { try await Mirror(importing: Data(), contentType: .png) }
        await #expect(throws: TransferError.self) { try await Egg(importing: Data(), contentType: nil) }
        #expect(Mirror.exportedContentTypes().isEmpty && Mirror().exportedContentTypes().isEmpty)
        #expect(Mirror.importableRepresentations().isEmpty)
    }

    @Test("of types that go through each other in opposite directions are no loop")
    func oppositeDirections() async throws {
        #expect(try await Here().exported(as: .json) == Data("there".utf8))
        #expect(There.importedContentTypes() == [.json])
    }

    @Test("with an exporter that throws fail alone, and only when they are asked for")
    func failingExporter() async throws {
        let forms = try Fragile().exportableRepresentations()
        #expect(forms.map(\.contentType) == [.utf8PlainText, .rtf])
        #expect(forms.map(\.visibility) == [.team, .all])
        await #expect(throws: Fragile.Cracked()) { try await forms[0].export() }
        #expect(try await Fragile().exported(as: .rtf) == Data("whole".utf8))
    }

    @Test("made asynchronously list the forms of their type, and fail for those that the value turns out not to have")
    @available(*, deprecated)
    func asynchronousExporter() async throws {
        let forms = try Slow(url: web).exportableRepresentations()
        #expect(forms.map(\.contentType) == [.url, .fileURL])
        guard case .data(let data) = try await forms[0].export() else {
            Issue.record("a URL is data")
            return
        }
        #expect(data == Data("https://a.example/b".utf8))
        await #expect(throws: TransferError.self) { try await forms[1].export() }
    }
}
