import Glibc

/// Addresses of this machine.
package enum LinkAddresses {
    /// Returns the addresses to announce, by link.
    ///
    /// - Parameter names: the interfaces to include; nil for all that can multicast.
    static func current(on names: [String]?) -> [UInt32: [IPAddress]] {
        var found: [UInt32: [IPAddress]] = [:]
        forEach { address in
            let name = address.interface
            guard canMulticast(address.flags), names?.contains(name) != false,
                let interface = NetworkInterface(named: name)
            else { return }
            found[interface.index, default: []].append(address.ip)
        }
        return found.mapValues(publishable)
    }

    /// Returns every address of this machine, including those of interfaces without mDNS.
    package static func all() -> Set<IPAddress> {
        var found: Set<IPAddress> = []
        forEach { found.insert($0.ip) }
        return found
    }

    /// True if no interface that is up has an address other than loopback ones; false where they cannot be read.
    package static var areOwnAlone: Bool {
        var leaves = false
        let areRead = forEach { if $0.flags & UInt32(IFF_UP) != 0, !$0.ip.isLoopback { leaves = true } }
        return areRead && !leaves
    }

    /// Address of an interface.
    struct Entry {
        let interface: String
        /// Flags of the interface.
        let flags: UInt32
        let ip: IPAddress
        /// Networks on the link by this address: its own, and the other end of a point-to-point link.
        let prefixes: [LinkPrefixes.Prefix]
    }

    /// Calls `body` with each address. Returns false where the kernel does not tell them.
    @discardableResult
    static func forEach(_ body: (Entry) -> Void) -> Bool {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return false }
        defer { freeifaddrs(list) }
        for entry in sequence(first: list, next: { $0?.pointee.ifa_next }) {
            guard let entry, let address = entry.pointee.ifa_addr else { continue }
            guard let ip = Self.ip(address) else { continue }
            let flags = entry.pointee.ifa_flags
            var prefixes: [LinkPrefixes.Prefix] = []
            if let mask = entry.pointee.ifa_netmask.flatMap({ Self.ip($0, like: ip) }) {
                prefixes.append(.init(ip, length: mask.bytes.reduce(0) { $0 + $1.nonzeroBitCount }))
            }
            if flags & UInt32(IFF_POINTOPOINT) != 0,
                let end = entry.pointee.ifa_ifu.ifu_dstaddr.flatMap({ Self.ip($0) })
            {
                prefixes.append(.init(end, length: end.isV6 ? 128 : 32))
            }
            body(
                Entry(interface: String(cString: entry.pointee.ifa_name), flags: flags, ip: ip, prefixes: prefixes))
        }
        return true
    }

    /// - Parameter other: address with the family, which the kernel sometimes omits in a netmask.
    private static func ip(_ address: UnsafeMutablePointer<sockaddr>, like other: IPAddress? = nil) -> IPAddress? {
        let isV6 = other?.isV6 ?? (address.pointee.sa_family == AF_INET6)
        let length = isV6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
        return NetworkAddress(address, length: socklen_t(length))?.ip
    }

    /// Returns the addresses in a stable order; link-local ones only for a family without others.
    static func publishable(_ addresses: [IPAddress]) -> [IPAddress] {
        let families = [addresses.filter { !$0.isV6 }, addresses.filter(\.isV6)]
        return families.flatMap { family in
            let others = family.filter { !$0.isLinkLocal }
            return (others.isEmpty ? family : others).sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        }
    }

    private static func canMulticast(_ flags: UInt32) -> Bool {
        func has(_ flag: Int) -> Bool { flags & UInt32(flag) != 0 }
        return has(IFF_UP) && (has(IFF_MULTICAST) || has(IFF_LOOPBACK))
            && !has(IFF_POINTOPOINT)
    }
}
