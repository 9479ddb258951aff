extension URLResourceKey {
    /// Asks for ``Foundation/URLResourceValues/contentType``.
    ///
    /// Foundation on Linux drops keys that it does not know, so this is `pathKey` by another name: the values have the
    /// item's path, from which the type is found. Values asked for with one of the two keys have the other.
    public static var contentTypeKey: URLResourceKey { .pathKey }
}

extension URLResourceValues {
    /// Type of the item, found by its kind and the extension of its name, not by its contents. A folder with an
    /// extension that stands for a package is that package.
    ///
    /// Nil where the values were asked for without ``Foundation/URLResourceKey/contentTypeKey``, or there is no such
    /// item. The item is looked at when this is read, not when the values are.
    public var contentType: UTType? {
        path.flatMap { UTType.type(ofItemAt: URL(fileURLWithPath: $0)) }
    }
}
