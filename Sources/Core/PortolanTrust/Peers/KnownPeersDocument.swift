import Foundation
import PortolanCrypto
import PortolanValues

/// File format of the known peers: JSON that a person can read, and edit with care.
enum KnownPeersDocument {
    /// Largest file, in bytes: far more than `KnownPeers.capacity` entries with the longest names.
    static let sizeLimit = 12 << 20

    private struct Body: Codable {
        var peers: [Entry]
    }

    private struct Entry: Codable {
        var name: String
        /// Omitted if equal to `name`. From version 2 on.
        var announcedName: String?
        /// Omitted if false. From version 3 on.
        var namesake: Bool?
        var fingerprint: Fingerprint
        /// 64 hexadecimal digits.
        var key: String
        var since: Date
        var lastSeen: Date
        /// From version 2 on.
        var confirmed: Date?
    }

    private static let form = DocumentForm("portolan known peers", versions: 1...3)

    static func text(of peers: [KnownPeer]) -> [UInt8] {
        let entries = peers.map {
            Entry(
                name: $0.name.text, announcedName: $0.announcedName == $0.name ? nil : $0.announcedName.text,
                namesake: $0.isNamesake ? true : nil, fingerprint: $0.fingerprint,
                key: Hexadecimal.text($0.key.bytes), since: $0.since, lastSeen: $0.lastSeen, confirmed: $0.confirmed)
        }
        return form.text(of: Body(peers: entries))
    }

    /// Parses a file completely or not at all: a partial list of pins would be a security hole.
    static func parse(_ contents: [UInt8]) throws(StoreDefect) -> [KnownPeer] {
        guard contents.last == UInt8(ascii: "\n") else { throw StoreDefect(reason: "its end is missing") }
        let (document, version) = try translating(form.read(Body.self, from: contents)) { (error: DocumentDefect) in
            StoreDefect(reason: error.clause("a list of known peers"))
        }
        guard document.peers.count <= KnownPeers.capacity else {
            throw StoreDefect(reason: "it holds more than \(KnownPeers.capacity) peers")
        }
        var taken: Set<String> = []
        var peers: [KnownPeer] = []
        for (index, entry) in document.peers.enumerated() {
            let peer = try self.peer(entry, number: index + 1, version: version)
            guard taken.isDisjoint(with: peer.ownNames) else {
                throw StoreDefect(reason: "entry \(index + 1) repeats the name of another one")
            }
            taken.formUnion(peer.ownNames)
            peers.append(peer)
        }
        return peers
    }

    private static func peer(_ entry: Entry, number: Int, version: Int) throws(StoreDefect) -> KnownPeer {
        // Version 1 has no confirmations by pairing.
        let (announced, confirmed) = version == 1 ? (nil, nil) : (entry.announcedName, entry.confirmed)
        guard let name = name(entry.name), let announcedName = self.name(announced ?? entry.name) else {
            throw StoreDefect(reason: "the name in entry \(number) is none")
        }
        guard let bytes = Hexadecimal.bytes(entry.key.utf8),
            let key = PinnedKey(bytes: bytes, fingerprint: entry.fingerprint)
        else {
            throw StoreDefect(reason: "the key in entry \(number) is none")
        }
        return KnownPeer(
            name: name, announcedName: announcedName, isNamesake: version >= 3 && entry.namesake == true, key: key,
            since: entry.since, lastSeen: entry.lastSeen, confirmed: confirmed)
    }

    private static func name(_ text: String) -> DeviceName? {
        guard let name = try? DeviceName(text), name.text == text else { return nil }
        return name
    }
}
