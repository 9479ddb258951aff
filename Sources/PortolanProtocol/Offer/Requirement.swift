/// Property of a file that must be kept for an item to be stored.
package enum Requirement: String, Hashable, Sendable, CaseIterable {
    /// Something that this version does not know, and so cannot keep.
    case unspecified
    case mode
    case modified
    case symlinks
    case attributes
    case sparse
    case hardLinks
    /// Every entry that the receiver may see, with its content.
    case content
}

// MARK: - Wire

extension Set<Requirement> {
    var wire: [WireFidelity] { map(\.wire).sorted { $0.rawValue < $1.rawValue } }
}

extension Requirement {
    init(_ wire: WireFidelity) {
        switch wire {
        case .unspecified, .UNRECOGNIZED: self = .unspecified
        case .mode: self = .mode
        case .modified: self = .modified
        case .symlinks: self = .symlinks
        case .attributes: self = .attributes
        case .sparse: self = .sparse
        case .hardLinks: self = .hardLinks
        case .content: self = .content
        }
    }

    var wire: WireFidelity {
        switch self {
        case .unspecified: .unspecified
        case .mode: .mode
        case .modified: .modified
        case .symlinks: .symlinks
        case .attributes: .attributes
        case .sparse: .sparse
        case .hardLinks: .hardLinks
        case .content: .content
        }
    }
}
