import Foundation
import Testing

/// JSON object of a vector that must be read completely: an unread key is an error, so that no part of a vector is
/// ignored.
package final class VectorObject {
    private var values: [String: Any]
    package let path: String

    /// Keys that were not read yet.
    package var keys: [String] { values.keys.sorted() }

    package init(_ values: [String: Any], path: String) {
        self.values = values
        self.path = path
    }

    deinit {
        if !values.isEmpty { Issue.record("\(path): nobody reads \(values.keys.sorted())") }
    }

    private func take(_ key: String) throws -> Any {
        guard let value = values.removeValue(forKey: key) else { throw VectorError("\(path): no \(key)") }
        return value
    }

    package func has(_ key: String) -> Bool { values[key] != nil }

    private func take<Value>(_ key: String, as type: Value.Type) throws -> Value {
        guard let value = try take(key) as? Value else { throw VectorError("\(path): \(key) is no \(type)") }
        return value
    }

    package func text(_ key: String) throws -> String { try take(key, as: String.self) }
    package func texts(_ key: String) throws -> [String] { try take(key, as: [String].self) }
    package func number(_ key: String) throws -> Int { try take(key, as: Int.self) }
    package func numbers(_ key: String) throws -> [Int] { try take(key, as: [Int].self) }
    package func flag(_ key: String) throws -> Bool { try take(key, as: Bool.self) }
    package func bytes(_ key: String) throws -> [UInt8] { try VectorBytes.expanded(take(key)) }
    package func list(_ key: String) throws -> [Any] { try take(key, as: [Any].self) }

    /// Reads 64 bits, written as a decimal string, because JSON's numbers do not hold them all.
    package func long(_ key: String) throws -> UInt64 {
        guard let number = UInt64(try text(key)) else { throw VectorError("\(path): \(key) is no number") }
        return number
    }

    package func object(_ key: String) throws -> VectorObject {
        VectorObject(try take(key, as: [String: Any].self), path: "\(path).\(key)")
    }

    package func objects(_ key: String) throws -> [VectorObject] {
        try take(key, as: [[String: Any]].self).enumerated().map {
            VectorObject($0.element, path: "\(path).\(key)[\($0.offset)]")
        }
    }

    package func optional(_ key: String) throws -> VectorObject? { has(key) ? try object(key) : nil }
    package func optionalText(_ key: String) throws -> String? { has(key) ? try text(key) : nil }
    package func optionalLong(_ key: String) throws -> UInt64? { has(key) ? try long(key) : nil }

    /// Reads a name from the specification's tables, written with underscores.
    package func name<Value: RawRepresentable<String> & CaseIterable>(_ key: String, _ type: Value.Type) throws -> Value
    {
        let name = try text(key)
        guard let value = Value.allCases.first(where: { snake($0.rawValue) == name }) else {
            throw VectorError("\(path): \(key) is \(name), which is no \(type)")
        }
        return value
    }

    /// Skips the rest, for a test of a part.
    package func leaveRest() { values = [:] }
}

package func snake(_ name: String) -> String {
    name.reduce(into: "") { text, character in
        text += character.isUppercase ? "_" + character.lowercased() : character == "-" ? "_" : String(character)
    }
}

package enum VectorFile {
    package static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Protocol/vectors", directoryHint: .isDirectory).standardizedFileURL

    package static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
            .filter { $0.hasSuffix(".json") }.sorted()
    }

    package static func kind(of name: String) throws -> String {
        guard let kind = try read(name)["kind"] as? String else { throw VectorError("\(name): no kind") }
        return kind
    }

    private static func read(_ name: String) throws -> [String: Any] {
        let data = try Data(contentsOf: folder.appending(path: name))
        guard let object = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
            throw VectorError("\(name): no object")
        }
        return object
    }

    /// Returns every vector of a kind, with its kind and comment already read.
    package static func all(ofKind kind: String) throws -> [VectorObject] {
        try names().compactMap { name in
            let content = try read(name)
            guard content["kind"] as? String == kind else { return nil }
            let object = VectorObject(content, path: name)
            _ = try (object.text("kind"), object.text("comment"))
            return object
        }
    }
}

/// Bytes in vectors: hexadecimal, or a list of parts, some of which are repeated.
private enum VectorBytes {
    static func expanded(_ value: Any) throws -> [UInt8] {
        if let text = value as? String { return try [UInt8](hex: text) }
        if let parts = value as? [Any] { return try parts.flatMap(expanded) }
        guard let repetition = value as? [String: Any], Set(repetition.keys) == ["repeat", "bytes"],
            let count = repetition["repeat"] as? Int, let bytes = repetition["bytes"]
        else { throw VectorError("No bytes: \(value)") }
        return Array(repeatElement(try expanded(bytes), count: count).joined())
    }
}

/// Number in repeated bytes, different in each copy.
package struct VectorCounter {
    private let at: Int
    private let length: Int
    private let first: UInt64
    private let by: UInt64
    private let isDecimal: Bool

    package init(_ json: VectorObject) throws {
        at = try json.number("at")
        length = try json.number("length")
        first = try json.long("first")
        by = try json.long("by")
        isDecimal = json.has("decimal") ? try json.flag("decimal") : false
    }

    /// Writes the number of a copy; the first copy has number 0.
    package func write(copy: Int, to bytes: inout [UInt8]) {
        var number = first + UInt64(copy) * by
        for place in (at..<(at + length)).reversed() {
            bytes[place] = isDecimal ? UInt8(ascii: "0") + UInt8(number % 10) : UInt8(number & 255)
            number = isDecimal ? number / 10 : number >> 8
        }
    }
}

package struct VectorError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

extension [UInt8] {
    package init(hex: String) throws {
        guard hex.utf8.count.isMultiple(of: 2) else { throw VectorError("An odd number of hexadecimal digits") }
        var digits = hex.utf8.makeIterator()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(hex.utf8.count / 2)
        while let high = digits.next(), let low = digits.next() {
            bytes.append(try Self.value(high) << 4 | Self.value(low))
        }
        self = bytes
    }

    private static func value(_ digit: UInt8) throws -> UInt8 {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: throw VectorError("No hexadecimal digit: \(digit)")
        }
    }
}
