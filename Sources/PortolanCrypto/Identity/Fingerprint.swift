import PortolanValues

/// The short form of a device key that people read aloud and compare: the first 20 bytes of its SHA-256.
///
/// As text: RFC 4648 base32 in lower case, 32 characters in 8 groups of 4, joined by hyphens, as in
/// `mfzw-s3tb-…`. 160 bits leave no hope of making a second key with the fingerprint of a given one.
public struct Fingerprint: Hashable, Sendable {
    /// How many bytes a fingerprint has.
    public static let length = 20

    /// The fingerprint as it travels in an announcement, 20 bytes.
    public let bytes: [UInt8]

    /// The fingerprint of a key.
    public init(of key: DevicePublicKey) {
        self.init(ofKeyBytes: key.bytes)
    }

    /// The fingerprint that 32 bytes have if they are a key, which nobody has checked.
    package init(ofKeyBytes keyBytes: [UInt8]) {
        bytes = Array(SHA256.digest(keyBytes).prefix(Self.length))
    }

    /// A fingerprint that somebody announced; `nil` unless it is 20 bytes long. It proves nothing.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = Array(bytes)
    }

    /// Reads the text form, in either case and with hyphens anywhere or nowhere; `nil` when it is anything else.
    public init?(parsing text: String) {
        guard let symbols = Base32.symbols(in: text) else { return nil }
        self.init(symbols: symbols)
    }

    private init?(symbols: [UInt8]) {
        guard let bytes = Base32.bytes(symbols) else { return nil }
        self.init(bytes: bytes)
    }

    /// Whether the text form begins with `prefix`, in either case and wherever its hyphens are.
    ///
    /// `false` for a prefix without any character of a fingerprint: nothing was asked for, so nothing is found.
    public func hasPrefix(_ prefix: String) -> Bool {
        guard let wanted = Base32.symbols(in: prefix), !wanted.isEmpty else { return false }
        return Base32.symbols(of: bytes).starts(with: wanted)
    }
}

extension Fingerprint: CustomStringConvertible {
    /// The text form: eight groups of four characters, joined by hyphens.
    public var description: String {
        let letters = Array(Base32.text(bytes))
        return stride(from: 0, to: letters.count, by: 4)
            .map { String(letters[$0..<$0 + 4]) }
            .joined(separator: "-")
    }
}

extension Fingerprint: Comparable {
    /// An order for lists, by bytes; it means nothing.
    public static func < (one: Fingerprint, other: Fingerprint) -> Bool {
        one.bytes.lexicographicallyPrecedes(other.bytes)
    }
}

extension Fingerprint: Codable {
    /// Reads the text form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let fingerprint = Fingerprint(parsing: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "A fingerprint is written as 32 base32 characters.")
        }
        self = fingerprint
    }

    /// Writes the text form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
