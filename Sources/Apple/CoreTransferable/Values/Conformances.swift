// String, Data and URL here, AttributedString in TransferableRichText, and no others: programs bring their own
// conformances for further types of the standard library and Foundation, and one here would clash with them.

extension String: Transferable {
    /// UTF-8 text.
    public static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(contentType: .utf8PlainText) {
            Data($0.utf8)
        } importing: { data in
            guard let text = String(validating: data, as: UTF8.self) else {
                throw TransferError.malformed(.utf8PlainText, "not valid UTF-8")
            }
            return text
        }
    }
}

extension Data: Transferable {
    /// The bytes themselves.
    public static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(contentType: .data, exporting: \.self, importing: \.self)
    }
}

extension URL: Transferable {
    /// The URL's text: of any URL as a URL, of a file URL as a file URL as well. Never the contents of its target.
    public static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(contentType: .url, exporting: \.text) { try URL(text: $0, of: .url) }
        DataRepresentation(contentType: .fileURL, exporting: \.text) { data in
            let url = try URL(text: data, of: .fileURL)
            guard url.isFileURL else { throw TransferError.notAFile(url) }
            return url
        }
        .exportingCondition(\.isFileURL)
    }

    private var text: Data { Data(absoluteString.utf8) }

    private init(text: Data, of contentType: UTType) throws {
        guard let text = String(validating: text, as: UTF8.self), let url = URL(string: text) else {
            throw TransferError.malformed(contentType, "not a URL")
        }
        self = url
    }
}
