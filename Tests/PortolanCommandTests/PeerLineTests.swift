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
        "a peer is shown by its name here, and by what it calls itself where that differs",
        arguments: [
            ("debian", nil, "“debian”  no address"), ("debian #2", nil, "“debian #2”  no address"),
            ("debian", "debian", "“debian”  no address"), ("debian #2", "debian", "“debian”  no address"),
            ("debian #2", "debian (2)", "“debian (2)”, calls itself “debian”  no address"),
            ("debian", "rack", "“rack”, calls itself “debian”  no address"),
        ])
    func name(announced: String, localName: String?, shown: String) {
        let fingerprint = Fingerprint(ofKeyBytes: [1])
        var peer = Peer(name: announced, fingerprint: fingerprint, addresses: [], foundBy: "embedded")
        peer.localName = localName
        #expect(PeerLine.text(peer).contains("  " + shown))
    }

    @Test("a device is known by its key, whatever it calls itself now", arguments: ["debian", "rack", "laptop"])
    func known(announced: String) throws {
        let key = PinnedKey(DeviceKey.generate().publicKey)
        let pin = KnownPeer(
            name: try DeviceName("rack"), announcedName: try DeviceName("debian"), isNamesake: false, key: key,
            since: .now, lastSeen: .now)
        var peer = Peer(name: announced, fingerprint: key.fingerprint, addresses: [], foundBy: "embedded")
        #expect(PeerLine.text(peer).contains("  new  "))
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
        #expect(try NodeEvent.PeerState(told) == NodeEvent.PeerState(peer))
    }
}
