import Synchronization

/// A form of a provider's item, with its source.
struct Registration: Sendable {
    typealias DataHandler = @Sendable (@escaping @Sendable (Data?, (any Error)?) -> Void) -> Progress?
    typealias FileHandler = @Sendable (@escaping @Sendable (URL?, Bool, (any Error)?) -> Void) -> Progress?

    enum Source: Sendable {
        case data(DataHandler)
        case file(FileHandler, opensInPlace: Bool)

        /// An object that stands for bytes or a file.
        case item(NSItemProvider.LoadHandler)

        /// A form of a `Transferable` value.
        case form(ExportableRepresentation)
    }

    let identifier: String

    /// Type of the form; nil if the identifier is not well formed: such a form is found by exactly that identifier.
    let contentType: UTType?
    let visibility: NSItemProviderRepresentationVisibility

    /// True if the form is known to be a file or folder before it is loaded.
    let isFile: Bool
    let source: Source

    /// True if the data is that of a URL which was registered as an object; loaded as an item it is a URL again.
    var isURL = false

    /// Exported file that lives as long as the form.
    let kept = Kept()

    init(
        _ identifier: String, _ visibility: NSItemProviderRepresentationVisibility = .all, isFile: Bool? = nil,
        source: Source
    ) {
        self.identifier = identifier
        contentType = UTType(identifier: identifier, allowUndeclared: true)
        self.visibility = visibility
        self.isFile = isFile ?? source.isFile
        self.source = source
        if case .form = source { isURL = [UTType.url, .fileURL].contains(contentType) }
    }

    /// True if the form was registered with permission to open its file in place.
    var opensInPlace: Bool {
        switch source {
        case .data: false
        case .file(_, let opensInPlace): opensInPlace
        case .item: isFile
        case .form(let form): form.opensInPlace
        }
    }

    /// True if a receiver may get the owner's file.
    var sharesOriginals: Bool {
        if case .form(let form) = source { form.sharesOriginals } else { opensInPlace }
    }

    /// The name, with extension, of this form in particular.
    var fileName: String? {
        if case .form(let form) = source { form.suggestedFileName } else { nil }
    }

    func conforms(to wanted: String) -> Bool {
        if identifier == wanted { return true }
        guard let contentType, let wanted = UTType(identifier: wanted, allowUndeclared: true) else { return false }
        return contentType.conforms(to: wanted)
    }

    final class Kept: Sendable {
        private let file = Mutex<LoadedFile?>(nil)

        /// Keeps the first file, and returns it.
        func keep(_ new: LoadedFile) -> LoadedFile {
            file.withLock { file in
                file = file ?? new
                return file ?? new
            }
        }

        var current: LoadedFile? { file.withLock(\.self) }
    }
}

extension Registration.Source {
    fileprivate var isFile: Bool {
        switch self {
        case .data, .item: false
        case .file: true
        case .form(let form): form.isFile
        }
    }
}
