/// What a device tells the network about itself.
package struct Advertisement: Sendable {
    /// The service type of Portolan (RFC 6763 §7).
    package static let serviceType = "_portolan._tcp"

    /// The wanted instance name; another device with the same name makes it "name #2".
    package let name: String
    package let port: UInt16
    /// In this order on the wire; values are bytes and need no encoding.
    package let txt: [(key: String, value: [UInt8])]

    /// - Throws: ``DiscoveryError/unfitAdvertisement(_:)`` for what RFC 6763 §4.1.1 and §6 forbid.
    package init(name: String, port: UInt16, txt: [(key: String, value: [UInt8])]) throws(DiscoveryError) {
        guard (1...63).contains(name.utf8.count) else { throw .unfitAdvertisement("the name must have 1 to 63 bytes") }
        guard !name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw .unfitAdvertisement("the name has a control character")
        }
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
        self.port = port
        self.txt = txt
    }
}

/// An advertisement on the air. It stays until withdrawn or until its ``Discovery`` is shut down, not until the handle is gone.
package struct AdvertisementHandle: Sendable {
    /// Each name under which the network has accepted the device: the wanted one, and another after each collision.
    /// Can be read once.
    package let names: AsyncStream<String>
    private let withdrawal: @Sendable () async -> Void

    package init(names: AsyncStream<String>, withdraw: @escaping @Sendable () async -> Void) {
        self.names = names
        withdrawal = withdraw
    }

    /// Takes the device off the network; others are told so. Does nothing the second time.
    package func withdraw() async { await withdrawal() }
}
