/// Random identifier of 16 bytes, such as a parcel's. Not a secret.
///
/// As text: 32 lower-case hexadecimal digits.
public struct RandomID: Hashable, Sendable {
    let bits: UInt128

    /// A new identifier.
    public static func random() -> RandomID { RandomID(.random(in: .min ... .max)) }

    /// - Parameter bits: 128 random bits.
    init(_ bits: UInt128) { self.bits = bits }

    /// The 16 bytes.
    public var bytes: [UInt8] { withUnsafeBytes(of: bits.bigEndian) { Array($0) } }
}

extension RandomID: LosslessStringConvertible {
    /// Reads the text form; nil for anything else.
    public init?(_ text: String) {
        guard let bits = Hexadecimal.number(text, as: UInt128.self) else { return nil }
        self.init(bits)
    }

    public var description: String { Hexadecimal.text(bits) }
}

extension RandomID: Codable {
    /// Reads the text form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = RandomID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "An identifier is written as 32 hexadecimal digits.")
        }
        self = id
    }

    /// Writes the text form.
    public func encode(to encoder: any Encoder) throws {
        try description.encode(to: encoder)
    }
}
