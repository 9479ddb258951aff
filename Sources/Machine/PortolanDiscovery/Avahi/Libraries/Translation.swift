import CAvahi

// Conversions between values of the C library and ours. Values from the network are checked here for form.

extension ServiceRecord.ID {
    /// Nil for a name that is not UTF-8 or not a DNS label, and for families other than IPv4 and IPv6.
    init?(name: UnsafePointer<CChar>?, interface: AvahiIfIndex, family: AvahiProtocol) {
        guard let name, let text = String(validatingCString: name), (1...63).contains(text.utf8.count), interface > 0,
            let family = AddressFamily(family)
        else { return nil }
        self.init(instanceName: text, interface: UInt32(interface), family: family)
    }
}

extension AddressFamily {
    init?(_ value: AvahiProtocol) {
        switch value {
        case AvahiProtocol(AVAHI_PROTO_INET): self = .v4
        case AvahiProtocol(AVAHI_PROTO_INET6): self = .v6
        default: return nil
        }
    }

    var avahi: AvahiProtocol {
        switch self {
        case .v4: AvahiProtocol(AVAHI_PROTO_INET)
        case .v6: AvahiProtocol(AVAHI_PROTO_INET6)
        }
    }
}

extension IPAddress {
    init?(_ address: AvahiAddress) {
        let length = address.proto == AvahiProtocol(AVAHI_PROTO_INET) ? 4 : 16
        self.init(bytes: withUnsafeBytes(of: address.data) { Array($0.prefix(length)) })
    }
}

extension ResolvedService {
    /// Nil if a part is missing or out of bounds.
    init?(
        host: UnsafePointer<CChar>?, address: UnsafePointer<AvahiAddress>?, port: UInt16,
        txt: UnsafeMutablePointer<AvahiStringList>?
    ) {
        guard let host, let hostName = String(validatingCString: host), hostName.utf8.count <= 255,
            let address, let ip = IPAddress(address.pointee),
            let pairs = TXTRecord.parse(StringList(first: txt))
        else { return nil }
        self.init(hostName: hostName, ip: ip, port: port, txt: pairs)
    }
}

extension ResolverEvent {
    static func from(
        _ event: AvahiResolverEvent, host: UnsafePointer<CChar>?, address: UnsafePointer<AvahiAddress>?, port: UInt16,
        txt: UnsafeMutablePointer<AvahiStringList>?
    ) -> ResolverEvent {
        guard event == AVAHI_RESOLVER_FOUND,
            let service = ResolvedService(host: host, address: address, port: port, txt: txt)
        else { return .failed(.timeout) }
        return .found(service)
    }
}

extension BrowserEvent {
    /// Returns nil for a record that is not usable.
    static func from(
        _ event: AvahiBrowserEvent, name: UnsafePointer<CChar>?, interface: AvahiIfIndex, family: AvahiProtocol,
        isOwn: Bool
    ) -> BrowserEvent? {
        let id = ServiceRecord.ID(name: name, interface: interface, family: family)
        switch event {
        case AVAHI_BROWSER_NEW: return id.map { .new($0, isOwn: isOwn) }
        case AVAHI_BROWSER_REMOVE: return id.map { .removed($0) }
        case AVAHI_BROWSER_ALL_FOR_NOW: return .allForNow
        case AVAHI_BROWSER_FAILURE: return .failed(.failure)
        default: return nil
        }
    }
}

extension GroupEvent {
    static func from(_ state: AvahiEntryGroupState) -> GroupEvent? {
        switch state {
        case AVAHI_ENTRY_GROUP_ESTABLISHED: .established
        case AVAHI_ENTRY_GROUP_COLLISION: .collision
        case AVAHI_ENTRY_GROUP_FAILURE: .failed(.failure)
        default: nil
        }
    }
}

/// Strings of a TXT record in the form of the C library.
private struct StringList: Sequence, IteratorProtocol {
    private var rest: UnsafeMutablePointer<AvahiStringList>?

    init(first: UnsafeMutablePointer<AvahiStringList>?) { rest = first }

    mutating func next() -> [UInt8]? {
        guard let current = rest else { return nil }
        rest = avahi_string_list_get_next(current)
        let bytes = UnsafeBufferPointer(
            start: avahi_string_list_get_text(current), count: avahi_string_list_get_size(current))
        return Array(bytes)
    }
}

/// Passes `strings` as a list of the C library, which puts them on the wire in their order.
func withStringList<Result>(
    _ strings: [[UInt8]], _ body: (UnsafeMutablePointer<AvahiStringList>?) -> Result
) -> Result {
    // Each addition goes to the front of the list, and the library writes a list from its end.
    let list = strings.reduce(nil as UnsafeMutablePointer<AvahiStringList>?) { list, string in
        avahi_string_list_add_arbitrary(list, string, string.count)
    }
    defer { avahi_string_list_free(list) }
    return body(list)
}

extension Advertisement {
    /// TXT record as strings.
    var strings: [[UInt8]] { txt.map { Array($0.key.utf8) + [UInt8(ascii: "=")] + $0.value } }
}

/// Returns "name #2" for "name", "name #3" for that, never longer than a label.
func alternativeName(to name: String) -> String? {
    guard let alternative = avahi_alternative_service_name(name) else { return nil }
    defer { avahi_free(alternative) }
    return String(validatingCString: alternative)
}

extension AvahiPublishFlags {
    /// Flags for services: without a cookie that would identify the publisher.
    static let ofService = AvahiPublishFlags(AVAHI_PUBLISH_NO_COOKIE.rawValue)
    /// Flags for addresses: host names of ours are random, and unique without probing.
    static let ofAddress = AvahiPublishFlags(AVAHI_PUBLISH_NO_REVERSE.rawValue | AVAHI_PUBLISH_NO_PROBE.rawValue)
}

extension IPAddress {
    /// Protocol over which the record is announced, as the daemon does it: IPv6 addresses over IPv4 too, but not the
    /// reverse.
    var announcedOver: AvahiProtocol { AvahiProtocol(isV6 ? AVAHI_PROTO_UNSPEC : AVAHI_PROTO_INET) }
}

extension AvahiAddress {
    init(_ address: IPAddress) {
        self.init()
        proto = address.isV6 ? AvahiProtocol(AVAHI_PROTO_INET6) : AvahiProtocol(AVAHI_PROTO_INET)
        withUnsafeMutableBytes(of: &data) { $0.copyBytes(from: address.bytes) }
    }
}
