import Foundation
import PortolanCrypto
import PortolanProtocol
import PortolanTrust
import Testing

@testable import Portolan
@testable import PortolanCommand

/// The question that a person is asked about an offer, as a peer would forge it.
@Suite struct OfferTextTests {
    private let fingerprint = Fingerprint(of: DeviceKey.generate().publicKey)

    private func question(
        name: String = "mallory", title: String = "x", type: String = "public.jpeg", description: String? = nil,
        message: String = "", sizes: [UInt64?] = [1000]
    ) throws -> [String] {
        let preview = try ItemPreview(message: message)
        let items = sizes.map { size in
            IncomingOffer.Item(
                title: title, contentType: type, typeDescription: description, suggestedName: nil, representation: 0,
                representationCount: 1, size: size, apparentSize: size, mostBytes: size, isFolder: false,
                restriction: .everyone,
                preview: preview)
        }
        let peer = RemotePeer(
            name: name, fingerprint: fingerprint, address: "192.0.2.7:1", isKnown: false, standing: .anyone)
        let offer = IncomingOffer(peer: peer, items: items, notImportable: [])
        return OfferText.question(offer).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func ownWordsStandOnLinesOfTheirOwnBeforeThePeers() throws {
        let lines = try question(name: "ada", title: "Holiday", message: "Look!")
        #expect(lines.count == 6)
        #expect(lines[0] == "Offered by \(fingerprint) (met for the first time), at 192.0.2.7:1,")
        #expect(lines[1] == "  which calls itself “ada”:")
        #expect(lines[2].hasPrefix("1. ") && lines[2].hasSuffix("public.jpeg, 1.00 kB"))
        #expect(lines[3] == "     “Holiday”")
        #expect(lines[4] == "     “Look!”")
        #expect(lines[5] == "Take 1 item, 1.00 kB, from \(fingerprint) (met for the first time)?")
    }

    @Test(
        "a peer's text neither ends its quotation nor begins a line nor pads one",
        arguments: [
            "ada” (known), k3xq-7m2a", "ada\u{2800}\u{2800}\u{2800}(known)", "ada\n1. public.jpeg", "ada\u{2028}known",
            "ada        (known)", "ada\u{3164}", "\u{202E}nwonk", "ada\u{1B}[1A\u{1B}[2K", "\u{FF02}ada\u{301E}",
            "ada\u{E0020}\u{FE0F}\u{34F}",
        ])
    func cannotBeForged(text: String) throws {
        let honest = try question(name: "a", title: "b", type: "x.unknown", description: "d", message: "c")
        let forged = try question(name: text, title: text, type: "x.unknown", description: text, message: text)
        #expect(forged.count == honest.count)
        for (forgedLine, line) in zip(forged, honest) {
            #expect(forgedLine.count { "“”".contains($0) } == line.count { "“”".contains($0) })
            #expect(DisplayText.isHarmless(forgedLine))
            #expect(!forgedLine.unicodeScalars.contains(where: DisplayText.isBlank))
            #expect(!forgedLine.drop { $0 == " " }.contains("  "))
            if !line.contains("“") { #expect(forgedLine == line) }
        }
    }

    @Test func aTypeThatIsNotKnownHereIsThePeersWord() throws {
        let lines = try question(type: "com.example.mallory", description: "JPEG image")
        #expect(lines[2] == "1. of a type not known here, 1.00 kB")
        #expect(lines.contains("     type “com.example.mallory”, “JPEG image”"))
        #expect(try !question(description: "something else").joined().contains("something else"))
    }

    @Test func sizesDoNotWrapAround() throws {
        let last = try #require(try question(sizes: [UInt64](repeating: 1 << 62, count: 5)).last)
        #expect(last.hasPrefix("Take 5 items, 18.4 EB"))
    }

    @Test func aLongOfferRepeatsWhoAsks() throws {
        let long = String(repeating: "\u{E0041}", count: 250)
        let lines = try question(name: long, title: long, message: long, sizes: [UInt64?](repeating: nil, count: 1024))
        #expect(lines.allSatisfy { $0.count < 500 })
        #expect(lines.last == "Take 1024 items, size unknown, from \(fingerprint) (met for the first time)?")
    }
}
