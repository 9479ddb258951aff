import Foundation

/// JSON of the local API: dates in ISO 8601 with milliseconds, keys in order.
package enum APICoding {
    package static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(date.formatted(fractional))
        }
        return try encoder.encode(value)
    }

    package static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            if let date = (try? fractional.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text)) { return date }
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "A time has the form 2026-01-31T12:00:00Z.")
        }
        return try decoder.decode(type, from: data)
    }

    private static let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
