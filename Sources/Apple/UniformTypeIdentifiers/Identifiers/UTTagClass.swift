/// A kind of name by which other systems call a type, such as its filename extension.
///
/// Any string may be a class of its own; the two constants are the ones with rules: their tags are compared without
/// regard to case.
public struct UTTagClass: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The part of a file name after its last dot, without the dot.
    public static let filenameExtension = UTTagClass(rawValue: "public.filename-extension")

    /// A media type such as `image/png` (RFC 6838).
    public static let mimeType = UTTagClass(rawValue: "public.mime-type")

    /// Four characters that named a type on classic Mac OS.
    static let fourCharacterCode = UTTagClass(rawValue: "com.apple.ostype")

    /// A pasteboard type name of AppKit.
    static let pasteboardType = UTTagClass(rawValue: "com.apple.nspboard-type")

    /// Returns the tag as it is compared and put into dynamic identifiers.
    func normalized(_ tag: String) -> String {
        self == .filenameExtension || self == .mimeType ? tag.lowercased() : tag
    }
}

extension UTTagClass: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { rawValue }
    public var debugDescription: String { "UTTagClass(\(rawValue))" }
}
