/// Encoded extended attributes of a file or folder: a slice of the record, already checked.
///
/// ```swift
/// let encoded = try TreeAttributes.encode([(name, value)])
/// encoded.withUnsafeBytes { writer.append(… attributes: TreeAttributes(checked: $0)) }
/// for (name, value) in attributes { … }      // both are slices
/// ```
package struct TreeAttributes: Sequence {
    package typealias Element = (name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)

    /// Number of attributes, then each of them.
    let encoded: UnsafeRawBufferPointer

    /// Takes the output of `encode(_:)`.
    package init(checked encoded: UnsafeRawBufferPointer) {
        precondition(!encoded.isEmpty, "These are no encoded attributes")
        self.encoded = encoded
    }

    /// - Parameter attributes: names without the “user.” before them. Must not be empty.
    package static func encode(
        _ attributes: [(name: [UInt8], value: [UInt8])]
    ) throws(InvalidValue) -> [UInt8] {
        try InvalidValue.check(
            attributes.count <= Limits.attributes,
            limit: "A file with \(attributes.count) attributes; at most \(Limits.attributes) travel.")
        try InvalidValue.check(
            attributes.reduce(0, { $0 + $1.name.count + $1.value.count }) <= Limits.attributeBytes,
            limit: "A file with more than \(Limits.attributeBytes) bytes of attributes.")
        precondition(!attributes.isEmpty, "Without attributes there is nothing to encode")
        var encoded = [UInt8(attributes.count)]
        for (name, value) in attributes {
            try InvalidValue.check(
                name.count <= Limits.name && value.count <= UInt16.max,
                limit: "An attribute whose name or value is too long to travel.")
            guard !name.isEmpty, !name.contains(0) else { throw InvalidValue("An attribute without a proper name.") }
            encoded += [UInt8(name.count)] + name + [UInt8(value.count >> 8), UInt8(value.count & 0xFF)] + value
        }
        try InvalidValue.check(Set(attributes.map(\.name)).count == attributes.count, "A file has one attribute twice.")
        return encoded
    }

    /// Size that counts towards the limit for pending files (FILES.md 7.6-1), in bytes.
    package var footprint: Int {
        reduce(0) { $0 + $1.name.count + $1.value.count + Limits.attributeOverhead }
    }

    package func makeIterator() -> Iterator { Iterator(rest: UnsafeRawBufferPointer(rebasing: encoded[1...])) }

    package struct Iterator: IteratorProtocol {
        fileprivate var rest: UnsafeRawBufferPointer

        package mutating func next() -> TreeAttributes.Element? {
            guard !rest.isEmpty else { return nil }
            let name = take(Int(take(1)[0]))
            let length = take(2)
            return (name, take(Int(length[0]) << 8 | Int(length[1])))
        }

        private mutating func take(_ count: Int) -> UnsafeRawBufferPointer {
            defer { rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }
            return UnsafeRawBufferPointer(rebasing: rest[..<count])
        }
    }
}
