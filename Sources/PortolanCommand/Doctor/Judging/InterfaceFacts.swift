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

    /// How a question of ours to 224.0.0.251:5353 went.
    enum Multicast: Sendable, Hashable {
        /// It came back, and so many others answered it or said something meanwhile.
        case returned(others: Int)
        case silent
        /// It could not be sent, and why.
        case failed(String)
        /// Not sent, and why.
        case notTried(String)
    }

    var name: String
    var kind = Kind.ordinary
    var isUp = true
    /// Whether a cable or a radio is there.
    var hasCarrier = true
    var canMulticast = true
    var addresses: [String] = []
    var multicast = Multicast.notTried("not looked at")

    /// Whether others can be reached by it: it is up and has an address.
    var isUsable: Bool { isUp && hasCarrier && !addresses.isEmpty && kind != .loopback }
}
