@testable import PortolanCrypto

extension RecordSuite {
    static let secret = SecretBytes(copying: 0..<32)
}

extension RecordSealer {
    /// A whole record for a payload.
    mutating func record(_ type: UInt8, _ payload: [UInt8]) -> [UInt8] {
        var record = [UInt8](repeating: 0xAA, count: Self.headerLength + payload.count + Self.tagLength)
        record.replaceSubrange(Self.headerLength..<Self.headerLength + payload.count, with: payload)
        record.withUnsafeMutableBytes { seal(type: type, $0) }
        return record
    }
}

extension RecordOpener {
    /// Takes a record as a framer would hand it over: the header as a number, the rest as the body.
    mutating func payload(_ record: [UInt8]) throws(RecordError) -> (type: UInt8, payload: [UInt8]) {
        guard record.count >= Self.headerLength else { throw .truncated }
        let header = record.prefix(Self.headerLength).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        var body = Array(record.dropFirst(Self.headerLength))
        var span = body.mutableSpan
        var bytes = span.mutableBytes
        try open(header: header, &bytes)
        return (UInt8(header >> 24), body.dropLast(Self.tagLength))
    }
}
