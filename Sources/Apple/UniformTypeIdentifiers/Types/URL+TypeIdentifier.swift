// Foundation on Linux declares `URLResourceKey.typeIdentifierKey` and `URLResourceValues.typeIdentifier` without ever
// giving a value, and another module can replace neither. The compiler prefers a function that takes an array to one
// that takes a set where it is given a literal, so `resourceValues(forKeys: [.typeIdentifierKey])` is the function
// below. With further keys it is Foundation's.

/// The key `typeIdentifierKey`, if it is the only requested one.
public struct TypeIdentifierKey: Hashable, Sendable {
    public static let typeIdentifierKey = TypeIdentifierKey()
}

/// Values of an item whose type identifier was requested; the others are those of Foundation's `URLResourceValues`.
@dynamicMemberLookup
public struct TypeIdentifierValues {
    /// Type identifier of the item, that of `URLResourceValues.contentType`; nil if the item does not exist.
    public var typeIdentifier: String? { values.contentType?.identifier }

    fileprivate let values: URLResourceValues

    public subscript<Value>(dynamicMember path: KeyPath<URLResourceValues, Value>) -> Value { values[keyPath: path] }
}

extension URL {
    /// Returns the values of the item for `[.typeIdentifierKey]`.
    public func resourceValues(forKeys keys: [TypeIdentifierKey]) throws -> TypeIdentifierValues {
        let keys: Set<URLResourceKey> = keys.isEmpty ? [] : [.contentTypeKey]
        return TypeIdentifierValues(values: try resourceValues(forKeys: keys))
    }
}
