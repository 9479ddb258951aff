import PortolanDiscovery

/// A resource record on the network.
struct MulticastRecord: Hashable {
    enum Data: Hashable {
        /// PTR
        case pointer(String)
        /// SRV
        case service(host: String, port: UInt16)
        /// A and AAAA
        case address(IPAddress)
        case other(type: UInt16, [UInt8])
    }

    /// The owner's name, in lower case, without the last dot.
    let name: String
    let data: Data

    /// The records in the answers of an mDNS message inside an Ethernet frame; none if it is something else.
    static func all(in frame: [UInt8]) -> [MulticastRecord] {
        guard let message = payload(of: frame) else { return [] }
        var reader = Reader(bytes: message)
        return (try? reader.records()) ?? []
    }

    /// Payload of a UDP packet to mDNS's port, 5353.
    private static func payload(of frame: [UInt8]) -> [UInt8]? {
        guard frame.count > 62 else { return nil }
        let header: Int
        switch (frame[12], frame[13]) {
        case (0x08, 0x00): header = 14 + Int(frame[14] & 0xF) * 4
        case (0x86, 0xDD): header = 14 + 40
        default: return nil
        }
        guard frame.count > header + 8, frame[header + 2..<header + 4].elementsEqual([0x14, 0xE9])
        else { return nil }
        return Array(frame[(header + 8)...])
    }

    private struct EndOfMessage: Error {}

    private struct Reader {
        let bytes: [UInt8]
        var place = 0

        mutating func records() throws -> [MulticastRecord] {
            _ = try take(4)
            let questions = try number()
            let answers = try number() + number() + number()
            for _ in 0..<questions {
                _ = try name()
                _ = try take(4)
            }
            return try (0..<answers).map { _ in
                let owner = try name()
                let type = UInt16(try number())
                _ = try take(6)
                let end = try number() + place
                defer { place = end }
                switch type {
                case 12: return MulticastRecord(name: owner, data: .pointer(try name()))
                case 33:
                    _ = try take(4)
                    let port = UInt16(try number())
                    return MulticastRecord(name: owner, data: .service(host: try name(), port: port))
                default:
                    let data = try take(end - place)
                    if type == 1 || type == 28, let ip = IPAddress(bytes: data) {
                        return MulticastRecord(name: owner, data: .address(ip))
                    }
                    return MulticastRecord(name: owner, data: .other(type: type, data))
                }
            }
        }

        private mutating func take(_ count: Int) throws -> [UInt8] {
            guard count >= 0, place + count <= bytes.count else { throw EndOfMessage() }
            defer { place += count }
            return Array(bytes[place..<place + count])
        }

        private mutating func number() throws -> Int { try take(2).reduce(0) { $0 << 8 | Int($1) } }

        /// Reads a name, with its compression pointers (RFC 1035 §4.1.4).
        private mutating func name() throws -> String {
            var labels: [String] = []
            var end: Int?
            while labels.count < 128 {
                let length = Int(try take(1)[0])
                if length == 0 { break }
                if length & 0xC0 == 0xC0 {
                    let target = (length & 0x3F) << 8 | Int(try take(1)[0])
                    end = end ?? place
                    guard target < place - 2 else { throw EndOfMessage() }
                    place = target
                } else {
                    labels.append(String(decoding: try take(length), as: UTF8.self).lowercased())
                }
            }
            place = end ?? place
            return labels.joined(separator: ".")
        }
    }
}

extension MulticastRecord {
    /// The keys of a TXT record in their order; nil for another record.
    var textKeys: [String]? {
        guard case .other(16, let bytes) = data else { return nil }
        var keys: [String] = []
        var rest = bytes[...]
        while let length = rest.popFirst() {
            keys.append(String(decoding: rest.prefix(Int(length)).prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self))
            rest = rest.dropFirst(Int(length))
        }
        return keys
    }
}
