import CAvahi

/// Publishes the machine's addresses under a host name, and updates them after changes.
///
/// Avahi does this itself for the machine's name, but not for other names. libavahi-core does it only with reverse
/// records (7.2.0.192.in-addr.arpa), which are unique for an address: a second process on a machine would conflict with
/// the first, or with the daemon.
final class HostRecords {
    /// Unowned, because the stack or its owner owns this object, and so outlives it.
    private unowned let stack: any AvahiStack
    private let host: String?
    private let loop: AvahiLoop
    private let links: [String]?
    private var groups: [UInt32: Group] = [:]
    private var changes: ChangeWatch?
    private var refreshTimer: Int?

    /// Records of one link, removed together.
    private struct Group {
        let addresses: [IPAddress]
        let handle: AvahiHandle<GroupEvent>
    }

    /// Delay before a refresh, because changes come in bursts: link up, address, the same for IPv6.
    private static let pause = Duration.milliseconds(100)

    /// - Parameters:
    ///   - host: the complete name; nil for the stack's own.
    ///   - links: names of the interfaces to announce, and to announce on; nil for all.
    init(of host: String?, stack: any AvahiStack, loop: AvahiLoop, links: [String]?) {
        self.host = host
        self.stack = stack
        self.loop = loop
        self.links = links
        changes = ChangeWatch(loop: loop) { [weak self] in self?.refreshSoon() }
        refresh()
    }

    /// Removes all records. Called before the stack is closed.
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

    /// Publishes the addresses of a link. Nil if there is no memory or no connection; the owner notices a broken
    /// connection and opens it again. A link that is new to Avahi is announced on once Avahi knows it.
    private func publish(_ addresses: [IPAddress], on link: UInt32) -> Group? {
        guard let handle = try? stack.active.makeGroup(onEvent: { _ in }) else { return nil }
        for address in addresses {
            try? stack.active.add(address, of: host, interface: Int32(link), to: handle)
        }
        try? stack.active.commit(handle)
        return Group(addresses: addresses, handle: handle)
    }
}
