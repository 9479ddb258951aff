import Testing

@testable import PortolanDiscovery

struct LinkPrefixesTests {
    /// A machine with a card, a container bridge, a link with a link-local address, and a link without addresses.
    private let machine = LinkPrefixes(
        [
            1: [.init(Self.ip("127.0.0.1"), length: 8), .init(Self.ip("::1"), length: 128)],
            2: [.init(Self.ip("192.168.1.5"), length: 24), .init(Self.ip("2001:db8:1:2::5"), length: 64)],
            3: [.init(Self.ip("172.17.0.1"), length: 16)],
            4: [.init(Self.ip("169.254.7.7"), length: 16)],
            5: [],
        ], loopbacks: [1],
        own: Set(["127.0.0.1", "::1", "192.168.1.5", "2001:db8:1:2::5", "172.17.0.1", "169.254.7.7"].map(Self.ip)))

    private static func ip(_ text: String) -> IPAddress {
        guard let ip = IPAddress(parsing: text) else { preconditionFailure("a test names a real address: \(text)") }
        return ip
    }

    @Test(
        "an address heard on a link counts if it is on that link",
        arguments: [
            ("192.168.1.9", 2, true), ("192.168.1.5", 2, true), ("2001:db8:1:2:ffff::1", 2, true), ("fe80::1", 2, true),
            // The network, its broadcast address, and everything elsewhere.
            ("192.168.1.0", 2, false), ("192.168.1.255", 2, false), ("192.168.2.9", 2, false), ("8.8.8.8", 2, false),
            ("2001:db8:1:3::1", 2, false), ("2001:4860:4860::8888", 2, false),
            // A container's address, this machine's address on the bridge, and a link-local address.
            ("172.17.0.2", 2, false), ("172.17.0.1", 2, false), ("169.254.1.1", 2, false),
            ("172.17.0.2", 3, true), ("192.168.1.9", 3, false), ("169.254.1.1", 4, true), ("192.168.1.9", 4, false),
            // Loopback addresses, and this machine's own on the loopback interface.
            ("127.0.0.1", 2, false), ("::1", 2, false), ("127.0.0.1", 1, true), ("127.3.3.3", 1, true),
            ("::1", 1, true),
            ("192.168.1.5", 1, true), ("192.168.1.9", 1, false), ("fe80::1", 1, false), ("8.8.8.8", 1, false),
            // A link without addresses, and a link that does not exist.
            ("192.168.1.9", 5, false), ("fe80::1", 5, true), ("192.168.1.9", 9, false), ("fe80::1", 9, false),
        ] as [(String, UInt32, Bool)])
    func reaches(address: String, link: UInt32, isReached: Bool) {
        #expect(machine.reaches(Self.ip(address), on: link) == isReached)
    }

    @Test(
        "prefixes of every length",
        arguments: [
            ("10.0.0.1", 32, "10.0.0.1", true), ("10.0.0.1", 32, "10.0.0.2", false), ("10.0.0.0", 31, "10.0.0.1", true),
            ("10.0.0.0", 31, "10.0.0.0", true), ("10.0.0.1", 30, "10.0.0.2", true), ("10.0.0.1", 30, "10.0.0.3", false),
            ("10.0.0.1", 1, "127.0.0.1", true), ("10.0.0.1", 1, "128.0.0.1", false), ("10.0.0.1", 0, "8.8.8.8", true),
            ("2001:db8::1", 128, "2001:db8::1", true), ("2001:db8::1", 128, "2001:db8::2", false),
            ("2001:db8::", 127, "2001:db8::1", true), ("2001:db8::", 65, "2001:db8::8000:0:0:0", false),
            ("2001:db8::", 63, "2001:db8:0:1::1", true), ("2001:db8::", 64, "2001:db8:0:1::1", false),
            ("::", 0, "2001:db8::1", true), ("10.0.0.1", 8, "::a00:2", false), ("2001:db8::1", 64, "10.0.0.1", false),
        ] as [(String, Int, String, Bool)])
    func holds(network: String, length: Int, address: String, isHeld: Bool) {
        #expect(LinkPrefixes.Prefix(Self.ip(network), length: length).holdsMachine(Self.ip(address)) == isHeld)
    }

    @Test("of the kernel's IPv6 routes only those count that lead to a link")
    func routes() {
        func route(_ network: String, _ length: String, via router: String = "0", _ flags: String) -> String? {
            let none = String(repeating: "0", count: 32)
            let next = router == "0" ? none : String(repeating: "f", count: 32)
            let line = "\(network) \(length) \(none) 00 \(next) 00000100 00000001 00000000 \(flags)     eth0\n"
            return LinkPrefixes.route(in: line).map { "\($0.1.network)/\($0.1.length) \($0.interface)" }
        }
        let network = "20010db8000100020000000000000000"
        #expect(route(network, "40", "00000001") == "2001:db8:1:2::/64 eth0")
        #expect(route(network, "40", "00440001") == "2001:db8:1:2::/64 eth0", "announced by a router")
        #expect(route(network, "40", "00000000") == nil, "not up")
        #expect(route(network, "40", via: "f", "00000003") == nil, "through a router")
        #expect(route(network, "40", "00200201") == nil, "rejected")
        #expect(route(network, "80", "80200001") == nil, "this machine's own address")
        #expect(route(network, "03", "00000001") == nil, "a tunnel's")
        #expect(route("fe800000000000000000000000000000", "40", "00000001") == nil)
        #expect(LinkPrefixes.route(in: "") == nil && LinkPrefixes.route(in: "x y z") == nil)
    }

    @Test func loopbackInterfaceReachesThisMachine() throws {
        let lo = try #require(NetworkInterface(named: "lo"))
        let links = LinkPrefixes.current()
        #expect(links.reaches(Self.ip("127.0.0.1"), on: lo.index) && links.own.contains(Self.ip("127.0.0.1")))
        #expect(!links.reaches(Self.ip("8.8.8.8"), on: lo.index))
    }
}
