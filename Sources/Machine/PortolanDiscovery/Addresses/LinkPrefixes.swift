import Glibc

/// Addresses of this machine, and those that it reaches on each of its links without a router.
package struct LinkPrefixes: Hashable, Sendable {
    /// Network on a link.
    package struct Prefix: Hashable, Sendable {
        let network: IPAddress
        let length: Int

        /// - Parameter length: number of common leading bits: 0 to 32, or to 128 for IPv6.
        package init(_ network: IPAddress, length: Int) {
            precondition((0...(network.isV6 ? 128 : 32)).contains(length), "a prefix is no longer than its address")
            self.network = network
            self.length = length
        }

        /// True if a machine can have this address: not the network itself, nor its broadcast address.
        func holdsMachine(_ ip: IPAddress) -> Bool {
            switch (network, ip) {
            case (.v4(let network), .v4(let bits)):
                let hosts = UInt32.max &>> UInt32(length)
                guard length > 0 else { return true }
                if length == 32 { return network == bits }
                guard (network ^ bits) & ~hosts == 0 else { return false }
                return length == 31 || (bits & hosts != 0 && bits & hosts != hosts)
            case (.v6(let high, let low), .v6(let otherHigh, let otherLow)):
                let highMask = length >= 64 ? UInt64.max : ~(UInt64.max >> UInt64(length))
                let lowMask = length <= 64 ? 0 : ~(length == 128 ? 0 : UInt64.max >> UInt64(length - 64))
                return (high ^ otherHigh) & highMask == 0 && (low ^ otherLow) & lowMask == 0
            default: return false
            }
        }
    }

    /// Networks by the index of the interface; empty for one without addresses.
    private let prefixes: [UInt32: [Prefix]]
    private let loopbacks: Set<UInt32>
    /// Every address of this machine.
    package let own: Set<IPAddress>

    /// - Parameter loopbacks: loopback interfaces.
    package init(_ prefixes: [UInt32: [Prefix]], loopbacks: Set<UInt32>, own: Set<IPAddress>) {
        self.prefixes = prefixes
        self.loopbacks = loopbacks
        self.own = own
    }

    /// True if an address that was heard on a link can be reached there without a router.
    ///
    /// On the loopback interface these are this machine's addresses. On others these are link-local IPv6 addresses, and
    /// those in the network of an address that this machine has there.
    package func reaches(_ ip: IPAddress, on link: UInt32) -> Bool {
        if loopbacks.contains(link) { return ip.isLoopback || own.contains(ip) }
        guard let networks = prefixes[link], !ip.isLoopback else { return false }
        if ip.isV6, ip.isLinkLocal { return true }
        return networks.contains { $0.holdsMachine(ip) }
    }
}

extension LinkPrefixes {
    /// Reads the networks from the system.
    package static func current() -> LinkPrefixes {
        var prefixes: [UInt32: [Prefix]] = [:]
        var loopbacks: Set<UInt32> = []
        var own: Set<IPAddress> = []
        LinkAddresses.forEach { address in
            own.insert(address.ip)
            guard let link = NetworkInterface(named: address.interface)?.index else { return }
            if address.flags & UInt32(IFF_LOOPBACK) != 0 { loopbacks.insert(link) }
            prefixes[link, default: []].append(contentsOf: address.prefixes)
        }
        for (name, prefix) in routes() {
            guard let link = NetworkInterface(named: name)?.index else { continue }
            prefixes[link, default: []].append(prefix)
        }
        return LinkPrefixes(prefixes, loopbacks: loopbacks, own: own)
    }

    /// Reads the IPv6 networks that a router has announced as on the link. An address from DHCPv6 comes without its
    /// network.
    private static func routes() -> [(interface: String, Prefix)] {
        guard let file = fopen("/proc/thread-self/net/ipv6_route", "re") else { return [] }
        defer { fclose(file) }
        var found: [(String, Prefix)] = []
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, CInt(line.count), file) != nil {
            let text = line.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
            if let route = route(in: text) { found.append(route) }
        }
        return found
    }

    /// Returns the network on a link in a line of the kernel's IPv6 routing table; nil for a route through a router,
    /// one to this machine itself, and a network larger than one link's.
    static func route(in line: String) -> (interface: String, Prefix)? {
        let fields = line.split(whereSeparator: \.isWhitespace)
        guard fields.count == 10, let length = Int(fields[1], radix: 16), (64...127).contains(length),
            fields[4].allSatisfy({ $0 == "0" }), let flags = UInt32(fields[8], radix: 16),
            flags & routeIsUp != 0, flags & routeLeadsElsewhere == 0, fields[0].count == 32,
            let high = UInt64(fields[0].prefix(16), radix: 16), let low = UInt64(fields[0].suffix(16), radix: 16)
        else { return nil }
        let network = IPAddress.v6(high, low)
        guard !network.isMulticast, !network.isLinkLocal else { return nil }
        return (String(fields[9]), Prefix(network, length: length))
    }

    // Flags of linux/route.h and linux/ipv6_route.h: RTF_UP; RTF_GATEWAY, RTF_REJECT, RTF_ANYCAST and RTF_LOCAL.
    private static let routeIsUp: UInt32 = 0x1
    private static let routeLeadsElsewhere: UInt32 = 0x2 | 0x200 | 0x0010_0000 | 0x8000_0000
}
