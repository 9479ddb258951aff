import Foundation
import Synchronization

@testable import UniformTypeIdentifiers

/// Simulated machine in a temporary folder: the test supplies its knowledge of types, instead of the real machine.
final class Laboratory: Sendable {
    let folder: String
    private let lines = Mutex<[String]>([])

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "types-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// `home`, `data1`, `data2` and `program` below the folder.
    var places: TypePlaces {
        TypePlaces(
            dataHome: path("home"), dataFolders: [path("data1"), path("data2")], executableFolder: path("program"))
    }

    /// Lines that were written to standard error.
    var said: [String] { lines.withLock { $0 } }

    func registry() -> TypeRegistry {
        let places = places
        return TypeRegistry(places: { places }, report: { line in self.lines.withLock { $0.append(line) } })
    }

    func path(_ name: String) -> String { "\(folder)/\(name)" }

    @discardableResult
    func write(_ data: Data, to name: String) throws -> String {
        let file = path(name)
        try FileManager.default.createDirectory(
            atPath: NSString(string: file).deletingLastPathComponent, withIntermediateDirectories: true)
        try data.write(to: URL(filePath: file))
        return file
    }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String { try write(Data(text.utf8), to: name) }

    /// A property list with exported and imported declarations.
    @discardableResult
    func declare(
        _ name: String, exported: [[String: Any]] = [], imported: [[String: Any]] = [],
        format: PropertyListSerialization.PropertyListFormat = .xml
    ) throws -> String {
        var list: [String: Any] = [:]
        if !exported.isEmpty { list["UTExportedTypeDeclarations"] = exported }
        if !imported.isEmpty { list["UTImportedTypeDeclarations"] = imported }
        let data = try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
        return try write(data, to: name)
    }
}

/// Entry of a property list.
func entry(
    _ identifier: String, conformsTo parents: String..., extensions: [String] = [], mimeTypes: [String] = [],
    description: String? = nil
) -> [String: Any] {
    var entry: [String: Any] = ["UTTypeIdentifier": identifier]
    if !parents.isEmpty { entry["UTTypeConformsTo"] = parents }
    var tags: [String: Any] = [:]
    if !extensions.isEmpty { tags["public.filename-extension"] = extensions }
    if !mimeTypes.isEmpty { tags["public.mime-type"] = mimeTypes }
    if !tags.isEmpty { entry["UTTypeTagSpecification"] = tags }
    entry["UTTypeDescription"] = description
    return entry
}

extension TypeRegistry {
    func identifiers(tagged tag: String, _ tagClass: UTTagClass = .filenameExtension, to supertype: UTType? = .data)
        -> [String]
    {
        types(tag: tag, tagClass: tagClass, conformingTo: supertype).map(\.identifier)
    }
}
