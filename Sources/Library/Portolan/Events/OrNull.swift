/// Value of a field that is always written: without a value, it is null rather than omitted.
///
/// A property of this type has no default, so that every creation of an event must state it.
public struct OrNull<Value> {
    public let value: Value?

    public init(_ value: Value?) { self.value = value }
}

extension OrNull: Sendable where Value: Sendable {}
extension OrNull: Equatable where Value: Equatable {}
extension OrNull: Hashable where Value: Hashable {}

extension OrNull: ExpressibleByNilLiteral {
    public init(nilLiteral: ()) { value = nil }
}

extension OrNull: Encodable where Value: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let value { try container.encode(value) } else { try container.encodeNil() }
    }
}

extension OrNull: Decodable where Value: Decodable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        value = try container.decodeNil() ? nil : container.decode(Value.self)
    }
}
