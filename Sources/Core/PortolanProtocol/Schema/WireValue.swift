import SwiftProtobuf

/// Enumeration whose cases stand in the order of their numbers in the schema, without a gap.
protocol WireValue: CaseIterable, Equatable where AllCases == [Self] {
    associatedtype Wire: SwiftProtobuf.Enum

    /// Number of the first case in the schema.
    static var firstNumber: Int { get }
}

extension WireValue {
    static var firstNumber: Int { 0 }

    /// - Returns: nil for a number that this version does not know.
    init?(known wire: Wire) {
        guard let place = Self.allCases.indices.first(where: { Self.firstNumber + $0 == wire.rawValue }) else {
            return nil
        }
        self = Self.allCases[place]
    }

    var wire: Wire {
        guard let place = Self.allCases.firstIndex(of: self), let wire = Wire(rawValue: Self.firstNumber + place) else {
            preconditionFailure("A case without a number in the schema")
        }
        return wire
    }
}

/// Enumeration that takes a number of a later version for `unspecified`.
protocol OpenWireValue: WireValue {
    static var unspecified: Self { get }
}

extension OpenWireValue {
    init(_ wire: Wire) { self = Self(known: wire) ?? .unspecified }
}
