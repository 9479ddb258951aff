import Foundation
import PortolanCrypto
import PortolanDiscovery
import PortolanTransport
import PortolanValues

/// Peer that a user means: `B`, `k3xq-7m2a`, `192.0.2.7:47217`.
enum Target: Hashable, Sendable {
    case address(FixedAddress)
    /// A name, or the beginning of a fingerprint.
    case found(String)

    /// Reads a target. Text with a port or a numeric address is a place to connect to; other text is looked for.
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

    /// The peers that are meant: those whose fingerprint begins so, and those of this name. A whole fingerprint means
    /// no other, and a name of this device's own choice comes before what others call themselves.
    ///
    /// Anybody can take the beginning of another's fingerprint for a name: who is meant then is for a person to say.
    ///
    /// Where two devices have one name, mDNS calls the second “name #2”, and who is second is chance. So the plain name
    /// means all of them, and only a name that is given with its number means one.
    static func matches(_ text: String, in peers: [Peer]) -> [Peer] {
        if let whole = Fingerprint(parsing: text) { return peers.filter { $0.fingerprint == whole }.map(\.chosenByKey) }
        let isLongEnough = text.count(where: { $0 != "-" }) >= shortestPrefix
        func hasKey(_ peer: Peer) -> Bool { isLongEnough && peer.fingerprint?.hasPrefix(text) ?? false }
        // A name given on this device belongs to a key, so it identifies the peer.
        func isCalled(_ peer: Peer) -> Bool { peer.localName.map { isSame($0, text) } ?? false }
        let isLocal = peers.contains(where: isCalled)
        return peers.compactMap { peer in
            if hasKey(peer) || isCalled(peer) { return peer.chosenByKey }
            return !isLocal && (isSame(peer.name, text) || isSame(peer.ownName, text)) ? peer : nil
        }
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
    package var ownName: String { Self.ownName(of: name) }

    /// The names that its processes go by, each as ``ownName``.
    var ownNames: [String] { ([name] + otherNames).map(Self.ownName) }

    private static func ownName(of name: String) -> String {
        guard let mark = name.range(of: " #", options: .backwards), !name[mark.upperBound...].isEmpty,
            name[mark.upperBound...].allSatisfy(\.isWholeNumber)
        else { return name }
        return String(name[..<mark.lowerBound])
    }
}
