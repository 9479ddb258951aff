/// A form in which a value can be exported. The content is produced by ``export``.
package struct ExportableRepresentation: Sendable {
    package var contentType: UTType
    package var visibility: TransferRepresentationVisibility = .all

    /// Suggested file name of the export, with extension.
    package var suggestedFileName: String?

    /// True if the export is a file or folder on disk and not bytes in memory.
    package var isFile: Bool

    /// True if a receiver may get the exporter's own file on request. Each file also needs the exporter's permission,
    /// ``SentTransferredFile/allowAccessingOriginalFile``.
    package var sharesOriginals: Bool = false

    /// True if the form was declared as one whose file may be opened in place.
    package var opensInPlace: Bool = false

    /// Produces the content. An error of the exporter is thrown unchanged; a missing file, or a folder in place of data
    /// or the reverse, is a ``TransferError``.
    package var export: @Sendable () async throws -> ExportedPayload
}

package enum ExportedPayload: Sendable {
    case data(Data)
    case file(SentTransferredFile)
}

extension Transferable {
    /// All forms in which this value can be exported, in declared order: proxies resolved, conditions evaluated, all
    /// visibilities.
    ///
    /// The file name of each form is the last one that an equally or more visible form suggests, with the extension
    /// of its own type: a name given to a form that fewer see is not shown to others. A form's own name keeps the
    /// extension that it was given.
    /// - Throws: ``TransferError`` for a type that is, by way of proxies, represented by itself.
    package func exportableRepresentations() throws -> [ExportableRepresentation] {
        let forms = try exports(RepresentationPath())
        return forms.map { form in
            guard let name = Self.suggestedFileName(of: forms, seenAt: form.visibility) else { return form }
            var form = form
            form.suggestedFileName =
                form.suggestedFileName == name
                ? Self.fileName(name, completedFor: form.contentType)
                : Self.fileName(name, refittedTo: form.contentType)
            return form
        }
    }

    /// File name that may be shown with every form of this value: the last one suggested by a form of the widest
    /// visibility.
    var commonFilename: String? {
        guard let forms = try? exports(RepresentationPath()),
            let widest = forms.map(\.visibility).min(by: { $0.level < $1.level })
        else { return nil }
        return Self.suggestedFileName(of: forms, seenAt: widest)
    }

    private static func suggestedFileName(
        of forms: [ExportableRepresentation], seenAt visibility: TransferRepresentationVisibility
    ) -> String? {
        forms.last { $0.suggestedFileName != nil && $0.visibility.level <= visibility.level }?.suggestedFileName
    }

    /// Completes a name given for this form with the extension of its type, unless it has one or files of the type have
    /// none.
    private static func fileName(_ name: String, completedFor contentType: UTType) -> String {
        guard FittedName.isName(name), !name.hasPrefix(".") else { return name }
        let ending = NSString(string: name).pathExtension
        // Undeclared extensions count too; "Dr. No" and "Report 1.2" have none.
        let isExtension =
            ending.first?.isLetter == true && ending.utf8.allSatisfy(\.isLetterOrDigit)
            || UTType(filenameExtension: ending, conformingTo: .item)?.isDeclared == true
        return isExtension || contentType.isWholeName(name) ? name : contentType.fileName(for: name)
    }

    /// Adapts a name given for another form: its extension is replaced, unless it fits this form as well.
    private static func fileName(_ name: String, refittedTo contentType: UTType) -> String {
        if contentType.fitsExtension(of: name) { return name }
        let ending = NSString(string: name).pathExtension
        // The part behind the last dot of "Dr. No" is not an extension.
        let isExtension = !ending.isEmpty && UTType(filenameExtension: ending, conformingTo: .item)?.isDeclared == true
        return contentType.fileName(for: isExtension ? NSString(string: name).deletingPathExtension : name)
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
