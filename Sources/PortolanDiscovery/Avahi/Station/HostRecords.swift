import CAvahi

/// Publishes the machine's addresses under a host name, and keeps them right when they change.
///
/// Avahi does this itself for the one name of the machine, but not for a name of ours; and libavahi-core does it only
/// together with the reverse records (7.2.0.192.in-addr.arpa), of which there can be one an address: the second process
/// on a machine would fight the first, or the daemon, for it.
final class HostRecords {
    /// It owns this object, or is owned by whoever does, and so outlives it.
    private unowned let stack: any AvahiStack
    private let host: String?
    private let loop: AvahiLoop
    private let links: [String]?
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

    /// - Parameters:
    ///   - host: the whole name; nil for the stack's own.
    ///   - links: the only interfaces to announce on and with, by name; nil for all.
    init(of host: String?, stack: any AvahiStack, loop: AvahiLoop, links: [String]?) {
        self.host = host
        self.stack = stack
        self.loop = loop
        self.links = links
        changes = ChangeWatch(loop: loop) { [weak self] in self?.refreshSoon() }
        refresh()
    }

    /// Takes everything back. Called before the stack is closed.
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
        let present = LinkAddresses.current(on: links)
        for (link, group) in groups where group.addresses != present[link] {
            group.handle.free()
            groups[link] = nil
        }
        for (link, addresses) in present where groups[link] == nil {
            groups[link] = publish(addresses, on: link)
        }
    }

    /// nil if there is no memory or no connection; the second is noticed and mended elsewhere. A link that Avahi has not
    /// heard of yet is announced on when it has.
    private func publish(_ addresses: [IPAddress], on link: UInt32) -> Group? {
        guard let handle = try? stack.makeGroup(onEvent: { _ in }) else { return nil }
        for address in addresses {
            try? stack.add(address, of: host, interface: Int32(link), to: handle)
        }
        try? stack.commit(handle)
        return Group(addresses: addresses, handle: handle)
    }
}
