import PortolanDiscovery
import Testing

struct WaitingDevicesTests {
    private func waiting(
        _ number: Int, _ purpose: WaitingPurpose, at places: NetworkAddress...
    ) throws -> [ServiceRecord] {
        let advertisement = try Advertisement.waiting(number: number, for: purpose, port: 47217)
        return places.map { hostRecord(advertisement.name, on: "h.local", $0, advertisement) }
    }

    @Test func matchingWaitingDevicesAreListedInOrderOfArrival() throws {
        var devices = WaitingDevices(number: 7, purpose: .pair)
        let first = try waiting(
            7, .pair, at: address("fe80::1", on: .ethernet), address("192.0.2.7", on: .ethernet))
        let second = try waiting(7, .pair, at: address("192.0.2.1", on: .ethernet))
        for record in try first + second + waiting(8, .pair, at: address("192.0.2.2", on: .ethernet))
            + waiting(7, .join, at: address("192.0.2.3", on: .ethernet))
        {
            devices.apply(.found(record))
        }
        devices.apply(.found(record("Anna", address("192.0.2.4", on: .ethernet), id: deviceID(1))))
        #expect(devices.devices.map(\.instance) == [first[0].instanceName, second[0].instanceName])
        #expect(devices.devices[0].addresses == [first[1].address, first[0].address], "likeliest first")
        #expect(devices.devices[0].versions == [1])

        devices.apply(.lost(first[1].id))
        #expect(devices.devices[0].addresses == [first[0].address])
        devices.apply(.lost(first[0].id))
        #expect(devices.devices.map(\.instance) == [second[0].instanceName])
    }

    @Test func ownAndUnreachableDevicesAreOmitted() throws {
        var devices = WaitingDevices(number: 7, purpose: .join)
        for place in ["127.0.0.1", "0.0.0.0", "224.0.0.251", "::ffff:192.0.2.1"] {
            for record in try waiting(7, .join, at: address(place, on: .ethernet)) { devices.apply(.found(record)) }
        }
        let own = try waiting(7, .join, at: address("192.0.2.7", on: .ethernet))[0]
        devices.apply(
            .found(
                ServiceRecord(
                    id: own.id, hostName: own.hostName, address: own.address, txt: own.txt, isOwn: true,
                    isOnLink: true)))
        #expect(devices.devices.isEmpty)
    }

    @Test func deviceThatChangesItsNumberIsRemoved() throws {
        var devices = WaitingDevices(number: 7, purpose: .pair)
        let before = try waiting(7, .pair, at: address("192.0.2.7", on: .ethernet))[0]
        devices.apply(.found(before))
        let after = ServiceRecord(
            id: before.id, hostName: before.hostName, address: before.address,
            txt: before.txt.merging(["pair": [56]]) { $1 }, isOwn: false, isOnLink: true)
        devices.apply(.found(after))
        #expect(devices.devices.isEmpty)
    }

    @Test func floodsAreBounded() throws {
        var devices = WaitingDevices(number: 7, purpose: .pair)
        for number in 0..<1000 {
            let place = address("10.0.\(number / 256).\(number % 256)", on: .ethernet)
            for record in try waiting(7, .pair, at: place) { devices.apply(.found(record)) }
        }
        #expect(devices.devices.count == WaitingDevices.maximumDevices)
        var one = WaitingDevices(number: 7, purpose: .pair)
        let places = (0..<1000).map { number in
            address("10.0.\(number / 256).\(number % 256)", on: NetworkInterface(index: UInt32(number + 1), name: "e"))
        }
        let advertisement = try Advertisement.waiting(number: 7, for: .pair, port: 47217)
        for place in places { one.apply(.found(hostRecord(advertisement.name, on: "h.local", place, advertisement))) }
        #expect(one.devices.count == 1 && one.devices[0].addresses.count == WaitingDevices.maximumRecords)
    }

    @Test func backendEventsAreStored() {
        var devices = WaitingDevices(number: 7, purpose: .pair)
        #expect(!devices.isSettled && devices.trouble == nil)
        devices.apply(.settled)
        devices.apply(.unavailable("gone"))
        #expect(devices.isSettled && devices.trouble == "gone")
        devices.apply(.recovered)
        #expect(devices.trouble == nil)
    }
}
