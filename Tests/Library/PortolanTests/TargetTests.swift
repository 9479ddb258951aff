import PortolanCrypto
import Testing

@testable import Portolan

/// The peer that a user's word selects, among peers that choose their own names.
@Suite struct TargetTests {
    private let fingerprint = Fingerprint(ofKeyBytes: [1])
    private let other = Fingerprint(ofKeyBytes: [2])

    private func peer(_ name: String, _ fingerprint: Fingerprint, knownAs localName: String? = nil) -> Peer {
        var peer = Peer(name: name, fingerprint: fingerprint, addresses: [], foundBy: "embedded")
        peer.localName = localName
        return peer
    }

    private func matches(_ text: String, _ peers: [Peer]) -> [Fingerprint?] {
        Target.matches(text, in: peers).map(\.fingerprint)
    }

    @Test func wholeFingerprintMeansOnlyItsPeer() {
        let whole = fingerprint.description
        let impostors = [peer(whole, other), peer("x", other, knownAs: whole)]
        for text in [whole, whole.uppercased(), whole.filter { $0 != "-" }] {
            #expect(matches(text, impostors + [peer("debian", fingerprint)]) == [fingerprint])
            #expect(matches(text, impostors).isEmpty)
        }
        #expect(Target.matches(whole, in: [peer("debian", fingerprint)]).map(\.isChosenByKey) == [true])
    }

    @Test func nameLikeAFingerprintPrefixIsAmbiguous() {
        let start = String(fingerprint.description.prefix(9))
        let meant = peer("debian", fingerprint)
        #expect(matches(start, [meant, peer(start, other)]) == [fingerprint, other])
        #expect(matches(start, [meant, peer("x", other, knownAs: start)]) == [fingerprint, other])
        let alone = Target.matches(start, in: [meant])
        #expect(alone.map(\.isChosenByKey) == [true])
        #expect(matches(String(start.prefix(8)), [meant]).isEmpty)
    }

    @Test func localNamePrecedesAnnouncedNames() {
        let known = peer("debian", fingerprint, knownAs: "rack")
        let stranger = peer("rack", other)
        #expect(matches("Rack", [stranger, known]) == [fingerprint])
        #expect(matches("rack", [stranger]) == [other])
        #expect(matches("debian", [known, peer("debian #2", other)]) == [fingerprint, other])
        #expect(matches("debian #2", [known, peer("debian #2", other)]) == [other])
    }
}
