/// End and Receipt with the most bytes of omissions' paths, and with one more; assembled by hand.
func omissionScenarios() -> [Scenario] {
    /// Eight paths of the greatest length, and one more that makes up the total.
    let lengths = { (last: Int) in [Int](repeating: 4095, count: 8) + [last] }
    func omission(_ field: UInt64, _ length: Int) -> (head: [UInt8], tail: [UInt8]) {
        let tail = Proto.field(2, 1)
        let path = Proto.field(1, [UInt8](repeating: 0x61, count: length))
        let whole = Proto.field(field, path + tail)
        return (Array(whole.prefix(whole.count - length - tail.count)), tail)
    }
    /// A message around omissions, as parts.
    func bytes(_ message: UInt64, before: [UInt8], field: UInt64, _ last: Int) -> [Any] {
        let omissions = lengths(last).flatMap { length -> [Any] in
            let (head, tail) = omission(field, length)
            return [hex(head), Repetition(of: [0x61], length).json, hex(tail)]
        }
        let count =
            before.count
            + lengths(last).reduce(0) { sum, length in
                let (head, tail) = omission(field, length)
                return sum + head.count + length + tail.count
            }
        let head = Proto.varint(message << 3 | 2) + Proto.varint(UInt64(count)) + before
        return [hex(head)] + omissions
    }
    func meaning(_ last: Int) -> [[String: Any]] {
        lengths(last).map { ["path": [Repetition(of: [0x61], $0).json], "reason": "special_file"] }
    }
    let end = Proto.field(1, 2) + Proto.field(2, 4) + Proto.field(3, 5)
    func endBytes(_ last: Int) -> [Any] { bytes(7, before: end, field: 5, last) }
    // The fields of the Receipt, then those of the stored item, precede the omissions.
    func receiptBytes(_ last: Int) -> [Any] {
        let stored = Proto.field(1, "Photos") + Proto.field(2, 5) + Proto.field(3, 4)
        let parts = bytes(3, before: stored, field: 4, last)
        let length = Repetition.count(parts)
        let receipt = Proto.field(1, 7) + Proto.field(2, 1)
        return [hex(Proto.varint(9 << 3 | 2) + Proto.varint(UInt64(receipt.count + length)) + receipt)] + parts
    }
    func refused(_ name: String, _ bytes: [Any], _ comment: String) -> Scenario {
        Scenario("message-refused-" + name, kind: "message", comment, ["bytes": bytes, "refused": "limit"])
    }
    return [
        Scenario(
            "message-end-32768-bytes-of-paths", kind: "message", "Omissions whose paths have 32,768 bytes together.",
            [
                "bytes": endBytes(8),
                "meaning": [
                    "end": [
                        "transfer": 2, "entries": 4, "bytes": "5", "omissions": meaning(8),
                    ] as [String: Any]
                ],
            ]),
        refused("end-32769-bytes-of-paths", endBytes(9), "One byte more."),
        Scenario(
            "message-receipt-32768-bytes-of-paths", kind: "message", "The same in a Receipt.",
            [
                "bytes": receiptBytes(8),
                "meaning": [
                    "receipt": [
                        "offer": "7", "item": 1,
                        "stored": [
                            "name": hex(Array("Photos".utf8)), "bytes": "5", "entries": 4, "omissions": meaning(8),
                        ] as [String: Any],
                    ] as [String: Any]
                ],
            ]),
        refused("receipt-32769-bytes-of-paths", receiptBytes(9), "One byte more."),
    ]
}

/// Repeated bytes of a vector in short form.
struct Repetition {
    let json: [String: Any]

    init(of bytes: [UInt8], _ count: Int) { json = ["repeat": count, "bytes": hex(bytes)] }

    /// Number of bytes of parts.
    static func count(_ parts: [Any]) -> Int {
        parts.reduce(0) { sum, part in
            if let text = part as? String { return sum + text.utf8.count / 2 }
            guard let repetition = part as? [String: Any], let count = repetition["repeat"] as? Int,
                let text = repetition["bytes"] as? String
            else { fatalError("No part") }
            return sum + count * text.utf8.count / 2
        }
    }
}
