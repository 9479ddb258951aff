import Foundation
import UniformTypeIdentifiers

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
    /// - Throws: ``TransferError``: what is accepted where nothing fits, or the representation that failed and why; of
    ///   several that failed, the first. `CancellationError` when the task is cancelled or the importer throws it.
    public init(importing data: Data, contentType: UTType?) async throws {
        let forms = try Self.imports(Trail())
        let candidates = contentType.map { type in forms.filter { $0.contentType == type } } ?? forms
        self =
            try await Self.first(of: candidates, taking: .data(data))
            ?? { throw TransferError.notImportable(contentType, as: Self.self, accepting: forms.map(\.contentType)) }()
    }

    /// Makes a value from a file or folder.
    ///
    /// Only representations that declare exactly `contentType` are tried. With nil the file's extension says what it
    /// is: representations of that type come first, then those it conforms to, then the others. Unless the
    /// representation asks to open files in place it is given a copy.
    /// - Throws: as ``init(importing:contentType:)-(Data,_)`` does.
    public init(importing file: URL, contentType: UTType?) async throws {
        let given = try TransferableFile(file)
        let forms = try Self.imports(Trail())
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
        self =
            try await Self.first(of: candidates, taking: .file(file, owner: .somebodyElse(mayOpenInPlace: true)))
            ?? { throw TransferError.notImportable(contentType, as: Self.self, accepting: forms.map(\.contentType)) }()
    }
}

// MARK: What was offered: dropped, pasted, loaded, received

extension Transferable {
    /// Whether a representation of this type can be imported: whether it conforms to one that is declared.
    package static func canImport(_ offered: UTType) -> Bool {
        importableRepresentations().contains { offered.conforms(to: $0.contentType) }
    }

    /// The place of the first, in the sender's order, that can be imported; nil if none can.
    package static func bestOffer(among offered: [UTType]) -> Int? {
        let accepted = importableRepresentations().map(\.contentType)
        return offered.firstIndex { offer in accepted.contains { offer.conforms(to: $0) } }
    }

    /// Makes a value from content that was offered as `contentType`: with the first representation, in declared order,
    /// that this type conforms to; if that fails with the next.
    /// - Parameter limit: the time that each importer has; nil for any.
    /// - Throws: as ``init(importing:contentType:)-(Data,_)`` does.
    package init(importing payload: ImportedPayload, offeredAs contentType: UTType, within limit: Duration? = nil)
        async throws
    {
        let forms = try Self.imports(Trail())
        self =
            try await Self.first(
                of: forms.filter { contentType.conforms(to: $0.contentType) }, taking: payload, within: limit)
            ?? { throw TransferError.notImportable(contentType, as: Self.self, accepting: forms.map(\.contentType)) }()
    }

    /// The value that the first willing candidate makes; nil if there are no candidates.
    private static func first(
        of candidates: [ImportableRepresentation<Self>], taking payload: ImportedPayload, within limit: Duration? = nil
    ) async throws -> Self? {
        var firstError: TransferError?
        for candidate in candidates {
            do {
                return try await candidate.value(from: payload, within: limit)
            } catch let error as TransferError {
                firstError = firstError ?? error
            }
        }
        if let firstError { throw firstError }
        return nil
    }
}

extension ImportableRepresentation where Item: Transferable {
    /// What its importer makes of a payload.
    /// - Parameter limit: the time that it has; nil for any.
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
    /// What it is by its extension, or because it is a folder; nil where neither says.
    fileprivate var typeByName: UTType? {
        let byExtension = UTType(filenameExtension: url.pathExtension, conformingTo: isFolder ? .directory : .data)
        if let byExtension, byExtension.isDeclared { return byExtension }
        return isFolder ? .folder : nil
    }
}
