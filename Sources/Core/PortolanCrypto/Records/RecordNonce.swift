/// The nonce of a record: four zero bytes, then the record's number, big-endian.
struct RecordNonce {
    // Three words in network order: twelve bytes without padding and without a heap allocation per record.
    let words: (UInt32, UInt32, UInt32)

    init(words: (UInt32, UInt32, UInt32)) {
        self.words = words
    }

    init(record: UInt64) {
        words = (0, UInt32(record >> 32).bigEndian, UInt32(truncatingIfNeeded: record).bigEndian)
    }

    func withBytes<Result>(_ body: (UnsafePointer<UInt8>, Int) -> Result) -> Result {
        withUnsafeBytes(of: words) { bytes in
            bytes.withMemoryRebound(to: UInt8.self) { bytes in
                guard let start = bytes.baseAddress else { preconditionFailure("a tuple of words has an address") }
                return body(start, bytes.count)
            }
        }
    }
}
