/// An extended attribute that travels with a file or folder: one of the namespace `user`, none of Portolan's own.
package struct FileAttribute: Hashable, Sendable {
    /// Prefix of each name in the system.
    package static let namespace = "user."
    /// Portolan's own attributes (visibility, audience, source) are about one machine's copy and are never sent.
    static let ownPrefix = "portolan."

    /// Largest number of attributes of one entry.
    package static let maximumCount = 64
    /// Bytes of all of an entry together, each counted with its name and three bytes more.
    package static let maximumBytes = 64 << 10
    /// Bytes of a name: xattr(7) allows 255 with the namespace.
    package static let maximumNameBytes = 255 - 5

    /// Without `user.`: 1 to 250 bytes, no NUL among them.
    package let name: String
    /// At most 65,535 bytes.
    package let value: [UInt8]

    /// Nil for an attribute that is neither sent nor stored: one of Portolan's own, or one with an invalid name or
    /// value.
    package init?(name: some Collection<UInt8>, value: [UInt8]) {
        guard (1...Self.maximumNameBytes).contains(name.count), value.count <= UInt16.max, !name.contains(0),
            let text = String(validating: name, as: UTF8.self), !text.utf8.starts(with: Self.ownPrefix.utf8)
        else { return nil }
        self.name = text
        self.value = value
    }

    /// Number of bytes that it takes of ``maximumBytes``.
    package var weight: Int { name.utf8.count + value.count + 3 }

    package static func == (one: FileAttribute, other: FileAttribute) -> Bool {
        one.name.utf8.elementsEqual(other.name.utf8) && one.value == other.value
    }

    package func hash(into hasher: inout Hasher) {
        for byte in name.utf8 { hasher.combine(byte) }
        hasher.combine(value)
    }
}
