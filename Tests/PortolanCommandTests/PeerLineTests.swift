import PortolanCrypto
import Testing

@testable import Portolan
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
}
