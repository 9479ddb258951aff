/// Two hosts connected by a cable: `ada` and `ben`.
public struct HostPair: Sendable {
    private let link: HostLink

    /// Makes two hosts, passes them to `body`, and ends them with all their processes; see `HostLink`.
    public static func with<Result>(
        _ discovery: HostLink.Discovery, in parent: String? = nil, congestionControl: String? = nil,
        distance: Distance? = nil, _ body: (TestHost, TestHost, HostPair) async throws -> Result
    ) async throws -> Result {
        try await HostLink.with(
            discovery, names: ["ada", "ben"], in: parent, congestionControl: congestionControl, distance: distance
        ) { hosts, link in
            try await body(hosts[0], hosts[1], HostPair(link: link))
        }
    }

    /// Disconnects b's end of the cable: b notices, a just receives no more packets.
    public func cut() async throws { try await link.cut(link.hosts[1]) }

    /// Reconnects the cable.
    public func join() async throws { try await link.join(link.hosts[1]) }
}
