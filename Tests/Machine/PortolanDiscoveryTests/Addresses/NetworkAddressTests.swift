import PortolanDiscovery
import Testing

struct NetworkAddressTests {
    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7"), ("::1", "::1"), ("2001:DB8:0:0:0:0:0:7", "2001:db8::7"), ("fe80::1", "fe80::1"),
        ("::ffff:192.0.2.7", "::ffff:192.0.2.7"),
    ])
    func addressesAreReadAndWritten(text: String, canonical: String) throws {
        let ip = try #require(IPAddress(parsing: text))
        #expect(ip.description == canonical)
        #expect(IPAddress(bytes: ip.bytes) == ip)
    }

    @Test(arguments: [
        "", "1.2.3", "1.2.3.4.5", "256.1.1.1", "1.2.3.04", "0x7f.1", "1.2.3.4\0", ":", ":::", "1::2::3", "fe80::1%lo",
        "[::1]", " ::1", "2001:db8::7:1:2:3:4:5:6",
    ])
    func invalidAddressTextIsRefused(text: String) {
        #expect(IPAddress(parsing: text) == nil)
    }

    @Test func onlyFourOrSixteenBytesAreAnAddress() {
        for count in 0...40 {
            #expect((IPAddress(bytes: [UInt8](repeating: 1, count: count)) != nil) == [4, 16].contains(count))
        }
    }

    @Test func addressKindsAreDistinguished() throws {
        func kinds(_ text: String) throws -> [String] {
            let ip = try #require(IPAddress(parsing: text))
            let all = [
                ("unspecified", ip.isUnspecified), ("loopback", ip.isLoopback), ("multicast", ip.isMulticast),
                ("reserved", ip.isReserved), ("linkLocal", ip.isLinkLocal), ("embedded", ip.embedsV4),
            ]
            return all.filter(\.1).map(\.0)
        }
        for plain in ["192.0.2.7", "10.0.0.1", "223.255.255.255", "169.253.0.1", "2001:db8::7", "fd00::1", "fec0::1"] {
            #expect(try kinds(plain) == [], "\(plain)")
        }
        for (text, kind) in [
            ("0.0.0.0", "unspecified"), ("0.1.2.3", "unspecified"), ("::", "unspecified"), ("127.0.0.1", "loopback"),
            ("127.255.0.1", "loopback"), ("::1", "loopback"), ("224.0.0.251", "multicast"),
            ("239.255.255.255", "multicast"), ("ff02::fb", "multicast"), ("240.0.0.1", "reserved"),
            ("255.255.255.255", "reserved"), ("169.254.3.4", "linkLocal"), ("fe80::1", "linkLocal"),
            ("febf::1", "linkLocal"), ("::ffff:127.0.0.1", "embedded"), ("::127.0.0.1", "embedded"),
        ] { #expect(try kinds(text) == [kind], "\(text)") }
    }

    @Test func descriptionsCarryTheScopeOfLinkLocalAddressesOnly() {
        #expect(address("192.0.2.7", on: .ethernet).description == "192.0.2.7:47217")
        #expect(address("2001:db8::7", on: .ethernet).description == "[2001:db8::7]:47217")
        #expect(address("fe80::1", on: .ethernet).description == "[fe80::1%eth0]:47217")
        #expect(address("fe80::1", on: .ethernet).scopeID == 2)
        #expect(address("2001:db8::7", on: .ethernet).scopeID == 0)
        #expect(address("169.254.1.1", on: .ethernet).scopeID == 0)
    }

    @Test func onlyLinkLocalDestinationsDependOnTheLink() {
        #expect(address("192.0.2.7", on: .ethernet).destination == address("192.0.2.7", on: .wireless).destination)
        #expect(address("fe80::1", on: .ethernet).destination != address("fe80::1", on: .wireless).destination)
        #expect(address("192.0.2.7", 1).destination != address("192.0.2.7", 2).destination)
    }

    @Test(arguments: ["192.0.2.7", "2001:db8::7", "fe80::1"])
    func socketAddressesRoundTrip(text: String) throws {
        let lo = try #require(NetworkInterface(named: "lo"))
        let original = address(text, 4711, on: text.hasPrefix("fe80") ? lo : nil)
        #expect(original.withSocketAddress { NetworkAddress($0, length: $1) } == original)
        #expect(original.withSocketAddress { pointer, _ in NetworkAddress(pointer, length: 8) } == nil)
    }
}
