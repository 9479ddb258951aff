import Foundation
import PortolanValues
import Testing

@Suite struct DocumentFormTests {
    private struct Body: Codable, Equatable {
        var names: [String]
        var since: Date
    }

    private struct LaterBody: Codable {
        var entries: [Int]
    }

    private let form = DocumentForm("some list", versions: 2...3)
    private let body = Body(names: ["a/b"], since: Date(timeIntervalSince1970: 1_795_634_400))

    @Test func documentHasItsFormatAndRoundTrips() throws {
        let text = form.text(of: body)
        #expect(
            String(decoding: text, as: UTF8.self) == """
                {
                  "format" : "some list",
                  "names" : [
                    "a/b"
                  ],
                  "since" : "2026-11-25T19:20:00Z",
                  "version" : 3
                }

                """)
        let (read, version) = try form.read(Body.self, from: text)
        #expect(read == body && version == 3)
    }

    @Test func earlierVersionsAreReadWithTheirNumber() throws {
        let text = DocumentForm("some list", versions: 2...2).text(of: body)
        #expect(try form.read(Body.self, from: text).version == 2)
    }

    @Test func laterVersionIsReportedForAnyBody() {
        let text = DocumentForm("some list", versions: 4...4).text(of: LaterBody(entries: [1]))
        let error = #expect(throws: DocumentDefect.self) { try form.read(Body.self, from: text) }
        #expect(error?.clause("a list") == "it has version 4, and this program writes version 3")
    }

    @Test(
        "other texts are not read",
        arguments: ["", "[]", "{}", "null", #"{"format":"some list"}"#, #"{"version":3}"#])
    func refuses(text: String) {
        let error = #expect(throws: DocumentDefect.self) { try form.read(Body.self, from: Array(text.utf8)) }
        #expect(error?.clause("a list") == "it is not a list")
    }

    @Test func documentOfAnotherFormatIsRefused() {
        let text = DocumentForm("another list", versions: 3...3).text(of: body)
        #expect(throws: DocumentDefect.self) { try form.read(Body.self, from: text) }
        #expect(throws: Never.self) { try DocumentForm(nil, versions: 3...3).read(Body.self, from: text) }
    }
}
