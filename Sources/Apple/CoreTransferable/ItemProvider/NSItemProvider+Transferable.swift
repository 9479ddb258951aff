extension NSItemProvider {
    /// Adds every form that a value can be exported in, in the value's order.
    ///
    /// The value is made at once, because which forms it has depends on it; the forms are not. A type that is, by way
    /// of proxies, represented by itself has none.
    public func register<T: Transferable>(_ transferable: @autoclosure @escaping @Sendable () -> T) {
        let value = transferable()
        for form in (try? value.exportableRepresentations()) ?? [] {
            let visibility = NSItemProviderRepresentationVisibility(form.visibility)
            registrations.append(Registration(form.contentType.identifier, visibility, source: .form(form)))
        }
        if let name = value.commonFilename {
            let ending = NSString(string: name).pathExtension
            let meant = UTType(tag: ending, tagClass: .filenameExtension, conformingTo: nil)
            deriveName(from: name, of: meant?.isDeclared == true ? meant : nil, showingExtension: true)
        }
    }

    /// Makes a value of the first form, in the order of registration, that conforms to a type that `transferableType`
    /// imports and that its importer accepts.
    /// - Parameter completionHandler: is called with the value or an error. Cancelling the progress that is returned
    ///   makes it `CocoaError.userCancelled`.
    public func loadTransferable<T: Transferable>(
        type transferableType: T.Type, completionHandler: @escaping @Sendable (Result<T, any Error>) -> Void
    ) -> Progress {
        load {
            try await self.value(of: transferableType, $0)
        } then: {
            completionHandler($0)
        }
    }

    /// Makes a value of the first form that `transferableType` imports.
    /// - Throws: an error in ``errorDomain``; where an importer or exporter failed, that is its underlying error.
    @_disfavoredOverload
    public func loadTransferable<T: Transferable>(type transferableType: T.Type) async throws -> T {
        try await value(of: transferableType, LoadProgress())
    }

    private func value<T: Transferable>(of type: T.Type, _ progress: LoadProgress) async throws -> T {
        let offered = registrations.all
        let importable = T.importableRepresentations()
        var firstError: (any Error)?
        for registration in offered {
            guard let contentType = registration.contentType,
                let importer = importable.first(where: { contentType.conforms(to: $0.contentType) })
            else { continue }
            do {
                return try await value(from: registration, of: contentType, asFile: importer.isFile, progress)
            } catch {
                try Task.checkCancellation()
                firstError = firstError ?? error
            }
        }
        throw ItemProviderError.notTransferable(type, from: offered, because: firstError)
    }

    private func value<T: Transferable>(
        from registration: Registration, of contentType: UTType, asFile: Bool, _ progress: LoadProgress
    ) async throws -> T {
        guard asFile else {
            let data = try await take(registration, by: .bytes, progress)
            return try await T(importing: .data(data), offeredAs: contentType, within: loadTimeout)
        }
        let names = fileNames(for: registration)
        let file = try await take(registration, by: .file(inPlace: true, named: names, showing: progress), progress)
        defer { file.discard() }
        let payload = ImportedPayload.file(
            file.url, owner: file.isOriginal ? .somebodyElse(mayOpenInPlace: true) : .importer)
        return try await T(importing: payload, offeredAs: contentType, within: loadTimeout)
    }
}
