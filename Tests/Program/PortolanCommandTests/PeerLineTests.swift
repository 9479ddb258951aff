import Foundation
import PortolanClient
import PortolanCrypto
import PortolanDiscovery
import PortolanTrust
import PortolanValues
import Testing

@testable import Portolan
@testable import PortolanAgent
@testable import PortolanCommand

@Suite struct PeerLineTests {
    @Test(
        "a peer is shown by its name here, and by its own name where that differs",
        arguments: [
            ("debian", nil, "“debian”"), ("debian #2", nil, "“debian #2”"), ("debian", "debian", "“debian”"),
            ("debian #2", "debian", "“debian”"), ("debian #2", "debian (2)", "“debian (2)”, calls itself “debian”"),
            ("debian", "rack", "“rack”, calls itself “debian”"),
        ])
    func name(announced: String, localName: String?, shown: String) {
        let fingerprint = Fingerprint(ofKeyBytes: [1])
        var peer = Peer(name: announced, fingerprint: fingerprint, addresses: [], foundBy: "embedded")
        peer.localName = localName
        #expect(PeerLine.text(peer) == "\(shown)  new  \(fingerprint)  no address  (embedded)")
    }

    @Test("a device is known by its key, under any name of its own", arguments: ["debian", "rack", "laptop"])
    func known(announced: String) throws {
        let key = PinnedKey(DeviceKey.generate().publicKey)
        let pin = KnownPeer(
            name: try DeviceName("rack"), announcedName: try DeviceName("debian"), isNamesake: false, key: key,
            since: .now, lastSeen: .now)
        var peer = Peer(name: announced, fingerprint: key.fingerprint, addresses: [], foundBy: "embedded")
        #expect(PeerLine.text(peer).contains("”  new  "))
        peer.recognise(pin)
        #expect(PeerLine.text(peer).contains("  known  ") && peer.localName == "rack")
    }

    @Test(
        "a peer that the agent has in sight is shown as one that this process has found",
        arguments: [("debian", nil), ("debian #2", "debian (2)"), ("ev\u{1B}[2Jil", "rack"), ("debian", "debian")])
    func byTheAgent(announced: String, localName: String?) throws {
        let address = NetworkAddress(ip: try #require(IPAddress(parsing: "192.0.2.7")), port: 47_217)
        var peer = Peer(
            name: announced, fingerprint: Fingerprint(ofKeyBytes: [1]), addresses: [address], foundBy: "embedded")
        peer.localName = localName
        peer.isKnown = localName != nil
        peer.standing = Standing(
            isContact: true,
            memberships: [
                Standing.Membership(
                    team: try #require(TeamID(bytes: [UInt8](repeating: 7, count: 16))), teamName: try TeamName("acme"),
                    groups: [try GroupName("design")], isAdmin: true)
            ])
        let told = AgentAPI.Peer(peer)
        #expect(PeerLine.text(told) == PeerLine.text(peer))
        #expect(PeerRow(told) == PeerRow(peer))
        #expect(try NodeEvent.PeerState(told) == NodeEvent.PeerState(peer))
    }

    @Test("a table has a column for the name, the standing, the key and the address, and fits")
    func table() throws {
        let addresses = ["192.0.2.7", "2001:db8::7"].compactMap(IPAddress.init(parsing:))
        var ben = Peer(
            name: "ben", fingerprint: Fingerprint(ofKeyBytes: [1]),
            addresses: addresses.map { NetworkAddress(ip: $0, port: 47_217) }, foundBy: "avahi")
        ben.localName = "ben"
        ben.isKnown = true
        let long = Peer(
            name: String(repeating: "ev\u{1B}il", count: 10), fingerprint: nil, addresses: [], foundBy: "embedded")
        let lines = PeerTable.lines([ben, long].map(PeerRow.init))
        let short = Fingerprint(ofKeyBytes: [1]).description.prefix(9)
        let gap = String(repeating: " ", count: 19)
        #expect(lines[0] == "NAME\(gap)   HERE   KEY        ADDRESS")
        #expect(lines[1] == "“ben”\(gap)  known  \(short)  192.0.2.7:47217 +1")
        #expect(lines[2].hasPrefix("“ev\\u{1B}il") && lines[2].hasSuffix("…”  new    none       none"), "\(lines)")
        #expect(lines.allSatisfy { CellWidth.of($0) <= 80 })
    }

    @Test("a name neither ends its quotation nor looks like a column")
    func forged() {
        let peer = Peer(
            name: "ben”  contact  k3xq-7m2a", fingerprint: nil, addresses: [], foundBy: "embedded")
        let line = PeerTable.lines([PeerRow(peer)])[1]
        #expect(line.count { "“”".contains($0) } == 2 && !line.contains("”  contact"), "\(line)")
    }
}
