import CoreTransferable
import TestSupport
import Testing

@testable import TransferableRichText

@Suite("RTF, there and back", .aside)
struct RTFRoundTripTests {
    @Test("Any text comes back unchanged, as far as RTF can express it")
    func random() throws {
        for seed in UInt64(0)..<300 {
            let document = RandomDocument.document(seed: seed)
            let rtf = RTFWriter.document(document)
            #expect(rtf.allSatisfy { $0 < 0x80 }, "seed \(seed)")
            #expect(RTFWriter.document(document) == rtf, "seed \(seed)")
            let back = try RTFReader.text(of: rtf)
            #expect(Self.difference(back, document) == nil, "seed \(seed)")
            #expect(RTFWriter.document(back) == rtf, "seed \(seed)")
        }
    }

    /// First different run; nil if all are equal. (`==` of Foundation on Linux is false for equal strings with a run
    /// that ends within a character.)
    private static func difference(_ one: AttributedString, _ other: AttributedString) -> String? {
        func runs(_ text: AttributedString) -> [(text: [Unicode.Scalar], attributes: AttributeContainer)] {
            text.runs.map { (Array(text.unicodeScalars[$0.range]), $0.attributes) }
        }
        let (ones, others) = (runs(one), runs(other))
        for (index, (one, other)) in zip(ones, others).enumerated() where one != other {
            return "run \(index): \(one) instead of \(other)"
        }
        return ones.count == others.count ? nil : "\(ones.count) runs instead of \(others.count)"
    }

    @Test("Every character comes back, those that no document should have too")
    func characters() throws {
        var view = String.UnicodeScalarView()
        for value in (UInt32(0)..<0x3000).lazy.map({ $0 }) + Array(0xD700..<0x10400) {
            if let scalar = Unicode.Scalar(value) { view.append(scalar) }
        }
        let text = AttributedString(String(view))
        #expect(try RTFReader.text(of: RTFWriter.document(text)) == text)
    }

    @Test("A run that ends within a character keeps its end")
    func dividedCharacters() throws {
        var text = AttributedString("e\u{301}👩\u{200D}💻\r\n")
        let scalars = text.unicodeScalars
        for offset in [0, 2, 4] {
            let start = scalars.index(scalars.startIndex, offsetBy: offset)
            text[start..<scalars.index(after: start)].inlinePresentationIntent = .stronglyEmphasized
        }
        #expect(try Self.difference(RTFReader.text(of: RTFWriter.document(text)), text) == nil)
    }

    @Test("Every language with a number comes back")
    func languages() throws {
        #expect(WindowsLanguage.identifiers.count > 100)
        for identifier in WindowsLanguage.identifiers.values {
            let text = AttributedString("x", attributes: AttributeContainer().languageIdentifier(identifier))
            #expect(try RTFReader.text(of: RTFWriter.document(text)) == text, "\(identifier)")
        }
        let unknown = AttributedString("x", attributes: AttributeContainer().languageIdentifier("tlh"))
        #expect(try RTFReader.text(of: RTFWriter.document(unknown)) == AttributedString("x"))
        let lowercase = AttributedString("x", attributes: AttributeContainer().languageIdentifier("de_at"))
        #expect(try RTFReader.text(of: RTFWriter.document(lowercase)).runs.first?.languageIdentifier == "de-AT")
    }

    @Test("The direction of a paragraph comes back")
    func direction() throws {
        var text = AttributedString("אב\n")
        text.writingDirection = .rightToLeft
        var more = AttributedString("ab\n")
        more.writingDirection = .leftToRight
        text.append(more)
        text.append(AttributedString("c"))
        #expect(try RTFReader.text(of: RTFWriter.document(text)) == text)
    }

    @Test("Identities, quotes within lists and depths beyond nine become the nearest form of RTF")
    func normalised() throws {
        var text = AttributedString("a")
        let list = PresentationIntent(.unorderedList, identity: 70)
        let item = PresentationIntent(.listItem(ordinal: 1), identity: 60, parent: list)
        let quote = PresentationIntent(.blockQuote, identity: 50, parent: item)
        text.presentationIntent = PresentationIntent(.header(level: 12), identity: 40, parent: quote)
        let back = try RTFReader.text(of: RTFWriter.document(text))
        let kinds = back.runs.first?.presentationIntent?.components.map(\.kind)
        #expect(kinds == [.header(level: 9), .listItem(ordinal: 1), .unorderedList, .blockQuote])

        var deep: PresentationIntent?
        for depth in 0..<40 {
            deep = PresentationIntent(.orderedList, identity: 2 * depth, parent: deep)
            deep = PresentationIntent(.listItem(ordinal: 1), identity: 2 * depth + 1, parent: deep)
        }
        text.presentationIntent = deep
        #expect(try RTFReader.text(of: RTFWriter.document(text)).characters.elementsEqual("a"))
    }

    @Test("A table leaves as a table and comes back as lines with tabs")
    func table() throws {
        let columns = [PresentationIntent.TableColumn(alignment: .left), .init(alignment: .right)]
        let table = PresentationIntent(.table(columns: columns), identity: 1)
        let header = PresentationIntent(.tableHeaderRow, identity: 2, parent: table)
        let row = PresentationIntent(.tableRow(rowIndex: 1), identity: 3, parent: table)
        var text = AttributedString()
        for (identity, column, parent, content) in [
            (4, 0, header, "a"), (5, 1, header, "b"), (6, 1, row, "d\n"),
        ] {
            var cell = AttributedString(content)
            cell.presentationIntent = PresentationIntent(
                .tableCell(columnIndex: column), identity: identity, parent: parent)
            text.append(cell)
        }
        text.append(AttributedString("after"))
        let rtf = String(decoding: RTFWriter.document(text), as: UTF8.self)
        #expect(rtf.contains("\\trowd\\trgaph108\\cellx4320\\cellx8640\n\\pard\\plain\\intbl"))
        #expect(try String(RTFReader.text(of: Data(rtf.utf8)).characters) == "a\tb\n\td\nafter")
    }
}
