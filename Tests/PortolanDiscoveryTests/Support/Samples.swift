import PortolanDiscovery

extension NetworkInterface {
    static let lo = NetworkInterface(index: 1, name: "lo")
    static let ethernet = NetworkInterface(index: 2, name: "eth0")
    static let wireless = NetworkInterface(index: 3, name: "wlp3s0")
    static let docker = NetworkInterface(index: 4, name: "docker0")
    static let vpn = NetworkInterface(index: 5, name: "wg0")
}

func address(_ ip: String, _ port: UInt16 = 47217, on interface: NetworkInterface? = nil) -> NetworkAddress {
    guard let ip = IPAddress(parsing: ip) else { preconditionFailure("a test names a real address: \(ip)") }
    return NetworkAddress(ip: ip, port: port, interface: interface)
}

func record(
    _ name: String, _ address: NetworkAddress, id: [UInt8]? = nil, versions: String? = "1", format: String = "1",
    isOwn: Bool = false
) -> ServiceRecord {
    var txt: [String: [UInt8]] = ["txtvers": Array(format.utf8)]
    txt["v"] = versions.map { Array($0.utf8) }
    txt["id"] = id
    return ServiceRecord(
        id: ServiceRecord.ID(
            instanceName: name, interface: address.interface?.index ?? 99, family: address.ip.isV6 ? .v6 : .v4),
        hostName: "host.local", address: address, txt: txt, isOwn: isOwn)
}

func deviceID(_ number: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt64(number).bigEndian) { Array(repeating: 0xA5, count: 12) + Array($0) }
}
