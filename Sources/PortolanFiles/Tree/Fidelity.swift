/// What of an item must not be lost: where one of these cannot be kept, the item fails.
package struct Fidelity: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Permissions: the nine bits, none of them taken away by the receiver's umask.
    package static let mode = Fidelity(rawValue: 1 << 0)
    /// Modification times, to the nanosecond.
    package static let modified = Fidelity(rawValue: 1 << 1)
    package static let symbolicLinks = Fidelity(rawValue: 1 << 2)
    /// Extended attributes.
    package static let attributes = Fidelity(rawValue: 1 << 3)
    /// Holes that take no space.
    package static let sparse = Fidelity(rawValue: 1 << 4)
    package static let hardLinks = Fidelity(rawValue: 1 << 5)

    /// What a loss of this kind is a loss of; nil where it cannot be required.
    init?(_ reason: Omission.Reason) {
        switch reason {
        case .mode: self = .mode
        case .modificationTime: self = .modified
        case .linksUnsupported: self = .symbolicLinks
        case .attributes: self = .attributes
        case .sparse: self = .sparse
        case .hardLink: self = .hardLinks
        default: return nil
        }
    }
}
