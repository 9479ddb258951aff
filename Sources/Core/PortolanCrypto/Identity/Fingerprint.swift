import PortolanValues

/// The short form of a device key that people read aloud and compare: the first 20 bytes of its SHA-256.
///
/// As text: RFC 4648 base32 in lower case, 32 characters in 8 groups of 4, joined by hyphens, as in
/// `mfzw-s3tb-…`. 160 bits leave no hope of making a second key with the fingerprint of a given one.
public struct Fingerprint: Hashable, Sendable {
    /// Length of a fingerprint, in bytes.
    public static let length = 20

    /// The fingerprint as it travels in an announcement, 20 bytes.
    public let bytes: [UInt8]

    /// Computes the fingerprint of a key.
    public init(of key: DevicePublicKey) {
        self.init(ofKeyBytes: key.bytes)
    }

    /// Computes the fingerprint of 32 bytes that were not checked to be a key.
    package init(ofKeyBytes keyBytes: [UInt8]) {
        bytes = Array(SHA256.digest(keyBytes).prefix(Self.length))
    }

    /// Makes a fingerprint from announced bytes; `nil` unless there are 20 of them. A fingerprint proves nothing.
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

    /// True if the text form begins with `prefix`, in either case and wherever its hyphens are.
    ///
    /// `false` for a prefix without any character of a fingerprint, which would match all of them.
    public func hasPrefix(_ prefix: String) -> Bool {
        guard let wanted = Base32.symbols(in: prefix), !wanted.isEmpty else { return false }
        return Base32.symbols(of: bytes).starts(with: wanted)
    }
}

extension Fingerprint: CustomStringConvertible {
    /// The text form: eight groups of four characters, joined by hyphens.
    public var description: String {
        var text: [UInt8] = []
        for (place, letter) in Base32.text(bytes).utf8.enumerated() {
            if place > 0, place.isMultiple(of: 4) { text.append(UInt8(ascii: "-")) }
            text.append(letter)
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension Fingerprint: Comparable {
    /// Order of the bytes, for lists; it has no meaning.
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
