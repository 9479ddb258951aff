/// An interface as the kernel shows it, and how it carried a multicast message.
struct InterfaceFacts: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case ordinary
        case loopback
        /// Of containers or virtual machines on this machine.
        case bridge
        /// Of a VPN.
        case tunnel
    }

    /// Outcome of a query of this device to 224.0.0.251:5353.
    enum Multicast: Sendable, Hashable {
        /// The query was received back, and this number of other hosts answered or sent packets meanwhile.
        case returned(others: Int)
        case silent
        /// The query was not sent because of an error.
        case failed(String)
        /// The query was not tried, with the reason.
        case notTried(String)
    }

    var name: String
    var kind = Kind.ordinary
    var isUp = true
    /// True if a cable or a radio link is connected.
    var hasCarrier = true
    var canMulticast = true
    var addresses: [String] = []
    var multicast = Multicast.notTried("not looked at")

    /// True if other hosts can be reached through the interface: it is up and has an address.
    var isUsable: Bool { isUp && hasCarrier && !addresses.isEmpty && kind != .loopback }
}
