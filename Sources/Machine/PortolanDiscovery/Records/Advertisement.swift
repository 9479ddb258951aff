/// Advertisement of a device on the network.
package struct Advertisement: Sendable {
    /// The service type of Portolan (RFC 6763 §7).
    package static let serviceType = "_portolan._tcp"

    /// The wanted instance name; another device with the same name makes it "name #2".
    package let name: String
    /// Host of the service, one label under `.local`, whose address records exist as long as the advertisement; nil for
    /// the machine's own name on the network.
    package let host: String?
    package let port: UInt16
    /// TXT pairs in their order on the wire; values are bytes and need no encoding.
    package let txt: [(key: String, value: [UInt8])]

    /// - Throws: ``DiscoveryError/unfitAdvertisement(_:)`` for values that RFC 6763 §4.1.1 and §6 forbid.
    package init(
        name: String, host: String? = nil, port: UInt16, txt: [(key: String, value: [UInt8])]
    ) throws(DiscoveryError) {
        guard (1...63).contains(name.utf8.count) else { throw .unfitAdvertisement("the name must have 1 to 63 bytes") }
        guard !name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw .unfitAdvertisement("the name has a control character")
        }
        if let host, !Self.isHostLabel(host) { throw .unfitAdvertisement("“\(host)” is no label of a host name") }
        guard port != 0 else { throw .unfitAdvertisement("port 0 cannot be connected to") }
        for (key, value) in txt {
            let isKey = !key.isEmpty && key.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "=") }
            guard isKey else { throw .unfitAdvertisement("“\(key)” is no TXT key") }
            guard key.utf8.count + 1 + value.count <= 255 else {
                throw .unfitAdvertisement("the TXT value of “\(key)” is longer than a string may be")
            }
        }
        let size = txt.reduce(0) { $0 + 2 + $1.key.utf8.count + $1.value.count }
        guard size <= TXTRecord.maximumBytes else { throw .unfitAdvertisement("its TXT record is too large") }
        self.name = name
        self.host = host
        self.port = port
        self.txt = txt
    }

    /// Complete name of ``host``.
    var hostName: String? { host.map { $0 + ".local" } }

    private static func isHostLabel(_ text: String) -> Bool {
        (1...63).contains(text.utf8.count) && !text.hasPrefix("-") && !text.hasSuffix("-")
            && text.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
            }
    }
}
