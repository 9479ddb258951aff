/// Plain text; text without a mark of UTF-16 is UTF-8.
extension NSString: NSItemProviderReading, NSItemProviderWriting {
    public static var readableTypeIdentifiersForItemProvider: [String] {
        [UTType.utf8PlainText, .utf16ExternalPlainText, .utf16PlainText, .plainText].map(\.identifier)
    }

    public static var writableTypeIdentifiersForItemProvider: [String] { [UTType.utf8PlainText.identifier] }

    public static func object(withItemProviderData data: Data, typeIdentifier: String) throws -> Self {
        let contentType = UTType(identifier: typeIdentifier, allowUndeclared: true)
        let isUTF16 = [UTType.utf16PlainText, .utf16ExternalPlainText].contains {
            contentType?.conforms(to: $0) == true
        }
        guard let text = String(data: data, encoding: isUTF16 ? .utf16 : .utf8) else {
            throw ItemProviderError.malformed(typeIdentifier, as: self)
        }
        let made: NSString = self is NSMutableString.Type ? NSMutableString(string: text) : NSString(string: text)
        return try ItemProviderError.checked(made, as: self)
    }

    public func loadData(
        withTypeIdentifier typeIdentifier: String,
        forItemProviderCompletionHandler completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress? {
        completionHandler(Data(description.utf8), nil)
        return nil
    }
}

/// The URL itself, never its target.
extension NSURL: NSItemProviderReading, NSItemProviderWriting {
    public static var readableTypeIdentifiersForItemProvider: [String] {
        [UTType.fileURL, .url].map(\.identifier)
    }

    public static var writableTypeIdentifiersForItemProvider: [String] {
        [UTType.fileURL, .url].map(\.identifier)
    }

    /// Types of a URL: a file URL is written as one, and as a URL; any other as a URL only.
    public var writableTypeIdentifiersForItemProvider: [String] {
        isFileURL ? Self.writableTypeIdentifiersForItemProvider : [UTType.url.identifier]
    }

    public static func object(withItemProviderData data: Data, typeIdentifier: String) throws -> Self {
        guard let text = String(validating: data, as: UTF8.self), let url = NSURL(string: text) else {
            throw ItemProviderError.malformed(typeIdentifier, as: self)
        }
        return try ItemProviderError.checked(url, as: self)
    }

    public func loadData(
        withTypeIdentifier typeIdentifier: String,
        forItemProviderCompletionHandler completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress? {
        completionHandler(Data(absoluteString.utf8), nil)
        return nil
    }
}
