import CAvahi

/// The functions of one of Avahi's libraries, under common names. Each constructor gets the pointer that its callback
/// passes on.
struct StackFunctions {
    /// Work of a stack without a daemon: it announces addresses, and notices changes of the clock.
    struct Host {
        let loop: AvahiLoop
        /// Interfaces on which packets are sent and received; nil for all.
        let interfaces: [String]?
    }

    /// Failure when there is no connection.
    let absence: AvahiFailure
    let settlingDelay: Duration
    /// Nil where a daemon has the host name.
    let host: Host?
    let connect: (_ isPatient: Bool, _ stack: UnsafeMutableRawPointer, _ code: inout Int32) -> OpaquePointer?
    let disconnect: (OpaquePointer) -> Void
    /// Code of the last failure.
    let failureCode: (OpaquePointer) -> Int32
    let makeBrowser: (OpaquePointer, _ interface: Int32, UnsafeMutableRawPointer) -> OpaquePointer?
    let freeBrowser: (OpaquePointer) -> Void
    let makeResolver: (OpaquePointer, ServiceRecord.ID, UnsafeMutableRawPointer) -> OpaquePointer?
    let freeResolver: (OpaquePointer) -> Void
    let makeGroup: (OpaquePointer, UnsafeMutableRawPointer) -> OpaquePointer?
    let freeGroup: (OpaquePointer) -> Void
    let addService:
        (
            OpaquePointer, _ group: OpaquePointer?, _ interface: Int32, _ name: String, _ host: String?, _ port: UInt16,
            _ txt: UnsafeMutablePointer<AvahiStringList>?
        ) -> Int32
    let updateText:
        (
            OpaquePointer, _ group: OpaquePointer?, _ interface: Int32, _ name: String,
            _ txt: UnsafeMutablePointer<AvahiStringList>?
        ) -> Int32
    let addAddress: (OpaquePointer, _ group: OpaquePointer?, _ interface: Int32, IPAddress, _ host: String?) -> Int32
    let commit: (_ group: OpaquePointer?) -> Int32
    let reset: (_ group: OpaquePointer?) -> Int32
}

/// Any protocol of IP.
private let anyFamily = AvahiProtocol(AVAHI_PROTO_UNSPEC)

// MARK: - Both

extension StackFunctions {
    private typealias MakeBrowser =
        @convention(c) (
            OpaquePointer?, AvahiIfIndex, AvahiProtocol, UnsafePointer<CChar>?, UnsafePointer<CChar>?, AvahiLookupFlags,
            AvahiServiceBrowserCallback?, UnsafeMutableRawPointer?
        ) -> OpaquePointer?
    private typealias MakeResolver =
        @convention(c) (
            OpaquePointer?, AvahiIfIndex, AvahiProtocol, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
            UnsafePointer<CChar>?, AvahiProtocol, AvahiLookupFlags, AvahiServiceResolverCallback?,
            UnsafeMutableRawPointer?
        ) -> OpaquePointer?

    /// - Parameters:
    ///   - make: function of either library.
    ///   - callback: delivers events, with the library's own sign of a service of this process.
    private static func browsers(
        _ make: @escaping MakeBrowser, _ callback: @escaping AvahiServiceBrowserCallback
    ) -> (OpaquePointer, Int32, UnsafeMutableRawPointer) -> OpaquePointer? {
        { connection, interface, handle in
            make(
                connection, interface, anyFamily, Advertisement.serviceType, "local", AvahiLookupFlags(0), callback,
                handle)
        }
    }

    /// - Parameter make: function of either library.
    private static func resolvers(
        _ make: @escaping MakeResolver
    ) -> (OpaquePointer, ServiceRecord.ID, UnsafeMutableRawPointer) -> OpaquePointer? {
        { connection, id, handle in
            make(
                connection, AvahiIfIndex(id.interface), id.family.avahi, id.instanceName, Advertisement.serviceType,
                "local", id.family.avahi, AvahiLookupFlags(0),
                { _, _, _, event, _, _, _, host, address, port, txt, _, userdata in
                    AvahiHandle<ResolverEvent>.deliver(
                        .from(event, host: host, address: address, port: port, txt: txt), to: userdata)
                }, handle)
        }
    }
}

// MARK: - The daemon

extension StackFunctions {
    /// The system's Avahi daemon, through libavahi-client and D-Bus.
    static func daemon(_ library: PortolanAvahiClient, poll: UnsafePointer<AvahiPoll>) -> StackFunctions {
        StackFunctions(
            absence: .noDaemon,
            // The daemon has listened to the network before.
            settlingDelay: .zero, host: nil,
            connect: { isPatient, stack, code in
                library.client_new(
                    poll, isPatient ? AVAHI_CLIENT_NO_FAIL : AvahiClientFlags(0),
                    { client, state, userdata in
                        LibraryStack.changed(userdata, client) { .from(state, failure: $0()) }
                    }, stack, &code)
            },
            disconnect: { library.client_free($0) }, failureCode: { library.client_errno($0) },
            makeBrowser: browsers(library.service_browser_new) {
                _, interface, family, event, name, _, _, flags, userdata in
                let isOwn = flags.rawValue & AVAHI_LOOKUP_RESULT_OUR_OWN.rawValue != 0
                AvahiHandle<BrowserEvent>.deliver(
                    .from(event, name: name, interface: interface, family: family, isOwn: isOwn), to: userdata)
            },
            freeBrowser: { _ = library.service_browser_free($0) },
            makeResolver: resolvers(library.service_resolver_new),
            freeResolver: { _ = library.service_resolver_free($0) },
            makeGroup: { client, handle in
                library.entry_group_new(
                    client, { _, state, userdata in AvahiHandle<GroupEvent>.deliver(.from(state), to: userdata) },
                    handle)
            },
            freeGroup: { _ = library.entry_group_free($0) },
            addService: { _, group, interface, name, host, port, txt in
                library.entry_group_add_service(
                    group, interface, anyFamily, .ofService, name, Advertisement.serviceType, nil, host, port, txt)
            },
            updateText: { _, group, interface, name, txt in
                library.entry_group_update_text(
                    group, interface, anyFamily, .ofService, name, Advertisement.serviceType, nil, txt)
            },
            addAddress: { _, group, interface, address, host in
                var value = AvahiAddress(address)
                return library.entry_group_add_address(
                    group, interface, address.announcedOver, .ofAddress, host, &value)
            },
            commit: { library.entry_group_commit($0) }, reset: { library.entry_group_reset($0) })
    }
}

extension StackState {
    fileprivate static func from(_ state: AvahiClientState, failure: @autoclosure () -> AvahiFailure) -> StackState? {
        switch state {
        case AVAHI_CLIENT_S_RUNNING: .ready(canPublish: true)
        // The host name is being probed: services must be published again afterwards.
        case AVAHI_CLIENT_S_REGISTERING, AVAHI_CLIENT_S_COLLISION: .ready(canPublish: false)
        case AVAHI_CLIENT_CONNECTING: .absent
        case AVAHI_CLIENT_FAILURE: .broken(failure())
        default: nil
        }
    }

    fileprivate static func from(_ state: AvahiServerState, failure: @autoclosure () -> AvahiFailure) -> StackState? {
        switch state {
        // In the embedded stack no host name is probed.
        case AVAHI_SERVER_REGISTERING, AVAHI_SERVER_RUNNING: .ready(canPublish: true)
        case AVAHI_SERVER_COLLISION, AVAHI_SERVER_FAILURE: .broken(failure())
        default: nil
        }
    }
}

// MARK: - In the process

extension StackFunctions {
    /// mDNS inside this process, by libavahi-core: for machines and containers where no daemon runs, for the
    /// demonstration and for tests.
    ///
    /// The stack announces a random host name, and no reverse records: with the machine's names it would conflict with
    /// a daemon or another such process, and each would rename itself for ever.
    ///
    /// - Parameter interfaces: the interfaces on which packets are sent and received; nil for all.
    static func embedded(_ library: PortolanAvahiCore, loop: AvahiLoop, interfaces: [String]?) -> StackFunctions {
        StackFunctions(
            absence: .failure,
            // A host that has answered within the last second keeps silent (RFC 6762 §6) and answers the question one
            // second after the first, just when Avahi reports "all for now".
            settlingDelay: .milliseconds(400), host: Host(loop: loop, interfaces: interfaces),
            connect: { _, stack, code in
                guard ChangeWatch.isPossible else {
                    code = AvahiFailure.noNetlink.code
                    return nil
                }
                var config = AvahiServerConfig()
                _ = library.server_config_init(&config)
                defer { library.server_config_free(&config) }
                config.host_name = avahi_strdup(randomHostName())
                config.use_ipv4 = 1
                config.use_ipv6 = 1
                config.allow_interfaces = (interfaces ?? []).reduce(nil) { avahi_string_list_add($0, $1) }
                // HostRecords publishes the addresses.
                config.publish_addresses = 0
                config.publish_hinfo = 0
                config.publish_workstation = 0
                config.publish_domain = 0
                config.enable_wide_area = 0
                return library.server_new(
                    loop.api, &config,
                    { server, state, userdata in
                        LibraryStack.changed(userdata, server) { .from(state, failure: $0()) }
                    }, stack, &code)
            },
            // Goodbye packets are sent before this returns.
            disconnect: { library.server_free($0) }, failureCode: { library.server_errno($0) },
            makeBrowser: browsers(library.service_browser_new) {
                _, interface, family, event, name, _, _, flags, userdata in
                // The result is local to this server, which belongs to this process alone.
                let isOwn = flags.rawValue & AVAHI_LOOKUP_RESULT_LOCAL.rawValue != 0
                AvahiHandle<BrowserEvent>.deliver(
                    .from(event, name: name, interface: interface, family: family, isOwn: isOwn), to: userdata)
            },
            freeBrowser: { library.service_browser_free($0) },
            makeResolver: resolvers(library.service_resolver_new),
            freeResolver: { library.service_resolver_free($0) },
            makeGroup: { server, handle in
                library.entry_group_new(
                    server, { _, _, state, userdata in AvahiHandle<GroupEvent>.deliver(.from(state), to: userdata) },
                    handle)
            },
            freeGroup: { library.entry_group_free($0) },
            addService: { server, group, interface, name, host, port, txt in
                library.server_add_service(
                    server, group, interface, anyFamily, .ofService, name, Advertisement.serviceType, nil, host, port,
                    txt)
            },
            updateText: { server, group, interface, name, txt in
                library.server_update_text(
                    server, group, interface, anyFamily, .ofService, name, Advertisement.serviceType, nil, txt)
            },
            addAddress: { server, group, interface, address, host in
                var value = AvahiAddress(address)
                return library.server_add_address(
                    server, group, interface, address.announcedOver, .ofAddress, host, &value)
            },
            commit: { library.entry_group_commit($0) },
            reset: {
                library.entry_group_reset($0)
                return 0
            })
    }

    /// Makes a host name of 48 random bits, which is unique without probing.
    private static func randomHostName() -> String {
        let digits = String(UInt64.random(in: 0..<1 << 48), radix: 16)
        return "portolan-" + String(repeating: "0", count: 12 - digits.count) + digits
    }
}
