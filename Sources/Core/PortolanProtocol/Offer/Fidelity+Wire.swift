import PortolanValues

extension Fidelity {
    /// Converts required properties from the protocol's form; an unknown value makes them ``unknown``.
    init(_ wire: [WireFidelity]) {
        self = []
        for property in wire { insert(Self.flag(property)) }
    }

    /// Values on the wire: in the order of the numbers, each once.
    var wire: [WireFidelity] {
        WireFidelity.allCases.filter { contains(Self.flag($0)) }.sorted { $0.rawValue < $1.rawValue }
    }

    private static func flag(_ wire: WireFidelity) -> Fidelity {
        switch wire {
        case .unspecified, .UNRECOGNIZED: .unknown
        case .mode: .mode
        case .modified: .modified
        case .symlinks: .symbolicLinks
        case .attributes: .attributes
        case .sparse: .sparse
        case .hardLinks: .hardLinks
        case .content: .content
        }
    }
}
