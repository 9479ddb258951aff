import Foundation
import PortolanProtocol
import PortolanTrust
import Testing

/// A JSON object of a vector that is read to its last key: what nobody asked for is an error, so that no vector says
/// something which the tests pass over.
final class VectorObject {
    private var values: [String: Any]
    let path: String

    init(_ values: [String: Any], path: String) {
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

    func has(_ key: String) -> Bool { values[key] != nil }

    private func take<Value>(_ key: String, as type: Value.Type) throws -> Value {
        guard let value = try take(key) as? Value else { throw VectorError("\(path): \(key) is no \(type)") }
        return value
    }

    func text(_ key: String) throws -> String { try take(key, as: String.self) }
    func texts(_ key: String) throws -> [String] { try take(key, as: [String].self) }
    func number(_ key: String) throws -> Int { try take(key, as: Int.self) }
    func numbers(_ key: String) throws -> [Int] { try take(key, as: [Int].self) }
    func flag(_ key: String) throws -> Bool { try take(key, as: Bool.self) }
    func bytes(_ key: String) throws -> [UInt8] { try [UInt8](hex: text(key)) }
    func list(_ key: String) throws -> [Any] { try take(key, as: [Any].self) }

    /// 64 bits, which JSON's numbers cannot all say: a decimal string.
    func long(_ key: String) throws -> UInt64 {
        guard let number = UInt64(try text(key)) else { throw VectorError("\(path): \(key) is no number") }
        return number
    }

    func object(_ key: String) throws -> VectorObject {
        VectorObject(try take(key, as: [String: Any].self), path: "\(path).\(key)")
    }

    func objects(_ key: String) throws -> [VectorObject] {
        try take(key, as: [[String: Any]].self).enumerated().map {
            VectorObject($0.element, path: "\(path).\(key)[\($0.offset)]")
        }
    }

    func optional(_ key: String) throws -> VectorObject? { has(key) ? try object(key) : nil }
    func optionalText(_ key: String) throws -> String? { has(key) ? try text(key) : nil }
    func optionalLong(_ key: String) throws -> UInt64? { has(key) ? try long(key) : nil }

    /// One of the names that the specification's tables give, written with underscores.
    func name<Value: RawRepresentable<String> & CaseIterable>(_ key: String, _ type: Value.Type) throws -> Value {
        let name = try text(key)
        guard let value = Value.allCases.first(where: { snake($0.rawValue) == name }) else {
            throw VectorError("\(path): \(key) is \(name), which is no \(type)")
        }
        return value
    }

    /// Leaves the rest unread, for a test that wants only a part.
    func leaveRest() { values = [:] }
}

func snake(_ name: String) -> String {
    name.reduce(into: "") { text, character in
        text += character.isUppercase ? "_" + character.lowercased() : character == "-" ? "_" : String(character)
    }
}

enum VectorFile {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Protocol/vectors", directoryHint: .isDirectory).standardizedFileURL

    static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
            .filter { $0.hasSuffix(".json") }.sorted()
    }

    static func kind(of name: String) throws -> String {
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

    /// Every vector of a kind, its kind and comment already read.
    static func all(ofKind kind: String) throws -> [VectorObject] {
        try names().compactMap { name in
            let content = try read(name)
            guard content["kind"] as? String == kind else { return nil }
            let object = VectorObject(content, path: name)
            _ = try (object.text("kind"), object.text("comment"))
            return object
        }
    }
}
