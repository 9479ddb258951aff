// Declarations of NSItemProvider that Coverage.md lists as present, by their exact labels and types.
import CoreTransferable

typealias DataHandler = @Sendable (Data?, (any Error)?) -> Void
typealias FileHandler = @Sendable (URL?, (any Error)?) -> Void
typealias PlacedFileHandler = @Sendable (URL?, Bool, (any Error)?) -> Void
typealias Visibility = NSItemProviderRepresentationVisibility

enum ItemProviderByTypeDeclarations {
    static func all(_ provider: NSItemProvider) {
        let _: (URL, UTType?, Bool, Bool, Visibility) -> NSItemProvider =
            NSItemProvider.init(contentsOf:contentType:openInPlace:coordinated:visibility:)
        let _: (UTType, Visibility, @escaping @Sendable (@escaping DataHandler) -> Progress?) -> Void =
            provider.registerDataRepresentation(for:visibility:loadHandler:)
        let _: (UTType, Visibility, Bool, @escaping @Sendable (@escaping PlacedFileHandler) -> Progress?) -> Void =
            provider.registerFileRepresentation(for:visibility:openInPlace:loadHandler:)
        let _: (UTType, @escaping DataHandler) -> Progress =
            provider.loadDataRepresentation(for:completionHandler:)
        let _: (UTType, Bool, @escaping PlacedFileHandler) -> Progress =
            provider.loadFileRepresentation(for:openInPlace:completionHandler:)
        let _: [KeyPath<NSItemProvider, [UTType]>] = [
            \.registeredContentTypes, \.registeredContentTypesForOpenInPlace,
        ]
        let _: (UTType) -> [UTType] = provider.registeredContentTypes(conformingTo:)
    }

    static func transferable(_ provider: NSItemProvider) {
        provider.register(Sample())
        let _: (Sample.Type, @escaping @Sendable (Result<Sample, any Error>) -> Void) -> Progress =
            provider.loadTransferable(type:completionHandler:)
    }
}

enum ItemProviderClassicDeclarations {
    typealias Item = any NSSecureCoding

    static func initializers() {
        let _: NSItemProvider = NSItemProvider()
        let _: (any NSItemProviderWriting) -> NSItemProvider = NSItemProvider.init(object:)
        let _: (Item?, String?) -> NSItemProvider = NSItemProvider.init(item:typeIdentifier:)
        let _: (URL?) -> NSItemProvider? = NSItemProvider.init(contentsOf:)
    }

    static func registering(_ provider: NSItemProvider) {
        let _: (String, Visibility, @escaping @Sendable (@escaping DataHandler) -> Progress?) -> Void =
            provider.registerDataRepresentation(forTypeIdentifier:visibility:loadHandler:)
        let _:
            (
                String, NSItemProviderFileOptions, Visibility,
                @escaping @Sendable (@escaping PlacedFileHandler) -> Progress?
            ) -> Void = provider.registerFileRepresentation(forTypeIdentifier:fileOptions:visibility:loadHandler:)
        let _: (any NSItemProviderWriting, Visibility) -> Void = provider.registerObject(_:visibility:)
        let _:
            (
                any NSItemProviderWriting.Type, Visibility,
                @escaping @Sendable (
                    @escaping @Sendable ((any NSItemProviderWriting)?, (any Error)?) -> Void
                ) -> Progress?
            ) -> Void = provider.registerObject(ofClass:visibility:loadHandler:)
        let _:
            (
                String.Type, Visibility,
                @escaping @Sendable (@escaping @Sendable (String?, (any Error)?) -> Void) -> Progress?
            ) -> Void = provider.registerObject(ofClass:visibility:loadHandler:)
        let _: (String, @escaping NSItemProvider.LoadHandler) -> Void =
            provider.registerItem(forTypeIdentifier:loadHandler:)
        let _: [KeyPath<NSItemProvider, [String]>] = [\.registeredTypeIdentifiers]
        let _: (NSItemProviderFileOptions) -> [String] = provider.registeredTypeIdentifiers(fileOptions:)
        let _: (String) -> Bool = provider.hasItemConformingToTypeIdentifier(_:)
        let _: (String, NSItemProviderFileOptions) -> Bool =
            provider.hasRepresentationConforming(toTypeIdentifier:fileOptions:)
    }

    static func loading(_ provider: NSItemProvider) {
        let _: (String, @escaping DataHandler) -> Progress =
            provider.loadDataRepresentation(forTypeIdentifier:completionHandler:)
        let _: (String, @escaping FileHandler) -> Progress =
            provider.loadFileRepresentation(forTypeIdentifier:completionHandler:)
        let _: (String, @escaping PlacedFileHandler) -> Progress =
            provider.loadInPlaceFileRepresentation(forTypeIdentifier:completionHandler:)
        let _: (any NSItemProviderReading.Type) -> Bool = provider.canLoadObject(ofClass:)
        let _: (URL.Type) -> Bool = provider.canLoadObject(ofClass:)
        let _:
            (
                any NSItemProviderReading.Type,
                @escaping @Sendable ((any NSItemProviderReading)?, (any Error)?) -> Void
            ) -> Progress = provider.loadObject(ofClass:completionHandler:)
        let _: (String.Type, @escaping @Sendable (String?, (any Error)?) -> Void) -> Progress =
            provider.loadObject(ofClass:completionHandler:)
        let _: (String, [AnyHashable: Any]?, NSItemProvider.CompletionHandler?) -> Void =
            provider.loadItem(forTypeIdentifier:options:completionHandler:)
        let _: (String, [AnyHashable: Any]?) async throws -> Item = provider.loadItem(forTypeIdentifier:options:)
        let _: WritableKeyPath<NSItemProvider, String?> = \.suggestedName
        let _: WritableKeyPath<NSItemProvider, NSItemProvider.LoadHandler?> = \.previewImageHandler
        let _: ([AnyHashable: Any]?, NSItemProvider.CompletionHandler?) -> Void =
            provider.loadPreviewImage(options:completionHandler:)
        let _: (NSZone?) -> Any = provider.copy(with:)
    }

    static func constants() {
        let _: [Visibility] = [.all, .team, .group, .ownProcess]
        let _: NSItemProviderFileOptions = .openInPlace
        let _: String = NSItemProvider.errorDomain
        let _: [NSItemProvider.ErrorCode] = [
            .unknownError, .itemUnavailableError, .unexpectedValueClassError, .unavailableCoercionError,
        ]
        let _: String = NSItemProviderPreferredImageSizeKey
    }
}

/// A class with every requirement of the two protocols written out.
final class WrittenOut: NSObject, NSItemProviderReading, NSItemProviderWriting {
    static let readableTypeIdentifiersForItemProvider = ["public.data"]
    static let writableTypeIdentifiersForItemProvider = ["public.data"]

    static func object(withItemProviderData data: Data, typeIdentifier: String) throws -> WrittenOut { WrittenOut() }

    static func itemProviderVisibilityForRepresentation(withTypeIdentifier typeIdentifier: String) -> Visibility {
        .all
    }

    var writableTypeIdentifiersForItemProvider: [String] { Self.writableTypeIdentifiersForItemProvider }

    func itemProviderVisibilityForRepresentation(withTypeIdentifier typeIdentifier: String) -> Visibility { .all }

    func loadData(
        withTypeIdentifier typeIdentifier: String,
        forItemProviderCompletionHandler completionHandler: @escaping DataHandler
    ) -> Progress? {
        completionHandler(Data(), nil)
        return nil
    }

    static func requirements(_ object: WrittenOut) {
        let _: (Data, String) throws -> WrittenOut = WrittenOut.object(withItemProviderData:typeIdentifier:)
        let _: (String) -> Visibility = WrittenOut.itemProviderVisibilityForRepresentation(withTypeIdentifier:)
        let _: (String) -> Visibility = object.itemProviderVisibilityForRepresentation(withTypeIdentifier:)
        let _: (String, @escaping DataHandler) -> Progress? =
            object.loadData(withTypeIdentifier:forItemProviderCompletionHandler:)
        let _: [any (NSItemProviderReading & NSItemProviderWriting).Type] = [NSString.self, NSURL.self]
    }
}
