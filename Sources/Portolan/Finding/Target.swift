import Foundation
import PortolanCrypto
import PortolanDiscovery
import PortolanTransport
import PortolanTrust

/// Whom a user means: `B`, `k3xq-7m2a`, `192.0.2.7:47217`.
enum Target: Hashable, Sendable {
    case address(FixedAddress)
    /// A name, or the beginning of a fingerprint.
    case found(String)

    /// What has a port, or is an address in numbers, is a place to connect to. Everything else is looked for.
    init(_ text: String) {
        if let address = try? FixedAddress(parsing: text) {
            self = .address(address)
        } else if let address = try? FixedAddress(parsing: text, defaultPort: ListeningSocket.defaultPort),
            case .address = address.host
        {
            self = .address(address)
        } else {
            self = .found(text)
        }
    }

    /// The peers that are meant: those of this name if there are any, else those whose fingerprint begins so.
    ///
    /// Where two devices have one name, mDNS calls the second “name #2”, and who is second is chance. So the plain name means
    /// all of them, and only a name that is given with its number means one.
    static func matches(_ text: String, in peers: [Peer]) -> [Peer] {
        // What this device calls somebody is about a key, and tells whom it means.
        let local = peers.filter { $0.localName.map { isSame($0, text) } ?? false }
        if !local.isEmpty { return local.map(\.chosenByKey) }
        let named = peers.filter { isSame($0.name, text) || isSame($0.ownName, text) }
        if !named.isEmpty { return named }
        guard text.count(where: { $0 != "-" }) >= shortestPrefix else { return [] }
        return peers.filter { $0.fingerprint?.hasPrefix(text) ?? false }.map(\.chosenByKey)
    }

    /// Names are alike for people and for DNS when they differ in case alone.
    private static func isSame(_ name: String, _ other: String) -> Bool {
        guard let name = try? DeviceName(name), let other = try? DeviceName(other) else { return name == other }
        return name.comparisonKey == other.comparisonKey
    }

    /// Characters of a fingerprint that must be given. Fewer would be too easy to imitate: 8 of them are 40 bits.
    static let shortestPrefix = 8
}

extension Peer {
    fileprivate var chosenByKey: Peer {
        var chosen = self
        chosen.isChosenByKey = true
        return chosen
    }

    /// The name as the peer gave it, before mDNS numbered it.
    var ownName: String {
        guard let mark = name.range(of: " #", options: .backwards), !name[mark.upperBound...].isEmpty,
            name[mark.upperBound...].allSatisfy(\.isWholeNumber)
        else { return name }
        return String(name[..<mark.lowerBound])
    }
}
