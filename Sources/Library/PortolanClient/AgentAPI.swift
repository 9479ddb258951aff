import Foundation

/// Values of the agent's local API, as `Protocol/local-api.yaml` describes them.
public enum AgentAPI {
    /// Identifier of a parcel, an item of the inbox or a shared item: 32 hexadecimal digits in lower case.
    public struct ID: Hashable, Sendable {
        public let bits: UInt128

        public init(_ bits: UInt128) { self.bits = bits }
    }

    /// Position in the journal to read from.
    public enum Position: Hashable, Sendable {
        /// The oldest kept entry.
        case oldest
        /// The end: only future entries.
        case newest
        /// Entries after this cursor.
        case after(Int64)
    }

    /// A page of a list.
    public struct Query: Hashable, Sendable {
        /// States to include; empty for all.
        public var states: [String]
        /// Last identifier of the previous page; nil for the first page.
        public var after: ID?
        /// Largest number of entries in the page, 1 to ``most``.
        public var limit: Int

        public static let most = 1000

        public init(states: [String] = [], after: ID? = nil, limit: Int = Query.most) {
            self.states = states
            self.after = after
            self.limit = limit
        }
    }

    /// Largest body of a request, in bytes.
    public static let bodyLimit = 1 << 20
}

extension AgentAPI.ID: LosslessStringConvertible {
    private static let digits = 32

    /// Reads the text form; nil for any other text.
    public init?(_ text: String) {
        let isHexadecimal = text.utf8.allSatisfy { digit in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(digit)
        }
        guard isHexadecimal, text.utf8.count == Self.digits, let bits = UInt128(text, radix: 16) else { return nil }
        self.init(bits)
    }

    public var description: String {
        let text = String(bits, radix: 16)
        return String(repeating: "0", count: Self.digits - text.count) + text
    }
}

extension AgentAPI.ID: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = AgentAPI.ID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "An identifier has 32 hexadecimal digits in lower case.")
        }
        self = id
    }

    public func encode(to encoder: any Encoder) throws {
        try description.encode(to: encoder)
    }
}
