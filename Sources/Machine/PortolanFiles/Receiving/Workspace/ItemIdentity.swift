import PortolanValues

/// Identity of an item: equal for two transfers of the same source from the same sender to the same audience.
///
/// 32 bytes, made by the layer above; see section 7 of the specification. The content is not part of it, and may
/// change.
package struct ItemIdentity: Hashable, Sendable, CustomStringConvertible {
    /// Bytes of an identity.
    package static let length = 32

    package let bytes: [UInt8]

    /// - Returns: nil unless there are ``length`` bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = Array(bytes)
    }

    /// Reads the stored form, hexadecimal digits.
    package init?(_ text: String) {
        guard let bytes = Hexadecimal.bytes(text) else { return nil }
        self.init(bytes: bytes)
    }

    package var description: String { Hexadecimal.text(bytes) }
}

extension ItemIdentity: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let identity = ItemIdentity(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no identity of an item")
        }
        self = identity
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
