/// An mDNS message (RFC 6762, RFC 1035), malformed if a test needs that.
public struct MulticastMessage: Sendable {
    /// Answer of a message.
    public struct Record: Sendable {
        let name: [String]
        let type: UInt16
        var flags: UInt16 = 0x8001
        let lifetime: UInt32
        let data: [UInt8]

        /// Makes the pointer record of an instance of the service.
        public static func pointer(to instance: String, lifetime: UInt32 = 4500) -> Record {
            Record(
                name: serviceType, type: 12, flags: 1, lifetime: lifetime, data: encoded([instance] + serviceType))
        }

        /// Makes the service record of an instance.
        public static func service(
            _ instance: String, host: String, port: UInt16, lifetime: UInt32 = 120
        ) -> Record {
            let data = encoded([0, 0, port]) + encoded([host, "local"])
            return Record(name: [instance] + serviceType, type: 33, lifetime: lifetime, data: data)
        }

        /// - Parameter strings: at most 255 bytes each.
        public static func text(_ instance: String, _ strings: [[UInt8]], lifetime: UInt32 = 4500) -> Record {
            let data: [UInt8] = strings.isEmpty ? [0] : strings.flatMap { [UInt8($0.count)] + $0 }
            return Record(name: [instance] + serviceType, type: 16, lifetime: lifetime, data: data)
        }

        /// - Parameter address: four numbers with dots between.
        public static func address(of host: String, _ address: String, lifetime: UInt32 = 120) -> Record {
            let bytes = address.split(separator: ".").compactMap { UInt8($0) }
            precondition(bytes.count == 4, "an IPv4 address has four numbers")
            return Record(name: [host, "local"], type: 1, lifetime: lifetime, data: bytes)
        }

        var bytes: [UInt8] {
            let numbers = [type, flags, UInt16(lifetime >> 16), UInt16(lifetime & 0xFFFF), UInt16(data.count)]
            return encoded(name) + encoded(numbers) + data
        }
    }

    public let bytes: [UInt8]

    /// Makes an unsolicited answer.
    public init(answers: [Record]) {
        bytes = encoded([0, 0x8400, 0, UInt16(answers.count), 0, 0]) + answers.flatMap { $0.bytes }
    }

    /// Makes a question for the instances of the service.
    public init(questionWithIdentifier identifier: UInt16) {
        bytes = encoded([identifier, 0, 1, 0, 0, 0]) + encoded(serviceType) + encoded([12, 1])
    }

    /// Makes a message of any bytes.
    public init(raw bytes: [UInt8]) { self.bytes = bytes }

    /// Makes the records of a service: pointer, service and text.
    public static func announcing(
        _ instance: String, at address: String, port: UInt16 = 47217, text: [[UInt8]] = [Array("txtvers=1".utf8)],
        lifetime: UInt32 = 4500
    ) -> MulticastMessage {
        let host = "host-of-" + instance
        return MulticastMessage(answers: [
            .pointer(to: instance, lifetime: lifetime),
            .service(instance, host: host, port: port, lifetime: lifetime),
            .text(instance, text, lifetime: lifetime), .address(of: host, address, lifetime: lifetime),
        ])
    }
}

private let serviceType = ["_portolan", "_tcp", "local"]

/// Encodes a name without compression.
private func encoded(_ labels: [String]) -> [UInt8] {
    labels.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
}

private func encoded(_ numbers: [UInt16]) -> [UInt8] {
    numbers.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
}
