extension Transferable {
    /// The content types that values of this type can be made from, in declared order.
    public static func importedContentTypes() -> [UTType] {
        importableRepresentations().map(\.contentType)
    }

    /// The content types that values of this type can be made from, in declared order.
    public func importedContentTypes() -> [UTType] {
        Self.importedContentTypes()
    }

    /// Makes a value from bytes.
    ///
    /// Only representations that declare exactly `contentType` are tried; with nil all are, in declared order, until
    /// one accepts.
    /// - Throws: ``TransferError`` with the accepted types if none fits, or with the representation that failed and
    ///   the reason; of several failures, the first. `CancellationError` when the task is cancelled or the importer
    ///   throws it.
    public init(importing data: Data, contentType: UTType?) async throws {
        let forms = try Self.imports(RepresentationPath())
        let candidates = contentType.map { type in forms.filter { $0.contentType == type } } ?? forms
        self = try await Self.first(of: candidates, among: forms, taking: .data(data), as: contentType)
    }

    /// Makes a value from a file or folder.
    ///
    /// Only representations that declare exactly `contentType` are tried. With nil the file's extension gives its type:
    /// representations of that type come first, then those to which it conforms, then the others. Unless the
    /// representation asks to open files in place it is given a copy.
    /// - Throws: as ``init(importing:contentType:)-(Data,_)`` does.
    public init(importing file: URL, contentType: UTType?) async throws {
        let given = try TransferableFile(file)
        let forms = try Self.imports(RepresentationPath())
        let candidates: [ImportableRepresentation<Self>]
        if let contentType {
            candidates = forms.filter { $0.contentType == contentType }
        } else if let guessed = given.typeByName {
            let exact = forms.filter { $0.contentType == guessed }
            let broader = forms.filter { guessed.isSubtype(of: $0.contentType) }
            candidates = exact + broader + forms.filter { !guessed.conforms(to: $0.contentType) }
        } else {
            candidates = forms
        }
        let payload = ImportedPayload.file(file, owner: .somebodyElse(mayOpenInPlace: true))
        self = try await Self.first(of: candidates, among: forms, taking: payload, as: contentType)
    }
}

// MARK: Offered content: dropped, pasted, loaded, received

extension Transferable {
    /// True if a representation of this type can be imported: the type conforms to a declared one.
    package static func canImport(_ offered: UTType) -> Bool {
        importableRepresentations().contains { offered.conforms(to: $0.contentType) }
    }

    /// Makes a value from content that was offered as `contentType`: with the first representation, in declared order,
    /// that this type conforms to; if that fails with the next.
    /// - Parameter limit: the time that each importer has; nil for any.
    /// - Throws: as ``init(importing:contentType:)-(Data,_)`` does.
    package init(importing payload: ImportedPayload, offeredAs contentType: UTType, within limit: Duration? = nil)
        async throws
    {
        let forms = try Self.imports(RepresentationPath())
        let candidates = forms.filter { contentType.conforms(to: $0.contentType) }
        self = try await Self.first(of: candidates, among: forms, taking: payload, as: contentType, within: limit)
    }

    /// Value of the first candidate that succeeds.
    private static func first(
        of candidates: [ImportableRepresentation<Self>], among forms: [ImportableRepresentation<Self>],
        taking payload: ImportedPayload, as contentType: UTType?, within limit: Duration? = nil
    ) async throws -> Self {
        var firstError: TransferError?
        for candidate in candidates {
            do {
                return try await candidate.value(from: payload, within: limit)
            } catch let error as TransferError {
                firstError = firstError ?? error
            }
        }
        throw firstError ?? .notImportable(contentType, as: Self.self, accepting: forms.map(\.contentType))
    }
}

extension ImportableRepresentation where Item: Transferable {
    /// Imports a payload.
    /// - Parameter limit: largest time for the importer; nil for no limit.
    /// - Throws: ``TransferError``, or `CancellationError`.
    package func value(from payload: ImportedPayload, within limit: Duration?) async throws -> Item {
        let late = limit.map {
            TransferError.timedOut(Item.self, importing: contentType, isFile: isFile, after: $0) as any Error
        }
        do {
            return try await waiting(atMost: limit, or: late ?? CancellationError()) { try await importing(payload) }
        } catch let error as TransferError {
            throw error
        } catch let error as CancellationError {
            throw error
        } catch {
            throw TransferError.importFailed(error, of: Item.self, from: contentType, isFile: isFile)
        }
    }
}

extension TransferableFile {
    /// Type by the extension, or by being a folder; nil if neither gives one.
    fileprivate var typeByName: UTType? {
        let byExtension = UTType(filenameExtension: url.pathExtension, conformingTo: isFolder ? .directory : .data)
        if let byExtension, byExtension.isDeclared { return byExtension }
        return isFolder ? .folder : nil
    }
}
