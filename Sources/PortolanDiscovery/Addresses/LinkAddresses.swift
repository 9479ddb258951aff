import Glibc

/// The addresses of this machine.
package enum LinkAddresses {
    /// Those to tell others, by link.
    ///
    /// - Parameter names: the only interfaces to look at; nil for all on which mDNS can be spoken.
    static func current(on names: [String]?) -> [UInt32: [IPAddress]] {
        var found: [UInt32: [IPAddress]] = [:]
        forEach { name, flags, ip in
            guard canMulticast(flags), names?.contains(name) != false, let interface = NetworkInterface(named: name)
            else { return }
            found[interface.index, default: []].append(ip)
        }
        return found.mapValues(publishable)
    }

    /// Every address of this machine, those of interfaces without mDNS too.
    package static func all() -> Set<IPAddress> {
        var found: Set<IPAddress> = []
        forEach { _, _, ip in found.insert(ip) }
        return found
    }

    /// Calls `body` with each address, and the name and the flags of its interface.
    private static func forEach(_ body: (String, UInt32, IPAddress) -> Void) {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return }
        defer { freeifaddrs(list) }
        for entry in sequence(first: list, next: { $0?.pointee.ifa_next }) {
            guard let entry, let address = entry.pointee.ifa_addr else { continue }
            let length =
                address.pointee.sa_family == AF_INET6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
            guard let ip = NetworkAddress(address, length: socklen_t(length))?.ip else { continue }
            body(String(cString: entry.pointee.ifa_name), entry.pointee.ifa_flags, ip)
        }
    }

    /// Link-local addresses only where a family has no others, and all in one order.
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
