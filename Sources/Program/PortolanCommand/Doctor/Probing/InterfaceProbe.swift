import Glibc

/// Looks at the interfaces of this machine. May block.
enum InterfaceProbe {
    /// Returns nil where the kernel does not tell them.
    ///
    /// - Parameter names: interfaces to probe; nil for all.
    static func facts(on names: [String]?) -> [InterfaceFacts]? {
        var found: [String: InterfaceFacts] = [:]
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        for entry in sequence(first: list, next: { $0?.pointee.ifa_next }) {
            guard let entry else { continue }
            let name = String(cString: entry.pointee.ifa_name)
            guard names?.contains(name) != false else { continue }
            var facts = found[name] ?? new(name, flags: entry.pointee.ifa_flags)
            if let address = entry.pointee.ifa_addr, let text = text(of: address) { facts.addresses.append(text) }
            found[name] = facts
        }
        return found.values.sorted { $0.name < $1.name }
    }

    private static func new(_ name: String, flags: UInt32) -> InterfaceFacts {
        func has(_ flag: Int) -> Bool { flags & UInt32(flag) != 0 }
        var facts = InterfaceFacts(name: name)
        facts.isUp = has(IFF_UP)
        facts.hasCarrier = has(IFF_RUNNING)
        facts.canMulticast = has(IFF_MULTICAST) && !has(IFF_POINTOPOINT)
        let folder = "/sys/class/net/\(name)/"
        if has(IFF_LOOPBACK) {
            facts.kind = .loopback
        } else if has(IFF_POINTOPOINT) || access(folder + "tun_flags", F_OK) == 0 {
            facts.kind = .tunnel
        } else if access(folder + "bridge", F_OK) == 0 || name.hasPrefix("docker") || name.hasPrefix("virbr") {
            facts.kind = .bridge
        }
        return facts
    }

    private static func text(of address: UnsafeMutablePointer<sockaddr>) -> String? {
        let family = Int32(address.pointee.sa_family)
        guard family == AF_INET || family == AF_INET6 else { return nil }
        let length = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
        var buffer = [CChar](repeating: 0, count: 64)
        guard getnameinfo(address, socklen_t(length), &buffer, 64, nil, 0, NI_NUMERICHOST) == 0 else { return nil }
        return buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
    }
}
