/// Identifier of a team: 16 bytes derived from the founder's device key and a random salt, so that no other key can
/// found the same team.
///
/// As text: 26 characters of lower-case base32 (RFC 4648) without padding.
public struct TeamID: Hashable, Sendable {
    /// Length of an identifier, in bytes.
    public static let length = 16

    /// Encoded identifier, 16 bytes.
    public let bytes: [UInt8]

    /// Makes an identifier from received or stored bytes; nil unless there are 16. An identifier proves nothing.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = Array(bytes)
    }

    /// Reads the text form in either case; nil for any other text.
    public init?(_ text: String) {
        guard !text.contains("-"), let symbols = Base32.symbols(in: text), let bytes = Base32.bytes(symbols) else {
            return nil
        }
        self.init(bytes: bytes)
    }
}

extension TeamID: Comparable, CustomStringConvertible {
    /// The text form.
    public var description: String { Base32.text(bytes) }

    /// Order of the bytes, for lists; it has no meaning.
    public static func < (one: TeamID, other: TeamID) -> Bool {
        one.bytes.lexicographicallyPrecedes(other.bytes)
    }
}
