import PortolanValues
import Testing

@Suite struct NearTextTests {
    private static let words = ["send", "receive", "peers", "id", "share", "shelf", "unshare", "offer", "ls"]

    @Test(
        "a slip of the hand is near",
        arguments: [
            ("snd", ["send"]), ("sned", ["send"]), ("recieve", ["receive"]), ("peer", ["peers"]), ("rec", ["receive"]),
            ("SHARE", ["share"]), ("shar", ["share"]), ("unshred", ["unshare"]), ("l", ["ls"]), ("is", ["id", "ls"]),
        ])
    func typingMistakeIsNear(written: String, meant: [String]) {
        #expect(NearText.nearest(to: written, among: Self.words) == meant)
    }

    @Test("a different word is not near", arguments: ["", "xyz", "list", "transfer", "x", "se nd it all"])
    func differentWordIsNotNear(written: String) {
        #expect(NearText.nearest(to: written, among: Self.words).isEmpty)
    }

    @Test func atMostThreeSuggestionsAreGiven() {
        #expect(NearText.nearest(to: "aa", among: ["ab", "ac", "ad", "ae"]) == ["ab", "ac", "ad"])
    }

    @Test func aLongWordIsCompared() {
        let long = String(repeating: "a", count: 100_000)
        #expect(NearText.nearest(to: long, among: ["send", long]) == [long])
    }
}
