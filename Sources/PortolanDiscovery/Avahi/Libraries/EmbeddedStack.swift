import CAvahi

/// mDNS inside this process, by libavahi-core: for machines and containers where no daemon runs, for the demonstration
/// and for tests.
///
/// The stack announces a random host name, and no reverse records: with the machine's names it would conflict with a
/// daemon or another such process, and each would rename itself for ever.
final class EmbeddedStack: AvahiStack {
    /// Delay for a second question: a host that has answered within the last second keeps silent (RFC 6762 §6) and
    /// answers the question one second after the first, just when Avahi reports "all for now".
    let settlingDelay = Duration.milliseconds(400)

    private let library: PortolanAvahiCore
    private let loop: AvahiLoop
    private let interfaces: [String]?
    private var server: OpaquePointer?
    /// Address records of the stack's own host name, from the first advertisement without another host on: a process
    /// that only browses or hides announces nothing.
    private var hostRecords: HostRecords?
    private var onState: (StackState) -> Void = { _ in }

    /// - Parameter interfaces: the interfaces on which packets are sent and received; nil for all.
    init(library: PortolanAvahiCore, loop: AvahiLoop, interfaces: [String]?) {
        self.library = library
        self.loop = loop
        self.interfaces = interfaces
    }

    func open(isPatient: Bool, onState: @escaping (StackState) -> Void) throws(AvahiFailure) {
        precondition(server == nil, "closed before it is opened again")
        self.onState = onState
        var config = AvahiServerConfig()
        _ = library.server_config_init(&config)
        defer { library.server_config_free(&config) }
        config.host_name = avahi_strdup(Self.randomHostName())
        config.use_ipv4 = 1
        config.use_ipv6 = 1
        config.allow_interfaces = (interfaces ?? []).reduce(nil) { avahi_string_list_add($0, $1) }
        // HostRecords publishes the addresses.
        config.publish_addresses = 0
        config.publish_hinfo = 0
        config.publish_workstation = 0
        config.publish_domain = 0
        config.enable_wide_area = 0
        var code: Int32 = 0
        let opened = library.server_new(
            loop.api, &config,
            { server, state, userdata in
                guard let server, let userdata else { return }
                let stack = Unmanaged<EmbeddedStack>.fromOpaque(userdata).takeUnretainedValue()
                // The first call comes from inside avahi_server_new, before it has returned the pointer.
                stack.server = server
                stack.changed(to: state)
            }, Unmanaged.passUnretained(self).toOpaque(), &code)
        guard let opened else { throw AvahiFailure(code: code) }
        server = opened
        loop.onClockSetBack = { [weak self] in self?.onState(.broken(.clockWasSetBack)) }
    }

    func close() {
        guard let server else { return }
        self.server = nil
        loop.onClockSetBack = {}
        hostRecords?.close()
        hostRecords = nil
        // This sends goodbye packets before it returns.
        library.server_free(server)
    }

    private func changed(to state: AvahiServerState) {
        switch state {
        // There is no host name that is being probed.
        case AVAHI_SERVER_REGISTERING, AVAHI_SERVER_RUNNING: onState(.ready(canPublish: true))
        case AVAHI_SERVER_COLLISION, AVAHI_SERVER_FAILURE: onState(.broken(failure))
        default: break
        }
    }

    /// Makes a host name of 48 random bits, which is unique without probing.
    private static func randomHostName() -> String {
        let digits = String(UInt64.random(in: 0..<1 << 48), radix: 16)
        return "portolan-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    private var failure: AvahiFailure {
        server.map { AvahiFailure(code: library.server_errno($0)) } ?? .failure
    }

    // MARK: Browsing

    func browse(
        interface: Int32, onEvent: @escaping (BrowserEvent) -> Void
    ) throws(AvahiFailure) -> AvahiHandle<BrowserEvent> {
        guard let server else { throw .failure }
        return try AvahiHandle(
            onEvent: onEvent, release: { [library] in library.service_browser_free($0) }, failure: failure
        ) {
            library.service_browser_new(
                server, interface, AvahiProtocol(AVAHI_PROTO_UNSPEC), Advertisement.serviceType, "local",
                AvahiLookupFlags(0),
                { _, interface, family, event, name, _, _, flags, userdata in
                    // The result is local to this server, which belongs to this process alone.
                    let isOwn = flags.rawValue & AVAHI_LOOKUP_RESULT_LOCAL.rawValue != 0
                    AvahiHandle<BrowserEvent>.deliver(
                        .from(event, name: name, interface: interface, family: family, isOwn: isOwn), to: userdata)
                }, $0)
        }
    }

    func resolve(
        _ id: ServiceRecord.ID, onEvent: @escaping (ResolverEvent) -> Void
    ) throws(AvahiFailure) -> AvahiHandle<ResolverEvent> {
        guard let server else { throw .failure }
        return try AvahiHandle(
            onEvent: onEvent, release: { [library] in library.service_resolver_free($0) }, failure: failure
        ) {
            library.service_resolver_new(
                server, AvahiIfIndex(id.interface), id.family.avahi, id.instanceName, Advertisement.serviceType,
                "local", id.family.avahi, AvahiLookupFlags(0),
                { _, _, _, event, _, _, _, host, address, port, txt, _, userdata in
                    AvahiHandle<ResolverEvent>.deliver(
                        .from(event, host: host, address: address, port: port, txt: txt), to: userdata)
                }, $0)
        }
    }

    // MARK: Publishing

    func makeGroup(onEvent: @escaping (GroupEvent) -> Void) throws(AvahiFailure) -> AvahiHandle<GroupEvent> {
        guard let server else { throw .failure }
        return try AvahiHandle(
            onEvent: onEvent, release: { [library] in library.entry_group_free($0) }, failure: failure
        ) {
            library.entry_group_new(
                server, { _, _, state, userdata in AvahiHandle<GroupEvent>.deliver(.from(state), to: userdata) }, $0)
        }
    }

    func add(
        _ service: Advertisement, as name: String, interface: Int32, to group: AvahiHandle<GroupEvent>
    ) throws(AvahiFailure) {
        let code = withStringList(service.strings) { txt in
            library.server_add_service(
                server, group.pointer, interface, AvahiProtocol(AVAHI_PROTO_UNSPEC), .ofService, name,
                Advertisement.serviceType, nil, service.hostName, service.port, txt)
        }
        try AvahiFailure.check(code)
        if service.host == nil, hostRecords == nil {
            hostRecords = HostRecords(of: nil, stack: self, loop: loop, links: interfaces)
        }
    }

    func updateText(
        of service: Advertisement, as name: String, interface: Int32, in group: AvahiHandle<GroupEvent>
    ) throws(AvahiFailure) {
        let code = withStringList(service.strings) { txt in
            library.server_update_text(
                server, group.pointer, interface, AvahiProtocol(AVAHI_PROTO_UNSPEC), .ofService, name,
                Advertisement.serviceType, nil, txt)
        }
        try AvahiFailure.check(code)
    }

    func add(
        _ address: IPAddress, of host: String?, interface: Int32, to group: AvahiHandle<GroupEvent>
    ) throws(AvahiFailure) {
        guard let server else { throw .failure }
        var value = AvahiAddress(address)
        let code = library.server_add_address(
            server, group.pointer, interface, address.announcedOver, .ofAddress, host, &value)
        try AvahiFailure.check(code)
    }

    func commit(_ group: AvahiHandle<GroupEvent>) throws(AvahiFailure) {
        try AvahiFailure.check(library.entry_group_commit(group.pointer))
    }

    func reset(_ group: AvahiHandle<GroupEvent>) {
        library.entry_group_reset(group.pointer)
    }
}
