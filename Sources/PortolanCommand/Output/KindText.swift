import PortolanValues
import UniformTypeIdentifiers

/// Kinds of items in a person's words: `JPEG image`, `disk image`, `folder`. An identifier of a type is for programs.
enum KindText {
    /// Types that say of a file no more than that it is one. A name that ends in `.bin` is that of any file.
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

    /// True if a type has a name of its own here, and is not only made up for a file name extension.
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
