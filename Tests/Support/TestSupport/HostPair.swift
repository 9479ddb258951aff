/// Two hosts joined by a cable: `ada` and `ben`.
public struct HostPair: Sendable {
    private let link: HostLink

    /// Makes the two, hands them to `body` and ends them with everything that runs on them; see `HostLink`.
    public static func with<Result>(
        _ discovery: HostLink.Discovery, in parent: String? = nil, congestionControl: String? = nil,
        _ body: (TestHost, TestHost, HostPair) async throws -> Result
    ) async throws -> Result {
        try await HostLink.with(
            discovery, names: ["ada", "ben"], in: parent, congestionControl: congestionControl
        ) { hosts, link in
            try await body(hosts[0], hosts[1], HostPair(link: link))
        }
    }

    /// Pulls the cable at b's end: b notices, a only hears nothing any more.
    public func cut() async throws { try await link.cut(link.hosts[1]) }

    /// Puts the cable back.
    public func join() async throws { try await link.join(link.hosts[1]) }
}
