import Foundation
import PortolanValues

@testable import PortolanCrypto

/// Reads one of the files in `Vectors/`.
func vectors<Content: Decodable>(_ name: String, as type: Content.Type) throws -> Content {
    guard let file = Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Vectors") else {
        throw VectorError(description: "Vectors/\(name).json is not among the test's resources")
    }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(type, from: Data(contentsOf: file))
}

/// Bytes written as hexadecimal text in a vector file or a test.
struct Hex: Decodable, ExpressibleByStringLiteral {
    let bytes: [UInt8]

    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let bytes = Hexadecimal.bytes(inEitherCase: text) else {
            throw VectorError(description: "\(text) is no hexadecimal text")
        }
        self.bytes = bytes
    }

    init(stringLiteral text: String) {
        guard let bytes = Hexadecimal.bytes(inEitherCase: text) else {
            preconditionFailure("\(text) is no hexadecimal text")
        }
        self.init(bytes)
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// For constants longer than a line.
    static func + (one: Hex, other: Hex) -> Hex { Hex(one.bytes + other.bytes) }
}

struct VectorError: Error, CustomStringConvertible {
    let description: String
}
