import Foundation
import UniformTypeIdentifiers

extension URLResourceKey {
    /// Asks for ``Foundation/URLResourceValues/contentType``.
    ///
    /// Foundation on Linux drops keys that it does not know, so this is `pathKey` by another name: the values have the
    /// item's path, from which the type is found. Values asked for with one of the two keys have the other.
    public static var contentTypeKey: URLResourceKey { .pathKey }
}

extension URLResourceValues {
    /// What the item is: by its kind and the extension of its name, not by its contents. A folder with an extension
    /// that stands for a package is that package.
    ///
    /// Nil where the values were asked for without ``Foundation/URLResourceKey/contentTypeKey``, or there is no such
    /// item. The item is looked at when this is read, not when the values are.
    public var contentType: UTType? {
        path.flatMap { UTType(itemAtPath: $0) }
    }
}

extension UTType {
    fileprivate init?(itemAtPath path: String) {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
        let filenameExtension = NSString(string: path).pathExtension
        switch attributes[.type] as? FileAttributeType {
        case .typeSymbolicLink?: self = .symbolicLink
        case .typeDirectory?: self = Self.directoryType(filenameExtension)
        case .typeRegular? where filenameExtension.isEmpty: self = .data
        case .typeRegular?: self = UTType(filenameExtension: filenameExtension) ?? .data
        default: self = .item
        }
    }

    private static func directoryType(_ filenameExtension: String) -> UTType {
        guard !filenameExtension.isEmpty,
            let type = UTType(filenameExtension: filenameExtension, conformingTo: .directory), type.isDeclared
        else { return .folder }
        return type
    }
}
