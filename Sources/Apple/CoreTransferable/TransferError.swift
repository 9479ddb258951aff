/// Error of an export or import.
///
/// Errors of a program's own exporter are passed on unchanged; an error of its importer is the ``underlying`` error of
/// one with the kind ``Kind/importFailed``. Cancellation stays a `CancellationError` both ways.
public struct TransferError: Error, CustomStringConvertible, LocalizedError {
    public enum Kind: Hashable, Sendable {
        /// The value cannot be exported in the requested type.
        case notOffered
        /// The type cannot be imported from the given content.
        case notImportable
        /// The type's proxies lead back to the type.
        case endless
        /// The URL is not a file URL, or leads to a device or similar.
        case notAFile
        /// The named file does not exist.
        case missingFile
        /// A folder was given in place of bytes.
        case folderAsData
        /// Bytes were given in place of a folder.
        case dataAsFolder
        /// The content is not of its stated type.
        case malformedContent
        /// The importer threw.
        case importFailed
        /// The importer did not end in the time it was given.
        case timedOut
        /// The content is larger than the limit for memory.
        case tooLarge
        /// A file could not be read, written or copied.
        case fileSystem
        /// A library of the system that is needed here is not installed.
        case missingLibrary
    }

    public let kind: Kind

    /// The representation concerned, where there is one.
    public let contentType: UTType?

    /// Error of another part of this program or of the system that caused this one.
    public let underlying: (any Error)?

    /// Description for people, one sentence.
    public let description: String

    public var errorDescription: String? { description }

    init(
        kind: Kind, contentType: UTType? = nil, underlying: (any Error)? = nil, description: String
    ) {
        self.kind = kind
        self.contentType = contentType
        self.underlying = underlying
        self.description = description
    }
}

// MARK: Mismatches

extension TransferError {
    static func notOffered(
        _ contentType: UTType?, by item: any Any.Type, offering forms: [ExportableRepresentation]
    ) -> TransferError {
        let wanted = contentType.map { "as \($0.identifier)" } ?? "at all"
        return TransferError(
            kind: .notOffered, contentType: contentType,
            description: "This \(item) cannot be exported \(wanted); it offers \(list(forms.map(\.contentType))).")
    }

    static func notImportable(
        _ contentType: UTType?, as item: any Any.Type, accepting accepted: [UTType]
    ) -> TransferError {
        let given = contentType?.identifier ?? "content of unknown type"
        return TransferError(
            kind: .notImportable, contentType: contentType,
            description: "\(item) cannot be imported from \(given); it accepts \(list(accepted)).")
    }

    static func endless(_ types: [any Any.Type]) -> TransferError {
        let path = types.suffix(4).map { "\($0)" }.joined(separator: " → ")
        return TransferError(
            kind: .endless,
            description:
                "Following the representations of a type leads back to itself (\(path)). Remove one of the proxies.")
    }

    private static func list(_ types: [UTType]) -> String {
        types.isEmpty ? "nothing" : types.map(\.identifier).joined(separator: ", ")
    }
}

// MARK: Importers

extension TransferError {
    /// Error for content that is not of its stated type.
    ///
    /// - Parameter problem: what is wrong with it, as the end of a sentence: "not valid UTF-8".
    package static func malformed(_ contentType: UTType, _ problem: String) -> TransferError {
        TransferError(
            kind: .malformedContent, contentType: contentType,
            description: "The \(contentType.identifier) received is \(problem).")
    }

    /// Error of an importer, with the place where it happened.
    static func importFailed(
        _ error: any Error, of item: any Any.Type, from contentType: UTType, isFile: Bool
    ) -> TransferError {
        let form = "\(contentType.identifier) (\(isFile ? "a file" : "data"))"
        if let error = error as? DecodingError {
            return TransferError(
                kind: .malformedContent, contentType: contentType, underlying: error,
                description: "\(item) cannot be read from \(form): \(error.sentence)")
        }
        return TransferError(
            kind: .importFailed, contentType: contentType, underlying: error,
            description: "\(item) cannot be imported from \(form): \(cause(error))")
    }

    static func timedOut(
        _ item: any Any.Type, importing contentType: UTType, isFile: Bool, after limit: Duration
    ) -> TransferError {
        TransferError(
            kind: .timedOut, contentType: contentType,
            description:
                "The importer of \(item) from \(contentType.identifier) (\(isFile ? "a file" : "data")) was not done "
                + "after \(limit).")
    }

    /// Description of an error, as a sentence.
    static func cause(_ error: any Error) -> String {
        let text = (error as? any LocalizedError)?.errorDescription ?? "\(error)"
        return text.hasSuffix(".") ? text : text + "."
    }
}

extension DecodingError {
    /// Description of the mismatch and its place in the content.
    fileprivate var sentence: String {
        let (context, key): (Context, (any CodingKey)?) =
            switch self {
            case .keyNotFound(let key, let context): (context, key)
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
                (context, nil)
            @unknown default: (Context(codingPath: [], debugDescription: "\(self)"), nil)
            }
        var path = ""
        for key in context.codingPath {
            path += key.intValue.map { "[\($0)]" } ?? (path.isEmpty ? key.stringValue : ".\(key.stringValue)")
        }
        let place = path.isEmpty ? "" : "at “\(path)”, "
        if let key { return "\(place)“\(key.stringValue)” is missing." }
        return "\(place)\(context.debugDescription)"
    }
}

// MARK: Files

extension TransferError {
    static func notAFile(_ url: URL, as contentType: UTType? = nil) -> TransferError {
        TransferError(
            kind: .notAFile, contentType: contentType,
            description: "\(url.absoluteString)\(made(contentType)) is not the URL of a file on this machine.")
    }

    static func specialFile(_ path: String, as contentType: UTType? = nil) -> TransferError {
        TransferError(
            kind: .notAFile, contentType: contentType,
            description: "“\(path)”\(made(contentType)) is neither a file nor a folder.")
    }

    static func missing(_ url: URL, as contentType: UTType? = nil) -> TransferError {
        TransferError(
            kind: .missingFile, contentType: contentType,
            description: "“\(url.path)”\(made(contentType)) does not exist.")
    }

    static func folderAsData(_ url: URL, as contentType: UTType? = nil) -> TransferError {
        TransferError(
            kind: .folderAsData, contentType: contentType,
            description:
                "“\(url.path)”\(made(contentType)) is a folder, which has no bytes of its own. Export it as a file "
                + "of a type that conforms to public.directory.")
    }

    static func dataAsFolder(_ contentType: UTType) -> TransferError {
        TransferError(
            kind: .dataAsFolder, contentType: contentType,
            description: "\(contentType.identifier) is a type of folders, but what came for it is bytes.")
    }

    /// A system call on a file failed; `number` is its `errno`.
    static func fileSystem(_ path: String, _ action: String, _ number: Int32) -> TransferError {
        TransferError(
            kind: .fileSystem, underlying: POSIXErrorCode(rawValue: number).map { POSIXError($0) },
            description: "“\(path)” cannot be \(action): \(String(cString: strerror(number))).")
    }

    private static func made(_ contentType: UTType?) -> String {
        contentType.map { ", exported as \($0.identifier)," } ?? ""
    }
}

extension TransferError {
    static func writing(_ file: URL, _ error: any Error) -> TransferError {
        TransferError(
            kind: .fileSystem, underlying: error,
            description: "“\(file.path)” cannot be written: \(error.localizedDescription).")
    }
}
