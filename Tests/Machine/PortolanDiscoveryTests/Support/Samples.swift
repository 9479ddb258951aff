import PortolanCrypto
import PortolanDiscovery
import PortolanTrust
import PortolanValues

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
    does activities: String? = nil, isOwn: Bool = false, isOnLink: Bool = true
) -> ServiceRecord {
    var txt: [String: [UInt8]] = ["txtvers": Array(format.utf8)]
    txt["v"] = versions.map { Array($0.utf8) }
    txt["id"] = id
    txt["does"] = activities.map { Array($0.utf8) }
    return ServiceRecord(
        id: ServiceRecord.ID(
            instanceName: name, interface: address.interface?.index ?? 99, family: address.ip.isV6 ? .v6 : .v4),
        hostName: "host.local", address: address, txt: txt, isOwn: isOwn, isOnLink: isOnLink)
}

func deviceID(_ number: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt64(number).bigEndian) { Array(repeating: 0xA5, count: 12) + Array($0) }
}

func hostRecord(
    _ name: String, on host: String, _ address: NetworkAddress, _ advertisement: Advertisement
) -> ServiceRecord {
    ServiceRecord(
        id: ServiceRecord.ID(
            instanceName: name, interface: address.interface?.index ?? 99, family: address.ip.isV6 ? .v6 : .v4),
        hostName: host, address: address,
        txt: Dictionary(uniqueKeysWithValues: advertisement.txt.map { ($0.key, $0.value) }), isOwn: false,
        isOnLink: true)
}

func team(_ number: UInt8) -> TeamID {
    guard let team = TeamID(bytes: Array(repeating: number, count: 16)) else { preconditionFailure("16 bytes") }
    return team
}

func teamSecret(_ number: UInt8) -> SecretBytes { SecretBytes(copying: Array(repeating: number, count: 32)) }

func fingerprint(_ number: Int) -> Fingerprint {
    guard let fingerprint = Fingerprint(bytes: deviceID(number)) else { preconditionFailure("20 bytes") }
    return fingerprint
}

/// Returns a recogniser for these teams; the secret of each is derived from its number.
func recogniser(_ teams: UInt8...) -> PresenceRecogniser {
    PresenceRecogniser(teams.map { .init(team: team($0), secret: teamSecret($0), generation: 0) })
}

func seal(_ device: Int, port: UInt16 = 47217, for teams: UInt8...) -> PresenceSeal {
    var random = SystemRandomNumberGenerator()
    return PresenceSeal(of: fingerprint(device), port: port, for: teams.map(teamSecret), using: &random)
}

/// A record of a hidden device at an address, as new as if it had just been advertised.
func hiddenRecord(_ seal: PresenceSeal, _ address: NetworkAddress, host: String? = nil) throws -> ServiceRecord {
    let advertisement = try Advertisement.hidden(seal, port: address.port)
    return hostRecord(
        advertisement.name, on: host ?? (advertisement.host ?? "") + ".local", address, advertisement)
}
