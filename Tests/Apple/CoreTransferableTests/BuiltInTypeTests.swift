import CoreTransferable
import Testing

@Suite("String, Data and URL")
struct BuiltInTypeTests {
    @Test("A string is UTF-8 plain text both ways")
    func strings() async throws {
        #expect(String.exportedContentTypes() == [.utf8PlainText])
        #expect(String.importedContentTypes() == [.utf8PlainText])
        #expect(try await String(importing: Data("naïve".utf8), contentType: .utf8PlainText) == "naïve")
        let error = await #expect(throws: TransferError.self) {
            try await String(importing: Data([0xC0, 0x80]), contentType: .utf8PlainText)
        }
        #expect(error?.kind == .malformedContent)
    }

    @Test("Data is public.data both ways")
    func data() async throws {
        #expect(Data.exportedContentTypes() == [.data] && Data.importedContentTypes() == [.data])
        #expect(try await Data(importing: Data([0, 1]), contentType: .data).exported(as: .item) == Data([0, 1]))
    }

    @Test("A URL is a URL, a file URL a file URL too; its bytes are its text")
    func urls() async throws {
        let web = try #require(URL(string: "https://a.example/?q=1"))
        let file = URL(filePath: "/tmp/a b")
        #expect(URL.exportedContentTypes() == [.url, .fileURL] && URL.importedContentTypes() == [.url, .fileURL])
        #expect(web.exportedContentTypes() == [.url])
        #expect(file.exportedContentTypes() == [.url, .fileURL])
        #expect(try await web.exported(as: .url) == Data("https://a.example/?q=1".utf8))
        #expect(try await file.exported(as: .fileURL) == Data("file:///tmp/a%20b".utf8))
        #expect(try await URL(importing: Data("file:///tmp/a%20b".utf8), contentType: .fileURL) == file)
        await #expect(throws: TransferError.self) {
            try await URL(importing: Data("https://a.example".utf8), contentType: .fileURL)
        }
        await #expect(throws: TransferError.self) { try await URL(importing: Data([0xFF]), contentType: .url) }
        await #expect(throws: TransferError.self) { try await URL(importing: Data(), contentType: .url) }
    }

    @Test("Any bytes make a string or URL that comes back as it is, or are refused")
    func fuzz() async throws {
        var state: UInt64 = 0x5EED
        for round in 0..<500 {
            var bytes: [UInt8] = []
            for _ in 0..<(round % 24) {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes.append(UInt8(truncatingIfNeeded: state >> 33))
            }
            let data = Data(bytes)
            if let text = try? await String(importing: data, contentType: nil) {
                #expect(try await text.exported(as: nil) == data, "seed 0x5EED, round \(round)")
            }
            if let url = try? await URL(importing: data, contentType: .url) {
                let again = try await URL(importing: url.exported(as: .url), contentType: .url)
                #expect(again == url, "seed 0x5EED, round \(round)")
            }
        }
    }
}
