/// Enumeration of which each case has a number of its own in the schema.
protocol WireValue: CaseIterable {
    associatedtype Wire: Equatable

    var wire: Wire { get }
}

extension WireValue {
    /// - Returns: nil for a number that this version does not know.
    init?(known wire: Wire) {
        guard let value = Self.allCases.first(where: { $0.wire == wire }) else { return nil }
        self = value
    }
}

/// Enumeration that takes a number of a later version for `unspecified`.
protocol OpenWireValue: WireValue {
    static var unspecified: Self { get }
}

extension OpenWireValue {
    init(_ wire: Wire) { self = Self(known: wire) ?? .unspecified }
}
