extension NSItemProvider {
    /// Every form of the item, in the order of registration, with its visibility. Content is loaded when a form is
    /// exported. Forms whose identifier is not well formed are left out.
    ///
    /// A file whose original may not be used is copied at the first export. The copy lives as long as the provider, and
    /// later exports return it, too.
    package func exportableRepresentations() -> [ExportableRepresentation] {
        registrations.all.compactMap { registration in
            guard let contentType = registration.contentType else { return nil }
            return ExportableRepresentation(
                contentType: contentType, visibility: registration.visibility.transferVisibility,
                suggestedFileName: suggestedFileName(for: registration), isFile: registration.isFile,
                sharesOriginals: registration.sharesOriginals, opensInPlace: registration.opensInPlace
            ) { [self] in try await export(registration) }
        }
    }

    private func suggestedFileName(for registration: Registration) -> String? {
        guard suggestedName != nil || registration.fileName != nil else { return nil }
        return fileNames(for: registration)(nil)
    }

    private func export(_ registration: Registration) async throws -> ExportedPayload {
        let progress = LoadProgress()
        if case .form(let form) = registration.source { return try await form.export() }
        guard registration.isFile else { return .data(try await take(registration, by: .bytes, progress)) }
        if let kept = registration.kept.current { return .file(SentTransferredFile(kept.url)) }
        let intake = ContentConversion<LoadedFile>.file(inPlace: true, named: fileNames(for: registration))
        let file = try await take(registration, by: intake, progress)
        if file.isOriginal { return .file(SentTransferredFile(file.url, allowAccessingOriginalFile: true)) }
        return .file(SentTransferredFile(registration.kept.keep(file).url))
    }
}
