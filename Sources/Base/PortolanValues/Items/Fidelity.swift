/// Properties of an item that must be kept: if one of them cannot be, the item fails.
package struct Fidelity: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Permissions: the nine bits, not reduced by the receiver's umask.
    package static let mode = Fidelity(rawValue: 1 << 0)
    /// Modification times, to the nanosecond.
    package static let modified = Fidelity(rawValue: 1 << 1)
    package static let symbolicLinks = Fidelity(rawValue: 1 << 2)
    /// Extended attributes.
    package static let attributes = Fidelity(rawValue: 1 << 3)
    /// Holes that take no space.
    package static let sparse = Fidelity(rawValue: 1 << 4)
    package static let hardLinks = Fidelity(rawValue: 1 << 5)
    /// Every entry of the source that the receiver may see, with its content.
    package static let content = Fidelity(rawValue: 1 << 6)
    /// Property that this version does not know, so that it cannot be kept.
    package static let unknown = Fidelity(rawValue: 1 << 7)

    /// Name of each property in the protocol.
    package static let names: KeyValuePairs<String, Fidelity> = [
        "unspecified": .unknown, "mode": .mode, "modified": .modified, "symlinks": .symbolicLinks,
        "attributes": .attributes, "sparse": .sparse, "hardLinks": .hardLinks, "content": .content,
    ]
}

extension Fidelity: CustomStringConvertible {
    package var description: String { Self.names.filter { contains($0.value) }.map(\.key).joined(separator: ", ") }
}
