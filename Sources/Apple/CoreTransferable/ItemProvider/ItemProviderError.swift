extension NSItemProvider {
    /// Domain of a provider's own errors as `NSError`.
    public static let errorDomain = "NSItemProviderErrorDomain"

    /// The codes of ``errorDomain``.
    public enum ErrorCode: Int, Sendable {
        case unknownError = -1

        /// No registered form conforms to the requested type, or its handler gave nothing.
        case itemUnavailableError = -1000

        /// The object is of another class than the requested one.
        case unexpectedValueClassError = -1100

        /// The item cannot be converted to the requested type.
        case unavailableCoercionError = -1200
    }
}

/// Error of a provider that cannot load a form. Errors of a handler are passed on unchanged.
///
/// An `NSError`, since on Linux `catch let error as NSError` finds only errors that are one.
package final class ItemProviderError: NSError, @unchecked Sendable {
    // Sendable because the object does not change after its initialiser.
    package let kind: NSItemProvider.ErrorCode
    private let sentence: String

    /// Cause of the error.
    package let underlying: (any Error)?

    package override var description: String { sentence }

    private init(_ kind: NSItemProvider.ErrorCode, _ description: String, underlying: (any Error)? = nil) {
        self.kind = kind
        self.sentence = description
        self.underlying = underlying
        var info: [String: Any] = [NSLocalizedDescriptionKey: description]
        if let underlying { info[NSUnderlyingErrorKey] = underlying as NSError }
        super.init(domain: NSItemProvider.errorDomain, code: kind.rawValue, userInfo: info)
    }

    /// Unsupported: these errors are never archived.
    package required init?(coder: NSCoder) { nil }

    static func notRegistered(_ wanted: String, among registrations: [Registration]) -> ItemProviderError {
        let offered = registrations.prefix(20).map { $0.identifier.shown }.joined(separator: ", ")
        let more = registrations.count > 20 ? " and more" : ""
        return ItemProviderError(
            .itemUnavailableError,
            "The item has no form that conforms to \(wanted.shown); it has \(offered.isEmpty ? "none" : offered)\(more)."
        )
    }

    static func nothingGiven(_ typeIdentifier: String) -> ItemProviderError {
        ItemProviderError(
            .itemUnavailableError,
            "Loading \(typeIdentifier.shown) failed: its handler gave neither content nor an error.")
    }

    static func noAnswer(_ what: String, within timeout: Duration) -> ItemProviderError {
        ItemProviderError(
            .itemUnavailableError, "Loading \(what.shown) failed: there was no answer within \(timeout).")
    }

    static func unreadable(_ typeIdentifier: String, because error: any Error) -> ItemProviderError {
        ItemProviderError(
            .itemUnavailableError, "Loading \(typeIdentifier.shown) failed: \(TransferError.cause(error))",
            underlying: error)
    }

    static func noPreview() -> ItemProviderError {
        ItemProviderError(.itemUnavailableError, "The item has no preview image.")
    }

    static func notCoercible(_ value: String, to typeIdentifier: String) -> ItemProviderError {
        ItemProviderError(
            .unavailableCoercionError, "\(value.shown) cannot be made into content of type \(typeIdentifier.shown).")
    }

    static func malformed(_ typeIdentifier: String, as wanted: Any.Type) -> ItemProviderError {
        ItemProviderError(
            .unavailableCoercionError, "The \(typeIdentifier.shown) given cannot be made into \(wanted).")
    }

    /// Returns a loaded object.
    ///
    /// - Throws: `ItemProviderError` if it is of another class.
    static func checked<Wanted>(_ object: Any, as wanted: Wanted.Type) throws -> Wanted {
        guard let checked = object as? Wanted else {
            throw ItemProviderError(
                .unexpectedValueClassError, "The object loaded is \(type(of: object)) and not \(wanted).")
        }
        return checked
    }

    static func notTransferable(
        _ wanted: Any.Type, from registrations: [Registration], because error: (any Error)?
    ) -> ItemProviderError {
        let offered = registrations.prefix(20).map { $0.identifier.shown }.joined(separator: ", ")
        let cause = error.map { TransferError.cause($0) } ?? "it imports none of these."
        return ItemProviderError(
            .itemUnavailableError,
            "\(wanted) cannot be made from what the item has (\(offered.isEmpty ? "nothing" : offered)): \(cause)",
            underlying: error)
    }
}

extension String {
    /// Text for a sentence: short, and without characters that control how it is shown.
    fileprivate var shown: String {
        let scalars = unicodeScalars.prefix(200).filter {
            ![.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
        }
        return String(String.UnicodeScalarView(scalars)) + (unicodeScalars.count > 200 ? "…" : "")
    }
}
