import PortolanDiscovery
import TestSupport
import Testing

struct AddressRankerTests {
    private func refusal(_ address: NetworkAddress, from origin: AddressRanker.Origin = .network) -> AddressRefusal? {
        AddressRanker.refusal(of: address, from: origin)
    }

    @Test func addressesOfNoMachineAreRefused() {
        #expect(refusal(address("0.0.0.0", on: .ethernet)) == .unspecified)
        #expect(refusal(address("::", on: .ethernet)) == .unspecified)
        #expect(refusal(address("224.0.0.251", on: .ethernet)) == .multicast)
        #expect(refusal(address("ff02::fb", on: .ethernet)) == .multicast)
        #expect(refusal(address("255.255.255.255", on: .ethernet)) == .reserved)
        #expect(refusal(address("192.0.2.7", 0, on: .ethernet)) == .noPort)
        #expect(refusal(address("::ffff:127.0.0.1", on: .ethernet)) == .disguised)
        #expect(refusal(address("fe80::1")) == .linkLocalWithoutInterface)
        #expect(refusal(address("192.0.2.7", on: .ethernet)) == nil)
        #expect(refusal(address("fe80::1", on: .ethernet)) == nil)
    }

    @Test func aLoopbackAddressCountsOnlyOnTheLoopbackInterfaceOrFromTheUser() {
        for text in ["127.0.0.1", "127.8.8.8", "::1"] {
            #expect(refusal(address(text, on: .ethernet)) == .loopbackFromOutside)
            #expect(refusal(address(text)) == .loopbackFromOutside)
            #expect(refusal(address(text, on: .lo)) == nil)
            #expect(refusal(address(text), from: .user) == nil)
        }
    }

    @Test func physicalLinksComeBeforeBridgesAndTunnels() {
        let ordered = AddressRanker.ordered([
            address("10.8.0.2", on: .vpn), address("172.17.0.2", on: .docker), address("198.51.100.9"),
            address("192.0.2.7", on: .ethernet), address("127.0.0.1", on: .lo),
        ])
        #expect(
            ordered.map(\.description) == [
                "127.0.0.1:47217", "192.0.2.7:47217", "198.51.100.9:47217", "10.8.0.2:47217", "172.17.0.2:47217",
            ])
    }

    @Test(arguments: [
        ("eth0", LinkKind.physical), ("enp0s31f6", .physical), ("wlan0", .physical), ("br0", .physical),
        ("lo", .loopback),
        ("docker0", .virtual), ("br-3f2a9c", .virtual), ("veth1a2b", .virtual), ("virbr0", .virtual),
        ("tun0", .virtual),
        ("tap1", .virtual), ("wg0", .virtual), ("tailscale0", .virtual), ("ztabcdef", .virtual), ("podman0", .virtual),
    ])
    func interfaceNameDeterminesItsKind(name: String, kind: LinkKind) {
        #expect(LinkKind(of: NetworkInterface(index: 7, name: name)) == kind)
    }

    @Test func familiesAlternateAndLinkLocalAddressesComeLast() {
        let ordered = AddressRanker.ordered([
            address("fe80::1", on: .ethernet), address("169.254.1.1", on: .ethernet),
            address("192.0.2.7", on: .ethernet),
            address("192.0.2.8", on: .wireless), address("2001:db8::7", on: .ethernet),
            address("fd00::7", on: .ethernet),
        ])
        #expect(
            ordered.map { $0.ip.description } == [
                "2001:db8::7", "192.0.2.7", "fd00::7", "192.0.2.8", "fe80::1", "169.254.1.1",
            ])
    }

    @Test func eachPlaceIsTriedOnceOverItsBestLink() {
        let ordered = AddressRanker.ordered([
            address("192.0.2.7", on: .docker), address("192.0.2.7", on: .ethernet), address("192.0.2.7"),
            address("fe80::1", on: .ethernet), address("fe80::1", on: .wireless),
        ])
        #expect(ordered.map(\.interface?.name) == ["eth0", "eth0", "wlp3s0"])
    }

    @Test func lastGoodDestinationComesFirst() {
        let tunnel = address("10.8.0.2", on: .vpn)
        let addresses = [address("192.0.2.7", on: .ethernet), address("2001:db8::7", on: .ethernet), tunnel]
        #expect(AddressRanker.ordered(addresses, lastGood: tunnel.destination).first == tunnel)
        #expect(AddressRanker.ordered(addresses, lastGood: address("9.9.9.9").destination).first?.ip.isV6 == true)
    }

    @Test func theOrderDoesNotDependOnTheOrderOfArrival() {
        let addresses =
            (1...12).map { address("192.0.2.\($0)", on: $0 % 3 == 0 ? .docker : .ethernet) }
            + (1...4).map { address("2001:db8::\($0)", on: .wireless) }
        let expected = AddressRanker.ordered(addresses)
        var random = SeededGenerator(seed: 7)
        for _ in 0..<50 { #expect(AddressRanker.ordered(addresses.shuffled(using: &random)) == expected) }
    }
}
