import PortolanCrypto
import PortolanDiscovery
import TestSupport
import Testing

/// Forged records, and the limits of a directory.
@Suite(.aside) struct HostileRecordsTests {
    @Test func offLinkAddressIsReportedAndNotTried() {
        var directory = PeerDirectory(foundBy: .avahi)
        let far = record("Anna", address("8.8.8.8", on: .ethernet), id: deviceID(1), isOnLink: false)
        #expect(directory.apply(.found(far)) == [] && directory.peers.isEmpty)
        #expect(directory.offLinkAddresses { name, key in name == "Anna" && key != nil } == [far.address])
        #expect(directory.offLinkAddresses { name, _ in name == "Ben" }.isEmpty)
        // The address moves onto the link, and away again.
        let near = record("Anna", address("192.0.2.7", on: .ethernet), id: deviceID(1))
        _ = directory.apply(.found(near))
        #expect(directory.peers.map(\.addresses) == [[near.address]])
        #expect(directory.offLinkAddresses { _, _ in true }.isEmpty)
        guard case .vanished = directory.apply(.found(far)).first else { return #expect(Bool(false)) }
        _ = directory.apply(.lost(far.id))
        #expect(directory.offLinkAddresses { _, _ in true }.isEmpty)
    }

    @Test func offLinkWaitingDeviceIsReportedAndNotTried() throws {
        var devices = WaitingDevices(number: 7, purpose: .pair)
        let advertisement = try Advertisement.waiting(number: 7, for: .pair, port: 47217)
        let near = hostRecord(advertisement.name, on: "h.local", address("192.0.2.7", on: .ethernet), advertisement)
        let far = ServiceRecord(
            id: near.id, hostName: near.hostName, address: address("8.8.8.8", on: .ethernet), txt: near.txt,
            isOwn: false, isOnLink: false)
        devices.apply(.found(far))
        #expect(devices.devices.isEmpty && devices.offLinkAddresses == [far.address])
        devices.apply(.found(near))
        #expect(devices.devices.count == 1 && devices.offLinkAddresses.isEmpty)
    }

    @Test func floodDoesNotDisplaceExpectedPeers() {
        var directory = PeerDirectory(
            foundBy: .avahi, expected: .init(name: "Anna", fingerprints: [fingerprint(9001)]))
        for number in 0..<5000 {
            let place = address("10.0.\(number / 250).\(1 + number % 250)", on: .ethernet)
            _ = directory.apply(.found(record("n\(number)", place, id: deviceID(number))))
        }
        #expect(directory.peers.count == PeerDirectory.maximumPeers)
        _ = directory.apply(.found(record("anna", address("192.0.2.7", on: .ethernet), id: deviceID(9000))))
        _ = directory.apply(.found(record("friend", address("192.0.2.8", on: .ethernet), id: deviceID(9001))))
        _ = directory.apply(.found(record("stranger", address("192.0.2.9", on: .ethernet), id: deviceID(9002))))
        let last = directory.peers.suffix(2).map(\.name)
        #expect(last == ["anna", "friend"])
        // Any device can advertise the name, as often as it likes.
        for number in 10_000..<11_000 {
            _ = directory.apply(.found(record("Anna", address("192.0.2.7", on: .ethernet), id: deviceID(number))))
        }
        #expect(directory.peers.count <= PeerDirectory.maximumPeers + 65)
    }
}
