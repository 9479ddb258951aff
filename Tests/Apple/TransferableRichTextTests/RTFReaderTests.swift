import CoreTransferable
import Testing

@testable import TransferableRichText

@Suite("Reading RTF of others")
struct RTFReaderTests {
    private func read(_ rtf: String) throws -> AttributedString { try RTFReader.text(of: Data(rtf.utf8)) }

    private func text(_ rtf: String) throws -> String { try String(read(rtf).characters) }

    /// Blocks around the first run of a text.
    private func kinds(_ text: AttributedString, at part: String) -> [PresentationIntent.Kind]? {
        text.range(of: part).flatMap { text[$0].runs.first?.presentationIntent?.components.map(\.kind) }
    }

    @Test("TextEdit: formats by font and word, links, emoji, lists")
    func cocoa() throws {
        let text = try read(RTFCorpus.cocoa)
        #expect(String(text.characters) == "Café bold and code {braces}\na link 😀\none\ntwo\n")
        let bold = try #require(text.range(of: "bold"))
        #expect(text[bold].inlinePresentationIntent == .stronglyEmphasized)
        let code = try #require(text.range(of: "code"))
        #expect(text[code].inlinePresentationIntent == .code)
        let link = try #require(text.range(of: "a link"))
        #expect(text[link].link == URL(string: "https://a.example/?a=1&b=2"))
        #expect(kinds(text, at: "Caf") == nil)
        #expect(kinds(text, at: "one") == [.paragraph, .listItem(ordinal: 1), .unorderedList])
        #expect(kinds(text, at: "two") == [.paragraph, .listItem(ordinal: 2), .unorderedList])
    }

    @Test("Word: headers, code pages by font, nested lists, quotes, tables; no notes, headers, hidden text, pictures")
    func word() throws {
        let text = try read(RTFCorpus.word)
        #expect(
            String(text.characters)
                == "Überschrift\nText–mit kursiv und Мир.\u{2028}neu\ndrei\ninnen\nZitat\nVerweis\nA\tB1\u{2028}B2\n\tD\nEnde\n"
        )
        #expect(kinds(text, at: "Überschrift") == [.header(level: 1)])
        let header = try #require(text.range(of: "Überschrift"))
        #expect(text[header].inlinePresentationIntent == .stronglyEmphasized)
        #expect(text[header].languageIdentifier == "de-DE" && text[header].writingDirection == .leftToRight)
        let emphasis = try #require(text.range(of: "kursiv"))
        #expect(text[emphasis].inlinePresentationIntent == .emphasized)
        #expect(kinds(text, at: "drei") == [.paragraph, .listItem(ordinal: 3), .orderedList])
        #expect(
            kinds(text, at: "innen")
                == [.paragraph, .listItem(ordinal: 1), .unorderedList, .listItem(ordinal: 3), .orderedList])
        #expect(kinds(text, at: "Zitat") == [.paragraph, .blockQuote])
        let link = try #require(text.range(of: "Verweis"))
        #expect(text[link].link == URL(string: "https://a.example/#teil"))
    }

    @Test("LibreOffice: styles by its own names, code of several lines, Shift JIS with ASCII as second byte")
    func libreOffice() throws {
        let text = try read(RTFCorpus.libreOffice)
        #expect(String(text.characters) == "goneplain\ncode one\ncode two\n日ア\n")
        let gone = try #require(text.range(of: "gone"))
        #expect(text[gone].inlinePresentationIntent == .strikethrough)
        #expect(kinds(text, at: "gone") == [.paragraph])
        let code = try #require(text.range(of: "code one\ncode two\n"))
        #expect(text[code].presentationIntent?.components.map(\.kind) == [.codeBlock(languageHint: nil)])
        #expect(text[code].inlinePresentationIntent == nil)
    }

    @Test("WordPad: the document's code page, lists of old")
    func wordPad() throws {
        let text = try read(RTFCorpus.wordPad)
        #expect(String(text.characters) == "Привет\none\ntwo\nend\n")
        let greeting = try #require(text.range(of: "Привет"))
        #expect(text[greeting].languageIdentifier == "ru-RU")
        #expect(kinds(text, at: "two") == [.paragraph, .listItem(ordinal: 2), .unorderedList])
        #expect(kinds(text, at: "end") == nil)
    }

    @Test("Mac Roman, DOS, UTF-8, symbols, special characters, text given twice")
    func others() throws {
        #expect(try text(RTFCorpus.macintosh) == "café “quoted”\n")
        #expect(try text(RTFCorpus.dos) == "naïve ß€\u{A0}\u{AD}\u{2011}•—\u{0C}zz")
        #expect(try text(RTFCorpus.utf8) == "naïve 日本 é")
        #expect(try text(#"{\rtf1{\fonttbl{\f0\fcharset2 Symbol;}}\f0\'b7}"#) == "\u{F0B7}")
        #expect(try text(#"{\rtf1\ansicpg1258 A\'cc\ansicpg932\'b1}"#) == "A\u{300}ｱ")
        #expect(try text(#"{\rtf1\ansicpg99999 \'80}"#) == "€")
    }

    @Test("The substitutes of a Unicode character are skipped: as many as announced, in any form")
    func fallbacks() throws {
        #expect(
            try text(#"{\rtf1\u233?a\uc2\u233\'c3\'a9b\uc0\u233 c{\uc3\u233abcd}\u233 e}"#)
                == "éaébécédée")
        #expect(try text(#"{\rtf1\u233\par b}"#) == "é\nb")
        #expect(try text(#"{\rtf1\u233{?}b\u8212\emdash c\u92\\d}"#) == "é?b—c\\d")
        #expect(
            try text(#"{\rtf1\u128512?\u-3913?\u999999999?\u-99999?\u-10179?x\u-8704?}"#)
                == "😀\u{F0B7}\u{FFFD}\u{FFFD}\u{FFFD}x\u{FFFD}")
    }

    @Test("The attachments of RTFD leave nothing behind")
    func attachments() throws {
        #expect(try text(#"{\rtf1 a{{\NeXTGraphic i.png \width640 \height480}\'ac}b}"#) == "ab")
        #expect(try text(#"{\rtf1{\NeXTGraphic i.png}b}"#) == "b")
    }

    @Test("Fields that are no links, and links that are none, are their text")
    func fields() throws {
        let rtf = #"{\rtf1{\field{\*\fldinst PAGE}{\fldrslt 1}}{\field{\*\fldinst HYPERLINK}{\fldrslt 2}}"#
        let text = try read(rtf + #"{\field{\*\fldinst HYPERLINK \\l "x\\"y"}{\fldrslt 3}}{\fldrslt 4}}"#)
        #expect(String(text.characters) == "1234")
        #expect(text.runs.compactMap(\.link).map(\.absoluteString) == ["#x%22y"])
    }
}
