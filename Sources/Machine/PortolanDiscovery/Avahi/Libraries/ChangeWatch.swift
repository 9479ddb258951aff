import CAvahi
import Glibc

/// Reports that links, addresses or networks on links have changed, without details, by the kernel's routing messages.
final class ChangeWatch {
    private let loop: AvahiLoop
    private let descriptor: Int32
    private var watch: OpaquePointer?
    private let onChange: () -> Void

    /// Nil if the kernel does not offer the messages; addresses then stay as they were at the start.
    init?(loop: AvahiLoop, onChange: @escaping () -> Void) {
        self.loop = loop
        self.onChange = onChange
        descriptor = Self.makeSocket()
        guard descriptor >= 0 else { return nil }
        var address = sockaddr_nl()
        address.nl_family = sa_family_t(AF_NETLINK)
        address.nl_groups = UInt32(RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV6_ROUTE)
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

    private static func makeSocket() -> Int32 {
        let kind = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        return socket(AF_NETLINK, kind, NETLINK_ROUTE)
    }

    /// False where this process may open no such socket.
    static var isPossible: Bool {
        let descriptor = makeSocket()
        guard descriptor >= 0 else { return false }
        Glibc.close(descriptor)
        return true
    }

    deinit {
        if let watch { loop.api.pointee.watch_free(watch) }
        if descriptor >= 0 { Glibc.close(descriptor) }
    }
}
