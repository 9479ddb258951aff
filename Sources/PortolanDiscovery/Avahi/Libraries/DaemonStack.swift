import CAvahi

/// The system's Avahi daemon, through libavahi-client and D-Bus.
///
/// Every call is a round trip that blocks, up to D-Bus's 25 seconds; the thread that owns this object is there for
/// that.
final class DaemonStack: AvahiStack {
    /// No delay: the daemon has listened to the network before.
    let settlingDelay = Duration.zero

    private let library: PortolanAvahiClient
    private let poll: UnsafePointer<AvahiPoll>
    private var client: OpaquePointer?
    private var onState: (StackState) -> Void = { _ in }

    init(library: PortolanAvahiClient, poll: UnsafePointer<AvahiPoll>) {
        self.library = library
        self.poll = poll
    }

    func open(isPatient: Bool, onState: @escaping (StackState) -> Void) throws(AvahiFailure) {
        precondition(client == nil, "closed before it is opened again")
        self.onState = onState
        var code: Int32 = 0
        let flags = isPatient ? AVAHI_CLIENT_NO_FAIL : AvahiClientFlags(0)
        let opened = library.client_new(
            poll, flags,
            { client, state, userdata in
                guard let client, let userdata else { return }
                let stack = Unmanaged<DaemonStack>.fromOpaque(userdata).takeUnretainedValue()
                // The first call comes from inside avahi_client_new, before it has returned the pointer.
                stack.client = client
                if let state = stack.translate(state) { stack.onState(state) }
            }, Unmanaged.passUnretained(self).toOpaque(), &code)
        client = opened
        if opened == nil { throw AvahiFailure(code: code) }
    }

    func close() {
        guard let client else { return }
        self.client = nil
        library.client_free(client)
    }

    private func translate(_ state: AvahiClientState) -> StackState? {
        switch state {
        case AVAHI_CLIENT_S_RUNNING: .ready(canPublish: true)
        // The host name is being settled: services must be published again afterwards.
        case AVAHI_CLIENT_S_REGISTERING, AVAHI_CLIENT_S_COLLISION: .ready(canPublish: false)
        case AVAHI_CLIENT_CONNECTING: .absent
        case AVAHI_CLIENT_FAILURE: .broken(failure)
        default: nil
        }
    }

    private var failure: AvahiFailure {
        client.map { AvahiFailure(code: library.client_errno($0)) } ?? .noDaemon
    }

    // MARK: Browsing

    func browse(
        interface: Int32, onEvent: @escaping (BrowserEvent) -> Void
    ) throws(AvahiFailure) -> AvahiHandle<BrowserEvent> {
        guard let client else { throw .noDaemon }
        return try AvahiHandle(
            onEvent: onEvent, release: { [library] in _ = library.service_browser_free($0) }, failure: failure
        ) {
            library.service_browser_new(
                client, interface, AvahiProtocol(AVAHI_PROTO_UNSPEC), Advertisement.serviceType, "local",
                AvahiLookupFlags(0),
                { _, interface, family, event, name, _, _, flags, userdata in
                    let isOwn = flags.rawValue & AVAHI_LOOKUP_RESULT_OUR_OWN.rawValue != 0
                    AvahiHandle<BrowserEvent>.deliver(
                        .from(event, name: name, interface: interface, family: family, isOwn: isOwn), to: userdata)
                }, $0)
        }
    }

    func resolve(
        _ id: ServiceRecord.ID, onEvent: @escaping (ResolverEvent) -> Void
    ) throws(AvahiFailure) -> AvahiHandle<ResolverEvent> {
        guard let client else { throw .noDaemon }
        return try AvahiHandle(
            onEvent: onEvent, release: { [library] in _ = library.service_resolver_free($0) }, failure: failure
        ) {
            library.service_resolver_new(
                client, AvahiIfIndex(id.interface), id.family.avahi, id.instanceName, Advertisement.serviceType,
                "local", id.family.avahi, AvahiLookupFlags(0),
                { _, _, _, event, _, _, _, host, address, port, txt, _, userdata in
                    AvahiHandle<ResolverEvent>.deliver(
                        .from(event, host: host, address: address, port: port, txt: txt), to: userdata)
                }, $0)
        }
    }

    // MARK: Publishing

    func makeGroup(onEvent: @escaping (GroupEvent) -> Void) throws(AvahiFailure) -> AvahiHandle<GroupEvent> {
        guard let client else { throw .noDaemon }
        return try AvahiHandle(
            onEvent: onEvent, release: { [library] in _ = library.entry_group_free($0) }, failure: failure
        ) {
            library.entry_group_new(
                client, { _, state, userdata in AvahiHandle<GroupEvent>.deliver(.from(state), to: userdata) }, $0)
        }
    }

    func add(
        _ service: Advertisement, as name: String, interface: Int32, to group: AvahiHandle<GroupEvent>
    ) throws(AvahiFailure) {
        let code = withStringList(service.strings) { txt in
            library.entry_group_add_service(
                group.pointer, interface, AvahiProtocol(AVAHI_PROTO_UNSPEC), .ofService, name,
                Advertisement.serviceType, nil, service.hostName, service.port, txt)
        }
        try AvahiFailure.check(code)
    }

    func updateText(
        of service: Advertisement, as name: String, interface: Int32, in group: AvahiHandle<GroupEvent>
    ) throws(AvahiFailure) {
        let code = withStringList(service.strings) { txt in
            library.entry_group_update_text(
                group.pointer, interface, AvahiProtocol(AVAHI_PROTO_UNSPEC), .ofService, name,
                Advertisement.serviceType, nil, txt)
        }
        try AvahiFailure.check(code)
    }

    func add(
        _ address: IPAddress, of host: String?, interface: Int32, to group: AvahiHandle<GroupEvent>
    ) throws(AvahiFailure) {
        var value = AvahiAddress(address)
        let code = library.entry_group_add_address(
            group.pointer, interface, address.announcedOver, .ofAddress, host, &value)
        try AvahiFailure.check(code)
    }

    func commit(_ group: AvahiHandle<GroupEvent>) throws(AvahiFailure) {
        try AvahiFailure.check(library.entry_group_commit(group.pointer))
    }

    func reset(_ group: AvahiHandle<GroupEvent>) {
        // The call fails only if the daemon has stopped, and the group with it.
        _ = library.entry_group_reset(group.pointer)
    }
}
