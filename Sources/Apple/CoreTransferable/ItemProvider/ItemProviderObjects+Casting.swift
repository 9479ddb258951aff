// A provider gives objects as `any NSSecureCoding` and `any NSItemProviderReading`. The Swift values that these objects
// are bridged to conform to the two protocols, so that the compiler sees that `item as? Data` and `object as? String`
// can succeed, and so that `data as NSSecureCoding` is an item, as on Apple's systems.

extension Data: @retroactive NSCoding, @retroactive NSSecureCoding {
    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) { NSData(data: self).encode(with: coder) }

    public init?(coder: NSCoder) {
        guard let object = NSData(coder: coder) else { return nil }
        self = Data(referencing: object)
    }
}

extension String: @retroactive NSCoding, @retroactive NSSecureCoding {
    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) { NSString(string: self).encode(with: coder) }

    public init?(coder: NSCoder) {
        guard let object = NSString(coder: coder) else { return nil }
        self = object.description
    }
}

extension URL: @retroactive NSCoding, @retroactive NSSecureCoding {
    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) { NSURL(self).encode(with: coder) }

    public init?(coder: NSCoder) {
        guard let url = NSURL(coder: coder)?.absoluteURL else { return nil }
        self = url
    }
}

@available(*, unavailable, message: "A String is read as an NSString; load it with loadObject(ofClass: String.self).")
extension String: NSItemProviderReading {
    public static var readableTypeIdentifiersForItemProvider: [String] {
        NSString.readableTypeIdentifiersForItemProvider
    }

    public static func object(withItemProviderData data: Data, typeIdentifier: String) throws -> String {
        try NSString.object(withItemProviderData: data, typeIdentifier: typeIdentifier).description
    }
}

@available(*, unavailable, message: "A URL is read as an NSURL; load it with loadObject(ofClass: URL.self).")
extension URL: NSItemProviderReading {
    public static var readableTypeIdentifiersForItemProvider: [String] { NSURL.readableTypeIdentifiersForItemProvider }

    public static func object(withItemProviderData data: Data, typeIdentifier: String) throws -> URL {
        let object = try NSURL.object(withItemProviderData: data, typeIdentifier: typeIdentifier)
        guard let url = object.absoluteURL else { throw ItemProviderError.malformed(typeIdentifier, as: self) }
        return url
    }
}

extension NSSecureCoding {
    /// The object that a Swift value is bridged to; any other object itself.
    var referenceObject: any NSSecureCoding {
        guard !(type(of: self) is AnyClass) else { return self }
        switch self {
        case let data as Data: return NSData(data: data)
        case let text as String: return NSString(string: text)
        case let url as URL: return NSURL(url)
        default: return self
        }
    }
}
