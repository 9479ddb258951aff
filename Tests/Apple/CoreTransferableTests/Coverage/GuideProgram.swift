import CoreTransferable

struct FieldNote: Codable {
    var place: String
    var text: String
}

extension UTType {
    static var fieldNote: UTType { UTType(exportedAs: "com.example.field-note", conformingTo: .json) }
}

extension FieldNote: Transferable {
    static var transferRepresentation: some TransferRepresentation {
        CodableRepresentation(contentType: .fieldNote)
            .suggestedFileName { "\($0.place).json" }
        DataRepresentation(exportedContentType: .html) { Data("<h1>\($0.place)</h1><p>\($0.text)</p>".utf8) }
            .exportingCondition { !$0.text.isEmpty }
        ProxyRepresentation(exporting: \.text)
    }
}

/// Forms of this note: the note itself, HTML unless it is empty, its text.
func forms(of note: FieldNote) -> [UTType] {
    note.exportedContentTypes()
}

/// The bytes of the first form that is a kind of HTML; an error for a note that has none.
func page(of note: FieldNote) async throws -> Data {
    try await note.exported(as: .html)
}

/// The note as a file in the folder, such as “Harbour.json”, and again as a value.
func carry(_ note: FieldNote, to folder: URL) async throws -> FieldNote {
    let file = try await note.export(to: folder, contentType: .fieldNote)
    return try await FieldNote(importing: file, contentType: .fieldNote)
}
