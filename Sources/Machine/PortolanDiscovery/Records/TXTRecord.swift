/// The key/value pairs of a DNS-SD TXT record (RFC 6763 §6), values as raw bytes.
package enum TXTRecord {
    /// Longest record, in bytes (RFC 6763 §6.2): a longer one would not fit one packet, and ours are far shorter.
    package static let maximumBytes = 1300

    /// Parses the strings of a record: keys are lower-cased, the first of equal ones counts, strings without a key are
    /// skipped, a key without a value has an empty one.
    ///
    /// - Returns: nil if the record is larger than ``maximumBytes``, which no honest peer sends.
    package static func parse(_ strings: some Sequence<[UInt8]>) -> [String: [UInt8]]? {
        var pairs: [String: [UInt8]] = [:]
        var size = 0
        for string in strings {
            size += 1 + string.count
            guard size <= maximumBytes else { return nil }
            let key = string.prefix { $0 != UInt8(ascii: "=") }
            guard !key.isEmpty, key.allSatisfy({ (0x20...0x7E).contains($0) }) else { continue }
            let name = String(decoding: key, as: UTF8.self).lowercased()
            if pairs[name] == nil { pairs[name] = Array(string.dropFirst(key.count + 1)) }
        }
        return pairs
    }
}
