extension AttributedString: Transferable {
    /// Forms: rich text in a flattened folder, rich text (RTF 1.9.1), and plain text; each is exported and imported.
    ///
    /// Preserved by RTF:
    /// - the text, every character of it;
    /// - `inlinePresentationIntent`: strong emphasis as bold, emphasis as italics, code as a font of fixed pitch,
    ///   strikethrough;
    /// - `link` (made absolute), `languageIdentifier` where Windows has a number for the language, `writingDirection`;
    /// - `presentationIntent`: headers of level 1 to 9, paragraphs, code blocks, thematic breaks, in block quotes and
    ///   in lists up to nine deep. Identities are numbered anew.
    ///
    /// Normalised: a newline belongs to the block that it ends, and ends it, unless that is a code block; code blocks,
    /// or quotes, that follow each other become one; quotes lie around lists; the paragraph in a list's item has an
    /// intent of its own; a code block has no language hint and no code within it that is marked as code again.
    ///
    /// Tables are exported as tables and imported as lines with tabs between the cells.
    ///
    /// Not exported: all other attributes. Not imported: fonts, sizes, colours, underlining and other properties of
    /// appearance, for which Foundation has no attribute without a screen; pictures and attachments; headers, footers
    /// and notes; hidden and deleted text.
    ///
    /// - Throws: `TransferError` with the place in the document, for data that is not RTF, is cut off, nested more
    ///   than 1000 groups deep, larger than 64 MiB, or changes its formatting more than 100,000 times.
    public static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(contentType: .flatRTFD) {
            try FlatRTFD.wrapped(rtf: RTFWriter.document($0))
        } importing: {
            try RTFReader.text(of: FlatRTFD.rtf(in: $0))
        }
        DataRepresentation(contentType: .rtf) {
            RTFWriter.document($0)
        } importing: {
            try RTFReader.text(of: $0)
        }
        ProxyRepresentation {
            String($0.characters)
        } importing: {
            AttributedString($0)
        }
    }
}
