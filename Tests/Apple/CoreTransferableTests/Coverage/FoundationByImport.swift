// A typical source: its single import also provides the parts of Foundation that it uses on Apple's systems.
import CoreTransferable

/// A document of model code written for Apple's systems.
struct ScannedPage: Transferable {
    var file: URL

    static var transferRepresentation: some TransferRepresentation {
        FileRepresentation(importedContentType: .image) { received in
            let isOpen = received.file.startAccessingSecurityScopedResource()
            defer { if isOpen { received.file.stopAccessingSecurityScopedResource() } }
            let copy = URL.temporaryDirectory.appending(path: UUID().uuidString)
            try FileManager.default.copyItem(at: received.file, to: copy)
            return ScannedPage(file: copy)
        }
    }

    var contentType: UTType? {
        get throws { try file.resourceValues(forKeys: [.contentTypeKey]).contentType }
    }

    var typeIdentifier: String? {
        get throws { try file.resourceValues(forKeys: [.typeIdentifierKey]).typeIdentifier }
    }

    var wrapper: FileWrapper {
        get throws { try FileWrapper(url: file, options: .immediate) }
    }

    var provider: NSItemProvider {
        let provider = NSItemProvider()
        provider.registerFileRepresentation(for: .image) { done in
            done(file, false, nil)
            return Progress()
        }
        return provider
    }

    static var home: URL { .documentsDirectory }

    static func read(_ url: URL) -> Data? {
        var (data, error): (Data?, NSError?) = (nil, nil)
        NSFileCoordinator().coordinate(readingItemAt: url, options: [], error: &error) {
            data = try? Data(contentsOf: $0)
        }
        return data
    }
}

/// Typical use of the objects that a provider gives: casts to Swift's types.
enum LoadedObjects {
    static func text(of item: (any NSSecureCoding)?) -> String? {
        if let data = item as? Data { return String(decoding: data, as: UTF8.self) }
        if let url = item as? URL { return url.lastPathComponent }
        return item as? String
    }

    /// Other bridged values need an indirect cast, since the compiler assumes that a direct one always fails.
    static func dictionary(of item: (any NSSecureCoding)?) -> [String: Any]? { item as Any as? [String: Any] }

    static func text(of object: (any NSItemProviderReading)?) -> String? {
        if let url = object as? URL { return url.absoluteString }
        return object as? String
    }

    /// Items that a program makes itself.
    static func items(_ file: URL) -> [NSItemProvider] {
        [
            NSItemProvider(item: Data("data".utf8) as any NSSecureCoding, typeIdentifier: "public.data"),
            NSItemProvider(item: "text" as any NSSecureCoding, typeIdentifier: nil),
            NSItemProvider(item: file as any NSSecureCoding, typeIdentifier: "public.file-url"),
            NSItemProvider(item: file as (any NSSecureCoding)?, typeIdentifier: "public.png"),
        ]
    }
}
