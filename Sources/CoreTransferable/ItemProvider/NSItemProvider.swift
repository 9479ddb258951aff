import Foundation
import Synchronization
import UniformTypeIdentifiers

/// One item to hand over, in forms that are made only when somebody asks for them.
///
/// Whoever has the item registers its forms, richest first; whoever wants it walks them in that order. Handlers of both
/// sides run in the background, on no particular thread, and a completion handler is called exactly once, after the
/// method that it was given to has returned.
///
/// A program may use a provider from several threads and may subclass it. What is declared in extensions here, which is
/// all but the initialisers and ``suggestedName``, a subclass cannot override.
///
// Sendable because all that is stored here is two immutable references, to a Mutex each.
open class NSItemProvider: NSObject, NSCopying, @unchecked Sendable {
    let registrations = Registrations()
    let settings = Settings()

    /// A provider of nothing, until something is registered.
    public override init() {
        super.init()
    }

    /// A provider of the same forms under the same name. What is registered with one from then on, the other has not.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSItemProvider()
        for registration in registrations.all { copy.registrations.append(registration) }
        let values = settings.value.withLock(\.self)
        copy.settings.value.withLock { $0 = values }
        return copy
    }

    /// The name for a file made of the item; the type of the form that is made adds its extension.
    ///
    /// Without a name of its own, the item has that of the file it was made from, without the extension, or the one that its
    /// value suggests, as it is: `data.txt`.
    open var suggestedName: String? {
        get { settings.value.withLock { $0.name ?? $0.derivedName?.shown } }
        set { settings.value.withLock { $0.name = newValue } }
    }

    /// How long a load waits for a handler that neither answers nor makes progress; 60 seconds unless set.
    ///
    /// Afterwards the load fails with ``ErrorCode/itemUnavailableError``, and whatever the handler does is ignored. Its
    /// `Progress`, if it gave one, is cancelled; each step on it makes the wait start anew.
    public var loadTimeout: Duration {
        get { settings.value.withLock(\.loadTimeout) }
        set { settings.value.withLock { $0.loadTimeout = newValue } }
    }
}

extension NSItemProvider {
    /// What is asked for, and what is said about the item as a whole.
    final class Settings: Sendable {
        struct Value: Sendable {
            var name: String?
            var derivedName: DerivedName?
            var loadTimeout: Duration = .seconds(60)
            var previewImageHandler: LoadHandler?
        }

        let value = Mutex(Value())
    }

    /// A name that comes from the content.
    struct DerivedName: Sendable {
        /// The value of ``suggestedName``.
        var shown: String

        /// The name without the extension of the type that it was given for, so that each form can add its own.
        var stem: String
    }

    /// The forms, in the order in which they were registered. None is ever taken away.
    final class Registrations: Sendable {
        private let list = Mutex<[Registration]>([])

        var all: [Registration] { list.withLock(\.self) }

        func append(_ registration: Registration) {
            list.withLock { $0.append(registration) }
        }
    }

    /// Takes a file name as the item's, unless it has one.
    /// - Parameter showingExtension: whether ``suggestedName`` keeps an extension that is the type's.
    func deriveName(from fileName: String, of contentType: UTType?, showingExtension: Bool) {
        guard !fileName.isEmpty, fileName != "/" else { return }
        let isEndingKnown = contentType?.fitsExtension(of: fileName) ?? false
        let stem = isEndingKnown ? NSString(string: fileName).deletingPathExtension : fileName
        let name = DerivedName(shown: showingExtension ? fileName : stem, stem: stem)
        settings.value.withLock { $0.derivedName = $0.derivedName ?? name }
    }
}
