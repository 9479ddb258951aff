import Testing

@testable import TransferableRichText

@Suite("Writing RTF")
struct RTFWriterTests {
    private let head = """
        {\\rtf1\\ansi\\ansicpg1252\\uc1\\deff0
        {\\fonttbl{\\f0\\fswiss\\fcharset0 Helvetica;}{\\f1\\fmodern\\fprq1\\fcharset0 Courier New;}}

        """

    private func body(_ text: AttributedString) -> String {
        String(decoding: RTFWriter.document(text), as: UTF8.self).replacing(head, with: "")
    }

    @Test("Plain text is one paragraph a line")
    func plain() {
        #expect(body("") == "{\\stylesheet{Normal;}}\n}\n")
        #expect(
            body("a\nb")
                == "{\\stylesheet{Normal;}}\n\\pard\\plain\\f0\\fs24 a\\par\n\\pard\\plain\\f0\\fs24 b}\n")
    }

    @Test("Characters other than printable ASCII are escaped, beyond 16 bits as two signed numbers")
    func escapes() {
        #expect(body("\\{}\té\u{2028}日😀").contains("\\\\\\{\\}\\tab \\u233?\\line \\u26085?\\u-10179?\\u-8704?}"))
    }

    @Test("Formats are groups, links are fields")
    func formats() {
        var text = AttributedString("a")
        text.inlinePresentationIntent = [.stronglyEmphasized, .emphasized, .strikethrough, .code]
        text.languageIdentifier = "de-DE"
        #expect(body(text).contains(" {\\b\\i\\strike\\f1\\lang1031 a}}"))
        text = "b"
        text.link = URL(string: "https://a.example/?q=1")
        text.append(AttributedString("\n"))
        #expect(
            body(text).contains("{\\field{\\*\\fldinst HYPERLINK \"https://a.example/?q=1\"}{\\fldrslt b}}\\par\n}"))
        text = "b\n"
        text.inlinePresentationIntent = .emphasized
        #expect(body(text).contains(" {\\i b\\par\n}}"))
    }

    @Test(
        "Blocks are styles by the names that Word knows, lists are lists, and a block's end without newline is marked")
    func blocks() {
        var text = AttributedString("a")
        text.presentationIntent = PresentationIntent(.header(level: 2), identity: 1)
        var item = AttributedString("b\n")
        let list = PresentationIntent(.unorderedList, identity: 2)
        item.presentationIntent = PresentationIntent(.listItem(ordinal: 1), identity: 3, parent: list)
        text.append(item)
        #expect(
            body(text) == """
                {\\stylesheet{Normal;}{\\s1\\outlinelevel1\\sbasedon0 heading 2;}{\\s2\\sbasedon0 Body Text;}}
                {\\*\\listtable{\\list\\listtemplateid1{\\listlevel\\levelnfc23\\leveljc0\\levelfollow0\\levelstartat1\
                {\\leveltext\\'01\\u8226?;}{\\levelnumbers;}\\fi-360\\li720}\\listid1}}
                {\\*\\listoverridetable{\\listoverride\\listid1\\listoverridecount0\\ls1}}
                \\pard\\plain\\s1\\outlinelevel1\\f0\\fs42 a{\\*\\portolanblock}\\par
                \\pard\\plain\\s2\\li720\\fi-360\\ls1\\ilvl0\\f0\\fs24 {\\listtext \\u8226?\\tab}b\\par
                }

                """)
    }
}
