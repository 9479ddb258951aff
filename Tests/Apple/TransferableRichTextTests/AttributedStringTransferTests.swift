import CoreTransferable
import Testing
import TransferableRichText

@Suite("AttributedString")
struct AttributedStringTransferTests {
    private var text: AttributedString {
        var text = AttributedString("bold ")
        text.inlinePresentationIntent = .stronglyEmphasized
        text.append(AttributedString("naïve 😀\n"))
        return text
    }

    @Test("The forms are flattened RTFD, RTF and plain text, both ways")
    func types() {
        #expect(AttributedString.exportedContentTypes() == [.flatRTFD, .rtf, .utf8PlainText])
        #expect(AttributedString.importedContentTypes() == [.flatRTFD, .rtf, .utf8PlainText])
        #expect(text.exportedContentTypes() == [.flatRTFD, .rtf, .utf8PlainText])
    }

    @Test("Rich forms come back as they were, plain text as its characters")
    func roundTrips() async throws {
        for type in [UTType.flatRTFD, .rtf] {
            let data = try await text.exported(as: type)
            #expect(try await AttributedString(importing: data, contentType: type) == text)
        }
        let plain = try await text.exported(as: .utf8PlainText)
        #expect(plain == Data("bold naïve 😀\n".utf8))
        let back = try await AttributedString(importing: plain, contentType: .utf8PlainText)
        #expect(back == AttributedString("bold naïve 😀\n"))
    }

    @Test("Malformed content is an error that names the type and the fault")
    func refused() async throws {
        for (type, problem) in [
            (UTType.flatRTFD, "com.apple.flat-rtfd received is not a flattened folder"),
            (.rtf, "public.rtf received is not rich text"), (.utf8PlainText, "public.utf8-plain-text received is"),
        ] {
            let error = await #expect(throws: (any Error).self) {
                try await AttributedString(importing: Data("text \u{E9}".utf16.map { UInt8($0) }), contentType: type)
            }
            #expect(error.map { "\($0)".contains(problem) } == true, "\(type): \(String(describing: error))")
        }
    }

    @Test("The attributes that Linux's Foundation lacks are named and looked up as Apple's")
    func attributes() throws {
        var text = AttributedString("x")
        text.inlinePresentationIntent = [.code, .emphasized]
        text.presentationIntent = PresentationIntent(.header(level: 1), identity: 1)
        text.link = URL(string: "https://a.example")
        #expect(AttributeScopes.FoundationAttributes.PresentationIntentAttribute.name == "NSPresentationIntent")
        #expect(
            text[AttributeScopes.FoundationAttributes.InlinePresentationIntentAttribute.self]?.rawValue == 5)
        let merged = AttributedString("x", attributes: text.runs.first?.attributes ?? AttributeContainer())
        #expect(merged == text && text.runs[\.presentationIntent].first?.0?.count == 1)
    }
}
