import PortolanValues
import UniformTypeIdentifiers

/// Kinds of items in words for people: `JPEG image`, `disk image`, `folder`. Identifiers of types are for programs.
enum KindText {
    /// Types that only say that it is a file. A name that ends in `.bin` may be any file's.
    private static let vague: Set<String> = [
        "public.item", "public.content", "public.data", "com.apple.macbinary-archive",
    ]

    /// - Parameter identifier: of a type, as a peer may have written it. A type that is not declared on this machine is
    ///   called a file.
    static func words(_ identifier: String, isFolder: Bool = false) -> String {
        let type = declared(identifier)
        guard isFolder || type?.conforms(to: .folder) ?? false else { return type.flatMap(description(of:)) ?? "file" }
        // A bundle is a folder with a meaning.
        guard let type, type.conforms(to: .package), let bundle = description(of: type) else { return "folder" }
        return "\(bundle), folder"
    }

    /// True if a type has a name here, rather than being derived from a file name extension.
    static func isKnown(_ identifier: String) -> Bool {
        declared(identifier) != nil || UTType(identifier)?.isDynamic ?? false
    }

    private static func declared(_ identifier: String) -> UTType? {
        UTType(identifier).flatMap { $0.isDeclared ? $0 : nil }
    }

    private static func description(of type: UTType) -> String? {
        vague.contains(type.identifier) ? nil : type.localizedDescription.map { DisplayText($0, limit: 40).text }
    }
}
