import Synchronization

/// An item in several forms, each of which is made on request.
///
/// The owner of the item registers its forms, richest first; the receiver tries them in that order. Handlers of both
/// sides run in the background, on no particular thread, and a completion handler is called exactly once, after the
/// method that it was given to has returned.
///
/// A program may use a provider from several threads and may subclass it. A subclass can override the initialisers and
/// ``suggestedName``, but not the other members, which are declared in extensions.
///
// Sendable because the stored properties are two immutable references to objects that are each guarded by a Mutex.
open class NSItemProvider: NSObject, NSCopying, @unchecked Sendable {
    let registrations = Registrations()
    let settings = Settings()

    /// Makes a provider without forms.
    public override init() {
        super.init()
    }

    /// Makes a provider of the same forms under the same name. Later registrations with one do not change the other.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSItemProvider()
        for registration in registrations.all { copy.registrations.append(registration) }
        let values = settings.value.withLock(\.self)
        copy.settings.value.withLock { $0 = values }
        return copy
    }

    /// The name for a file made of the item; each form adds the extension of its type.
    ///
    /// Without a name of its own, the item has that of the file it was made from, without the extension, or the one
    /// that its value suggests, as it is: `data.txt`.
    open var suggestedName: String? {
        get { settings.value.withLock { $0.name ?? $0.derivedName?.shown } }
        set { settings.value.withLock { $0.name = newValue } }
    }

    /// Longest wait for a handler that neither answers nor makes progress; 60 seconds by default.
    ///
    /// Afterwards the load fails with ``ErrorCode/itemUnavailableError``, and later answers of the handler are ignored.
    /// Its `Progress`, if it gave one, is cancelled; each step on it makes the wait start anew.
    public var loadTimeout: Duration {
        get { settings.value.withLock(\.loadTimeout) }
        set { settings.value.withLock { $0.loadTimeout = newValue } }
    }
}

extension NSItemProvider {
    /// Settings of the item as a whole.
    final class Settings: Sendable {
        struct Value: Sendable {
            var name: String?
            var derivedName: DerivedName?
            var loadTimeout: Duration = .seconds(60)
            var previewImageHandler: LoadHandler?
        }

        let value = Mutex(Value())
    }

    /// A name derived from the content.
    struct DerivedName: Sendable {
        /// The value of ``suggestedName``.
        var shown: String

        /// The name without the extension of the type that it was given for, so that each form adds its own.
        var stem: String
    }

    /// Forms in the order in which they were registered. Forms are never removed.
    final class Registrations: Sendable {
        private let list = Mutex<[Registration]>([])

        var all: [Registration] { list.withLock(\.self) }

        func append(_ registration: Registration) {
            list.withLock { $0.append(registration) }
        }
    }

    /// Sets the item's name from a file name, unless it has a name.
    /// - Parameter showingExtension: true if ``suggestedName`` keeps the extension of the type.
    func deriveName(from fileName: String, of contentType: UTType?, showingExtension: Bool) {
        guard !fileName.isEmpty, fileName != "/" else { return }
        let isEndingKnown = contentType?.fitsExtension(of: fileName) ?? false
        let stem = isEndingKnown ? NSString(string: fileName).deletingPathExtension : fileName
        let name = DerivedName(shown: showingExtension ? fileName : stem, stem: stem)
        settings.value.withLock { $0.derivedName = $0.derivedName ?? name }
    }
}
