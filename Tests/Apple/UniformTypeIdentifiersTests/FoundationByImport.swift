// A source file as programs write it: it gets the declarations of Foundation that it uses by this one import.
import UniformTypeIdentifiers

enum FoundationByImport {
    static func type(of url: URL) throws -> UTType? {
        try url.resourceValues(forKeys: [.contentTypeKey]).contentType
    }

    static func typeIdentifier(of url: URL) throws -> String? {
        guard let values = try? url.resourceValues(forKeys: [.typeIdentifierKey]) else { return nil }
        return values.typeIdentifier
    }

    static func size(of data: Data) -> Int { data.count }
}
