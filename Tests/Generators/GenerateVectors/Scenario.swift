import Foundation

/// File of Protocol/vectors.
struct Scenario {
    let name: String
    let content: [String: Any]

    init(_ name: String, kind: String, _ comment: String, _ content: [String: Any]) {
        self.name = name
        self.content = content.merging(["kind": kind, "comment": comment]) { _, _ in fatalError("A key twice") }
    }

    func write(into folder: URL) throws {
        var json = try JSONSerialization.data(
            withJSONObject: content, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
        json.append(UInt8(ascii: "\n"))
        try json.write(to: folder.appending(path: name + ".json"))
    }
}

func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
}

extension [String: Any] {
    /// Adds a key if the value is not nil.
    func with(_ key: String, _ value: Any?) -> [String: Any] {
        guard let value else { return self }
        return merging([key: value]) { _, new in new }
    }
}

/// A message of the handshake with its length before it.
func framed(_ message: [UInt8]) -> [UInt8] { [UInt8(message.count >> 8), UInt8(message.count & 255)] + message }

/// 32 bytes that are easy to recognise in a dump, and different for each label.
func fixedBytes(_ label: UInt8) -> [UInt8] {
    (0..<32).map { label &+ $0 }
}

/// The protobuf wire format by hand, for messages that the library would never write.
enum Proto {
    static func varint(_ value: UInt64) -> [UInt8] {
        var value = value
        var bytes: [UInt8] = []
        while value >= 0x80 {
            bytes.append(UInt8(value & 0x7F) | 0x80)
            value >>= 7
        }
        return bytes + [UInt8(value)]
    }

    static func field(_ number: UInt64, _ value: UInt64) -> [UInt8] { varint(number << 3) + varint(value) }

    static func field(_ number: UInt64, _ bytes: some Collection<UInt8>) -> [UInt8] {
        varint(number << 3 | 2) + varint(UInt64(bytes.count)) + bytes
    }

    static func fixed(_ number: UInt64, _ value: UInt64) -> [UInt8] {
        varint(number << 3 | 1) + withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    static func field(_ number: UInt64, _ text: String) -> [UInt8] { field(number, Array(text.utf8)) }
}
