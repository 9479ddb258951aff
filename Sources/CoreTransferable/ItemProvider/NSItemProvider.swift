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

    /// The name, without extension, for a file made of the item.
    ///
    /// Without a name of its own, the item has that of the file it was made from, or the one its value suggests.
    open var suggestedName: String? {
        get { settings.value.withLock { $0.name ?? $0.derivedName } }
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
            var derivedName: String?
            var loadTimeout: Duration = .seconds(60)
            var previewImageHandler: LoadHandler?
        }

        let value = Mutex(Value())
    }

    /// The forms, in the order in which they were registered. None is ever taken away.
    final class Registrations: Sendable {
        private let list = Mutex<[Registration]>([])

        var all: [Registration] { list.withLock(\.self) }

        func append(_ registration: Registration) {
            list.withLock { $0.append(registration) }
        }
    }

    /// Takes a file name as the item's, unless it has one; without the extension if that is the type's.
    func deriveName(from fileName: String, of contentType: UTType?) {
        guard !fileName.isEmpty, fileName != "/" else { return }
        let isEndingKnown = contentType?.fitsExtension(of: fileName) ?? false
        let name = isEndingKnown ? NSString(string: fileName).deletingPathExtension : fileName
        settings.value.withLock { $0.derivedName = $0.derivedName ?? name }
    }
}
