// A type is loaded as the first form, in the order of registration, that conforms to it.
//
// The asynchronous twins are disfavoured, here and for objects and Transferable values: Apple has none, so that many
// programs bring their own under the same names, which must stay unambiguous.

// MARK: - Bytes

extension NSItemProvider {
    /// Loads the bytes of the first form that conforms to a type; a folder as a zip archive.
    /// - Parameter completionHandler: is called with the bytes or an error. Cancelling the progress that is returned
    ///   makes it `CocoaError.userCancelled`.
    @discardableResult
    public func loadDataRepresentation(
        for contentType: UTType, completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress {
        loadDataRepresentation(forTypeIdentifier: contentType.identifier, completionHandler: completionHandler)
    }

    /// Loads the bytes of the first form that conforms to a type; a folder as a zip archive.
    @discardableResult
    public func loadDataRepresentation(
        forTypeIdentifier typeIdentifier: String, completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress {
        load { progress in
            try await self.data(typeIdentifier, progress)
        } then: { result in
            completionHandler(result.value, result.error)
        }
    }

    /// The bytes of the first form that conforms to a type; a folder as a zip archive.
    /// - Throws: the error of the form's handler, or an error in ``errorDomain``.
    @_disfavoredOverload
    public func loadDataRepresentation(for contentType: UTType) async throws -> Data {
        try await data(contentType.identifier, LoadProgress())
    }

    /// The bytes of the first form that conforms to a type; a folder as a zip archive.
    /// - Throws: the error of the form's handler, or an error in ``errorDomain``.
    @_disfavoredOverload
    public func loadDataRepresentation(forTypeIdentifier typeIdentifier: String) async throws -> Data {
        try await data(typeIdentifier, LoadProgress())
    }

    private func data(_ typeIdentifier: String, _ progress: LoadProgress) async throws -> Data {
        try await take(registration(conformingTo: typeIdentifier), by: .bytes, progress)
    }
}

// MARK: - Files

extension NSItemProvider {
    /// Loads the first form that conforms to a type as a file or folder.
    /// - Parameters:
    ///   - openInPlace: true to get the file itself, if it was registered so.
    ///   - completionHandler: is called with the file and whether it is the file itself, or with an error. A copy is
    ///     gone when it returns. Cancelling the progress that is returned makes the error `CocoaError.userCancelled`.
    @discardableResult
    public func loadFileRepresentation(
        for contentType: UTType, openInPlace: Bool = false,
        completionHandler: @escaping @Sendable (URL?, Bool, (any Error)?) -> Void
    ) -> Progress {
        loadFile(contentType.identifier, inPlace: openInPlace, completionHandler)
    }

    /// Loads the first form that conforms to a type as a copy, which is gone when `completionHandler` returns.
    @discardableResult
    public func loadFileRepresentation(
        forTypeIdentifier typeIdentifier: String, completionHandler: @escaping @Sendable (URL?, (any Error)?) -> Void
    ) -> Progress {
        loadFile(typeIdentifier, inPlace: false) { file, _, error in completionHandler(file, error) }
    }

    /// Loads the first form that conforms to a type as the file itself where it was registered so, else as a copy,
    /// which is gone when `completionHandler` returns. The `Bool` is true for the file itself.
    @discardableResult
    public func loadInPlaceFileRepresentation(
        forTypeIdentifier typeIdentifier: String,
        completionHandler: @escaping @Sendable (URL?, Bool, (any Error)?) -> Void
    ) -> Progress {
        loadFile(typeIdentifier, inPlace: true, completionHandler)
    }

    /// Calls `fileHandler` with the first form that conforms to a type as a file or folder, and with true if it is the
    /// file itself. A copy is removed afterwards.
    ///
    /// The asynchronous form of ``loadFileRepresentation(for:openInPlace:completionHandler:)``, which cannot just
    /// return a file that is gone when it returns. The handler runs where the caller does.
    /// - Throws: the error of the form's handler or of `fileHandler`, or an error in ``errorDomain``.
    nonisolated(nonsending) public func withFileRepresentation<Result>(
        for contentType: UTType, openInPlace: Bool = false, fileHandler: (URL, Bool) async throws -> Result
    ) async throws -> Result {
        let file = try await file(contentType.identifier, inPlace: openInPlace, LoadProgress())
        defer { file.discard() }
        return try await fileHandler(file.url, file.isOriginal)
    }

    private func loadFile(
        _ typeIdentifier: String, inPlace: Bool,
        _ completionHandler: @escaping @Sendable (URL?, Bool, (any Error)?) -> Void
    ) -> Progress {
        load { progress in
            try await self.file(typeIdentifier, inPlace: inPlace, progress)
        } then: { result in
            completionHandler(result.value?.url, result.value?.isOriginal ?? false, result.error)
            result.value?.discard()
        }
    }

    private func file(_ typeIdentifier: String, inPlace: Bool, _ progress: LoadProgress) async throws -> LoadedFile {
        let registration = try registration(conformingTo: typeIdentifier)
        return try await take(
            registration, by: .file(inPlace: inPlace, named: fileNames(for: registration), showing: progress), progress)
    }
}

// MARK: - Completion handlers

extension NSItemProvider {
    /// Runs `work` in the background and then calls `deliver` there, once.
    func load<Value: Sendable>(
        _ work: @escaping @Sendable (LoadProgress) async throws -> Value,
        then deliver: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) -> Progress {
        let progress = LoadProgress()
        let task = Task {
            var result: Result<Value, any Error>
            do { result = .success(try await work(progress)) } catch { result = .failure(error) }
            if !progress.finish() { result = .failure(CocoaError(.userCancelled)) }
            providerQueue.async { [result] in deliver(result) }
        }
        progress.whenCancelled { task.cancel() }
        return progress
    }
}

extension Result {
    var value: Success? { try? get() }

    var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
