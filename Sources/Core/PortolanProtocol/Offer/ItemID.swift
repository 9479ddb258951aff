import Foundation

/// Identifier of a shared item: 16 random bytes, the same for all peers, and new each time the item is shared.
public struct ItemID: Hashable, Sendable {
    /// Length in bytes.
    public static let length = 16

    /// Encoded identifier.
    public let bytes: [UInt8]

    /// Parses a received or stored identifier; nil unless it has 16 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }
}

// MARK: - Wire

extension ItemID {
    init(wire: Data) throws(InvalidValue) {
        guard let id = ItemID(Array(wire)) else {
            throw InvalidValue("The identifier of an item has \(Self.length) bytes; this one has \(wire.count).")
        }
        self = id
    }

    var wire: Data { Data(bytes) }
}
