import Glibc

/// A network interface of this machine.
public struct NetworkInterface: Hashable, Sendable {
    /// The kernel's index of the interface, never 0.
    public let index: UInt32
    /// Name of the interface, such as `eth0`.
    public let name: String

    package init(index: UInt32, name: String) {
        self.index = index
        self.name = name
    }

    /// Makes the interface of a name, if this machine has one now.
    package init?(named name: String) {
        let index = if_nametoindex(name)
        guard index != 0 else { return nil }
        self.init(index: index, name: name)
    }

    /// Makes the interface of an index; one that was removed meanwhile is named after its index.
    package init(index: UInt32) {
        var buffer = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        let name = if_indextoname(index, &buffer).map { String(cString: $0) }
        self.init(index: index, name: name ?? "\(index)")
    }

    /// True if packets to the interface never leave the machine. Linux calls this interface `lo` everywhere.
    package var isLoopback: Bool { name == "lo" }
}

/// Address of a peer: IP address, port, and the interface on which it was learnt.
///
/// Written `192.0.2.7:47217`, `[2001:db8::7]:47217` or `[fe80::1%eth0]:47217`. Two values are equal when they were also
/// learnt on the same interface; ``destination`` tells whether they lead to the same place.
public struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
    public let ip: IPAddress
    public let port: UInt16
    /// Link on which the address was learnt; nil for one given by hand. A link-local IPv6 address is invalid without
    /// it.
    public let interface: NetworkInterface?

    package init(ip: IPAddress, port: UInt16, interface: NetworkInterface? = nil) {
        self.ip = ip
        self.port = port
        self.interface = interface
    }

    public var description: String {
        guard ip.isV6 else { return "\(ip):\(port)" }
        let zone = needsScope ? interface.map { "%\($0.name)" } ?? "" : ""
        return "[\(ip)\(zone)]:\(port)"
    }

    /// The scope for connecting: the interface of a link-local IPv6 address, 0 for every other (RFC 4007 §11.1).
    package var scopeID: UInt32 { needsScope ? interface?.index ?? 0 : 0 }

    /// Destination of a connection, without the interface on which the address was learnt.
    package var destination: Destination { Destination(ip: ip, port: port, scopeID: scopeID) }

    package struct Destination: Hashable, Sendable {
        package let ip: IPAddress
        package let port: UInt16
        package let scopeID: UInt32
    }

    private var needsScope: Bool { ip.isV6 && ip.isLinkLocal }
}

extension NetworkAddress {
    /// Passes the address to `body` in the form of the socket calls.
    package func withSocketAddress<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Result
    ) rethrows -> Result {
        switch ip {
        case .v4(let bits):
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = bits.bigEndian
            return try NetworkAddress.lend(&address, to: body)
        case .v6:
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_scope_id = scopeID
            withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: ip.bytes) }
            return try NetworkAddress.lend(&address, to: body)
        }
    }

    /// Reads an address from `getaddrinfo`, `accept` and similar calls; nil for families other than IPv4 and IPv6.
    package init?(_ address: UnsafePointer<sockaddr>, length: socklen_t) {
        let raw = UnsafeRawBufferPointer(start: address, count: Int(length))
        switch Int32(address.pointee.sa_family) {
        case AF_INET where raw.count >= MemoryLayout<sockaddr_in>.size:
            let v4 = raw.loadUnaligned(as: sockaddr_in.self)
            self.init(ip: .v4(UInt32(bigEndian: v4.sin_addr.s_addr)), port: UInt16(bigEndian: v4.sin_port))
        case AF_INET6 where raw.count >= MemoryLayout<sockaddr_in6>.size:
            let v6 = raw.loadUnaligned(as: sockaddr_in6.self)
            guard let ip = IPAddress(bytes: withUnsafeBytes(of: v6.sin6_addr) { Array($0) }) else { return nil }
            let interface = v6.sin6_scope_id == 0 ? nil : NetworkInterface(index: v6.sin6_scope_id)
            self.init(ip: ip, port: UInt16(bigEndian: v6.sin6_port), interface: interface)
        default: return nil
        }
    }

    private static func lend<Address, Result>(
        _ address: inout Address, to body: (UnsafePointer<sockaddr>, socklen_t) throws -> Result
    ) rethrows -> Result {
        try withUnsafePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                try body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}
