import PortolanDiscovery
import PortolanTransport

/// Peer that a user means: `B`, `k3xq-7m2a`, `192.0.2.7:47217`.
enum Target: Hashable, Sendable {
    case address(FixedAddress)
    /// A name, or the beginning of a fingerprint.
    case found(String)

    /// Parses a target. Text with a port, or a numeric address, is a place to connect to; other text is a name to
    /// search for.
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

    /// Returns the peers whose fingerprint begins with `text`, and the peers of that name. A whole fingerprint means
    /// only its peer, and a name that is stored on this device takes precedence over announced names.
    ///
    /// Any device can announce the beginning of another's fingerprint as its name; then the result has both, and the
    /// user decides.
    ///
    /// If two devices have the same name, mDNS renames one of them to “name #2” by chance. The plain name therefore
    /// means both, and the name with its number means one.
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

    /// True if two names differ only in case, which neither people nor DNS distinguish.
    private static func isSame(_ name: String, _ other: String) -> Bool {
        guard let name = try? DeviceName(name), let other = try? DeviceName(other) else { return name == other }
        return name.comparisonKey == other.comparisonKey
    }

    /// Shortest accepted beginning of a fingerprint, in characters. 8 characters are 40 bits; fewer would be too easy
    /// to imitate.
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
