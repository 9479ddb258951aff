import CAvahi
import Glibc

/// Publishes the machine's addresses under the embedded stack's host name, and keeps them right when they change.
///
/// libavahi-core could do this itself, but only together with the reverse records (7.2.0.192.in-addr.arpa), of which there
/// can be one an address: the second process on a machine would fight the first, or the daemon, for it.
final class HostRecords {
    private let library: PortolanAvahiCore
    private let server: OpaquePointer
    private let loop: AvahiLoop
    private let interfaces: [String]?
    private var groups: [UInt32: Group] = [:]
    private var changes: ChangeWatch?
    private var refreshTimer: Int?

    /// One link's records, taken back together.
    private struct Group {
        let addresses: [IPAddress]
        let handle: AvahiHandle<GroupEvent>
    }

    /// Changes come in bursts: link up, address, the same for IPv6.
    private static let pause = Duration.milliseconds(100)

    init(library: PortolanAvahiCore, server: OpaquePointer, loop: AvahiLoop, interfaces: [String]?) {
        self.library = library
        self.server = server
        self.loop = loop
        self.interfaces = interfaces
        changes = ChangeWatch(loop: loop) { [weak self] in self?.refreshSoon() }
        refresh()
    }

    func close() {
        changes = nil
        loop.cancel(refreshTimer)
        for group in groups.values { group.handle.free() }
        groups = [:]
    }

    private func refreshSoon() {
        guard refreshTimer == nil else { return }
        refreshTimer = loop.after(Self.pause) { [weak self] in
            self?.refreshTimer = nil
            self?.refresh()
        }
    }

    private func refresh() {
        let present = LinkAddresses.current(on: interfaces)
        for (link, group) in groups where group.addresses != present[link] {
            group.handle.free()
            groups[link] = nil
        }
        for (link, addresses) in present where groups[link] == nil {
            groups[link] = publish(addresses, on: link)
        }
    }

    /// nil only if memory runs out. A link that Avahi has not heard of yet is announced on when it has.
    private func publish(_ addresses: [IPAddress], on link: UInt32) -> Group? {
        let handle = try? AvahiHandle<GroupEvent>(
            onEvent: { _ in }, release: { [library] in library.entry_group_free($0) }, failure: .failure
        ) {
            library.entry_group_new(
                server, { _, _, state, userdata in AvahiHandle<GroupEvent>.deliver(.from(state), to: userdata) }, $0)
        }
        guard let handle else { return nil }
        for address in addresses {
            var value = AvahiAddress(address)
            // As the daemon does: IPv6 addresses are told over IPv4 too, but not the other way round.
            let family = address.isV6 ? AvahiProtocol(AVAHI_PROTO_UNSPEC) : AvahiProtocol(AVAHI_PROTO_INET)
            let flags = AvahiPublishFlags(AVAHI_PUBLISH_NO_REVERSE.rawValue | AVAHI_PUBLISH_NO_PROBE.rawValue)
            _ = library.server_add_address(server, handle.pointer, AvahiIfIndex(link), family, flags, nil, &value)
        }
        _ = library.entry_group_commit(handle.pointer)
        return Group(addresses: addresses, handle: handle)
    }
}

/// The addresses of this machine, by link.
enum LinkAddresses {
    /// - Parameter names: the only interfaces to look at; nil for all on which mDNS can be spoken.
    static func current(on names: [String]?) -> [UInt32: [IPAddress]] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [:] }
        defer { freeifaddrs(list) }
        var found: [UInt32: [IPAddress]] = [:]
        for entry in sequence(first: list, next: { $0?.pointee.ifa_next }) {
            guard let entry, let address = entry.pointee.ifa_addr, canMulticast(entry.pointee.ifa_flags) else {
                continue
            }
            let length =
                address.pointee.sa_family == AF_INET6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
            guard let ip = NetworkAddress(address, length: socklen_t(length))?.ip else { continue }
            let name = String(cString: entry.pointee.ifa_name)
            guard names?.contains(name) != false, let interface = NetworkInterface(named: name) else { continue }
            found[interface.index, default: []].append(ip)
        }
        return found.mapValues(publishable)
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

/// Says that links or addresses have changed, not which: the kernel's routing messages, used as a bell.
private final class ChangeWatch {
    private let loop: AvahiLoop
    private let descriptor: Int32
    private var watch: OpaquePointer?
    private let onChange: () -> Void

    /// nil if the kernel does not offer it; addresses then stay as they were at the start.
    init?(loop: AvahiLoop, onChange: @escaping () -> Void) {
        self.loop = loop
        self.onChange = onChange
        let kind = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        descriptor = socket(AF_NETLINK, kind, NETLINK_ROUTE)
        guard descriptor >= 0 else { return nil }
        var address = sockaddr_nl()
        address.nl_family = sa_family_t(AF_NETLINK)
        address.nl_groups = UInt32(RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR)
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_nl>.size))
            }
        }
        guard bound == 0 else { return nil }
        watch = loop.api.pointee.watch_new(
            loop.api, descriptor, AVAHI_WATCH_IN,
            { _, descriptor, _, userdata in
                withUnsafeTemporaryAllocation(byteCount: 8192, alignment: 8) { buffer in
                    while recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)) > 0 {}
                }
                guard let userdata else { return }
                Unmanaged<ChangeWatch>.fromOpaque(userdata).takeUnretainedValue().onChange()
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        if let watch { loop.api.pointee.watch_free(watch) }
        if descriptor >= 0 { Glibc.close(descriptor) }
    }
}
